import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import type { Storage } from '../../storage/storage.ts'
import { systemClock } from '../../time/clock.ts'

/** What one process of several has to work with. */
export interface ScenarioPart {
  readonly storage: Storage
  /** What the test told this process to do. */
  readonly args: readonly string[]
  /** Tells the test. */
  readonly write: (line: string) => unknown
}

/** The part of one process in a test of several. */
export type Scenario = (part: ScenarioPart) => Promise<void>

/** Holds a record once all processes shall begin. */
export const starts: TypedCollection<true> = defineCollection({ name: 'starts' })

/** The one record of {@link starts}. */
export const startId = 'now'

const pauseMs = 2
const giveUpAfterMs = 60_000

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs))

/**
 * Asks until the answer is something.
 *
 * @throws {Error} after a minute of asking: then what it waits for will never be.
 */
export async function pollFor<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const giveUpAt = systemClock.now() + giveUpAfterMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (systemClock.now() > giveUpAt) throw new Error('asked for a minute, and nothing came of it')
    await pause()
  }
}

/** Tells the test that this process is there, and waits until the test lets all begin at once. */
export async function beginTogether({ storage, write }: ScenarioPart): Promise<void> {
  write('ready')
  await pollFor(() => starts.get(storage, startId))
}

/** Does something for every item, `inFlight` at a time. */
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
