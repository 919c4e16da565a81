import { afterEach, beforeEach, expect } from 'vitest'
import type { Storage } from '../../storage/storage.ts'
import { startId, starts } from '../../testing/scenarios/scenario.ts'

/** A program beside the test that runs `runStorageScenario` of `@gatehouse/core/testing`. */
export interface ScenarioProcess {
  /** The lines written so far. */
  readonly lines: readonly string[]
  /** Resolves when it has written this many lines or has ended. */
  hasWritten(count: number): Promise<void>
  /** Kills the process, as SIGKILL does, and resolves when it is gone. */
  kill(): Promise<void>
  /** Resolves to the exit code when it has ended, `null` if it was killed. */
  readonly ended: Promise<number | null>
}

/** A store under test that other processes can open. */
export interface StorageProcessesHarness {
  /** The test's own connection. */
  readonly storage: Storage
  /** Starts a program that opens the same data, passes `scenario` to `runStorageScenario`, and closes its storage. */
  start(scenario: readonly string[]): ScenarioProcess
  /** Frees the resources of the factory, after all processes have ended and the storage is closed. */
  release?(): Promise<void>
}

/** Creates an empty store that uses the machine's clock. */
export type StorageProcessesFactory = () => Promise<StorageProcessesHarness>

/** The store of the current test. */
export interface ProcessesUnderTest {
  readonly storage: Storage
  /** Starts a process that plays a scenario. It is killed after the test if it still runs. */
  start(scenario: string, ...args: readonly (string | number)[]): ScenarioProcess
}

/** Sets up a fresh store for each test of the calling suite. */
export function useProcesses(factory: StorageProcessesFactory): ProcessesUnderTest {
  let harness: StorageProcessesHarness | undefined
  let started: ScenarioProcess[] = []

  const present = (): StorageProcessesHarness => {
    if (harness === undefined) throw new Error('the storage exists only while a test runs')
    return harness
  }

  beforeEach(async () => {
    harness = await factory()
    started = []
  })

  afterEach(async () => {
    await Promise.all(started.map((process) => process.kill()))
    await harness?.storage.close()
    await harness?.release?.()
    harness = undefined
  })

  return {
    get storage() {
      return present().storage
    },
    start(...scenario) {
      const process = present().start(scenario.map(String))
      started.push(process)
      return process
    },
  }
}

/** Waits until all processes have ended by themselves. */
export async function allEnd(processes: readonly ScenarioProcess[]): Promise<void> {
  const codes = await Promise.all(processes.map(({ ended }) => ended))
  expect(codes).toEqual(processes.map(() => 0))
}

/** Lets waiting processes begin once all are ready, and waits for their end. */
export async function raceToTheEnd(
  storage: Storage,
  processes: readonly ScenarioProcess[],
): Promise<void> {
  await Promise.all(processes.map((process) => process.hasWritten(1)))
  await storage.commit([starts.write(startId, true)])
  await allEnd(processes)
}

/** The lines that processes of {@link raceToTheEnd} wrote after they began. */
export const linesOfRace = (processes: readonly ScenarioProcess[]): string[] =>
  processes.flatMap(({ lines }) => lines.slice(1))
