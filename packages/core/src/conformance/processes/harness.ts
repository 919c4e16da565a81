import { afterEach, beforeEach, expect } from 'vitest'
import type { Storage } from '../../storage/storage.ts'
import { startId, starts } from '../../testing/scenarios/scenario.ts'

/** A program beside the test that runs `runStorageScenario` of `@gatehouse/core/testing`. */
export interface ScenarioProcess {
  /** What it has written so far. */
  readonly lines: readonly string[]
  /** Resolves when it has written this many lines, or has ended. */
  hasWritten(count: number): Promise<void>
  /** Ends it at once, as SIGKILL does, and resolves when it is gone. */
  kill(): Promise<void>
  /** Resolves when it has ended: to its exit code, `null` if it was killed. */
  readonly ended: Promise<number | null>
}

/** A store under test that other processes can open. */
export interface StorageProcessesHarness {
  /** The test's own connection. */
  readonly storage: Storage
  /** Starts a program that opens the same data, passes `scenario` to `runStorageScenario`, and closes its storage. */
  start(scenario: readonly string[]): ScenarioProcess
  /** Frees what the factory made, after all processes have ended and the storage is closed. */
  release?(): Promise<void>
}

/** Makes an empty store, on the clock of the machine. */
export type StorageProcessesFactory = () => Promise<StorageProcessesHarness>

/** The store of the test that runs. */
export interface ProcessesUnderTest {
  readonly storage: Storage
  /** Starts a process that plays its part; it does not outlive the test. */
  start(scenario: string, ...args: readonly (string | number)[]): ScenarioProcess
}

/** A fresh store for each test of the suite it is called in. */
export function useProcesses(factory: StorageProcessesFactory): ProcessesUnderTest {
  let harness: StorageProcessesHarness | undefined
  let started: ScenarioProcess[] = []

  const present = (): StorageProcessesHarness => {
    if (harness === undefined) throw new Error('there is a storage only while a test runs')
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

/** Waits until all have come to their end by themselves. */
export async function allEnd(processes: readonly ScenarioProcess[]): Promise<void> {
  const codes = await Promise.all(processes.map(({ ended }) => ended))
  expect(codes).toEqual(processes.map(() => 0))
}

/** Lets processes that wait for each other begin, once all are there, and waits for their end. */
export async function raceToTheEnd(
  storage: Storage,
  processes: readonly ScenarioProcess[],
): Promise<void> {
  await Promise.all(processes.map((process) => process.hasWritten(1)))
  await storage.commit([starts.write(startId, true)])
  await allEnd(processes)
}

/** What processes of {@link raceToTheEnd} have written after they began. */
export const linesOfRace = (processes: readonly ScenarioProcess[]): string[] =>
  processes.flatMap(({ lines }) => lines.slice(1))
