/** Runs work with the same key one at a time, in the order of the calls. */
export type KeyTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Creates {@link KeyTurns}. Idle keys use no memory. */
export function createKeyTurns(): KeyTurns {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = last.get(key)
    const turn = before === undefined ? work() : before.then(work)
    // The next call waits for the end of this turn, even if it fails.
    const over = turn.then(
      () => {},
      () => {},
    )
    last.set(key, over)
    void over.then(() => {
      if (last.get(key) === over) last.delete(key)
    })
    return turn
  }
}
