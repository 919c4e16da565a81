import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import type { Storage } from '../../storage/storage.ts'
import { systemClock } from '../../time/clock.ts'

/** The tools of a process in a scenario. */
export interface ScenarioPart {
  readonly storage: Storage
  /** The arguments from the test. */
  readonly args: readonly string[]
  /** Sends a line to the test. */
  readonly write: (line: string) => unknown
}

/** One process of a scenario. */
export type Scenario = (part: ScenarioPart) => Promise<void>

/** Holds a record once all processes may begin. */
export const starts: TypedCollection<true> = defineCollection({ name: 'starts' })

/** The one record of {@link starts}. */
export const startId = 'now'

const pauseMs = 2
const giveUpAfterMs = 60_000

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs))

/**
 * Calls `ask` until it returns a value.
 *
 * @throws {Error} after a minute, when the value will never come.
 */
export async function pollFor<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const giveUpAt = systemClock.now() + giveUpAfterMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (systemClock.now() > giveUpAt) throw new Error('polled for a minute without a result')
    await pause()
  }
}

/** Reports to the test that this process is ready, and waits until all may begin at once. */
export async function beginTogether({ storage, write }: ScenarioPart): Promise<void> {
  write('ready')
  await pollFor(() => starts.get(storage, startId))
}

/** Runs a function for every item, `inFlight` at a time. */
export async function forAll<T>(
  items: readonly T[],
  inFlight: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const lane = async (): Promise<void> => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
}
