import { atEndOfTurn } from './end-of-turn.ts'

/** When a batch runs: with all calls made until then. */
export type Moment =
  /** In the next microtask. */
  | 'now'
  /** At the end of this turn of the event loop. */
  | 'soon'

/** Options of {@link together}. */
export interface TogetherOptions {
  moment: Moment
  /** The most items in one batch. */
  limit: number
}

interface Asked<T, R> {
  readonly item: T
  readonly resolve: (result: R) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs calls in batches.
 *
 * @param doAll returns the results of all items in order, or rejects for all of them.
 */
export function together<T, R>(
  doAll: (items: readonly T[]) => Promise<readonly PromiseSettledResult<R>[]>,
  { moment, limit }: TogetherOptions,
): (item: T) => Promise<R> {
  let asked: Asked<T, R>[] = []

  const settle = async (part: readonly Asked<T, R>[]): Promise<void> => {
    try {
      const results = await doAll(part.map(({ item }) => item))
      for (const [index, { resolve, reject }] of part.entries()) {
        const result = results[index]
        if (result?.status === 'fulfilled') resolve(result.value)
        else reject(result?.reason)
      }
    } catch (error) {
      for (const { reject } of part) reject(error)
    }
  }

  const serve = (): void => {
    const all = asked
    asked = []
    for (let at = 0; at < all.length; at += limit) void settle(all.slice(at, at + limit))
  }

  return (item) =>
    new Promise((resolve, reject) => {
      asked.push({ item, resolve, reject })
      if (asked.length > 1) return
      if (moment === 'now') queueMicrotask(serve)
      else atEndOfTurn(serve)
    })
}
