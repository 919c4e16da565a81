/** Runs work that has the same key one after the other, in the order of the calls. */
export type KeyTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** {@link KeyTurns} that keep nothing of a key nobody waits for. */
export function createKeyTurns(): KeyTurns {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = last.get(key)
    const turn = before === undefined ? work() : before.then(work)
    // Who comes next waits for the end of this turn, whatever comes of it.
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
