// Test suites for your own storages, adapters and command runners; needs the package `vitest`.
export { type AdapterServe, describeAdapter, type RunningServer } from './adapter.ts'
export type { CommandRunnerFactory } from './command-runner/harness.ts'
export { describeCommandRunner } from './command-runner.ts'
export type {
  ScenarioProcess,
  StorageProcessesFactory,
  StorageProcessesHarness,
} from './processes/harness.ts'
export type {
  SharedStorageFactory,
  SharedStorageHarness,
  StorageFactory,
  StorageHarness,
} from './storage/harness.ts'
export { describeSharedStorage, describeStorage } from './storage.ts'
export { describeStorageProcesses } from './storage-processes.ts'
