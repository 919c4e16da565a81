import type { Storage } from '@gatehouse/core'

/** A storage in whose calls a test does something else. */
export interface InterruptedStorage {
  readonly storage: Storage
  /**
   * Runs work, and something else before the call of that number, counted from 1. The calls of the other are not counted.
   *
   * @returns the outcome, and whether the work made so many calls.
   */
  interrupt<T>(
    call: number,
    by: () => Promise<unknown>,
    work: () => Promise<T>,
  ): Promise<{
    readonly outcome: T
    readonly isInterrupted: boolean
    readonly calls: readonly string[]
  }>
}

/** Makes every point of an operation one at which another operation runs from begin to end. */
export function interruptedStorage(storage: Storage): InterruptedStorage {
  let before: (name: string) => Promise<void> = async () => undefined
  const at =
    <Given extends readonly unknown[], T>(
      call: (...given: Given) => Promise<T>,
      name: (...given: Given) => string,
    ) =>
    async (...given: Given): Promise<T> => {
      await before(name(...given))
      return call(...given)
    }
  return {
    storage: {
      get: at(storage.get.bind(storage), ({ name }) => `get ${name}`),
      find: at(storage.find.bind(storage), ({ name }) => `find ${name}`),
      changes: (...given) => storage.changes(...given),
      commit: at(storage.commit.bind(storage), (writes) => {
        return `commit ${writes.map(({ collection }) => collection.name).join(' ')}`
      }),
      close: () => storage.close(),
    },
    async interrupt(call, by, work) {
      const calls: string[] = []
      let isInterrupted = false
      let isBusy = false
      before = async (name) => {
        if (isBusy || isInterrupted) return
        if (calls.length + 1 < call) {
          calls.push(name)
          return
        }
        isInterrupted = true
        isBusy = true
        await by()
        isBusy = false
      }
      try {
        return { outcome: await work(), isInterrupted, calls }
      } finally {
        before = async () => undefined
      }
    },
  }
}
