export { createManualClock, type ManualClock } from './manual-clock.ts'
export { runStorageScenario } from './run-storage-scenario.ts'
