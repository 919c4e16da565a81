/** A piece of work that waits for its turn. */
export interface Turn {
  readonly id: string
  /** Of each receiver only so many run at once: one that is slow keeps no other waiting. */
  readonly receiver: string
  /** Of each key only one runs at once. */
  readonly key: string
}

/** Lets work run in turn. */
export interface Turns {
  /** Runs `work`, which never rejects, when its turn comes. What waits or runs already is left alone. */
  add(turn: Turn, work: () => Promise<void>): void
  /** Lets nothing begin any more, and waits for what runs. */
  close(): Promise<void>
}

interface Waiting extends Turn {
  readonly work: () => Promise<void>
}

/** {@link Turns} with so many places for each receiver. */
export function createTurns({ places }: { places: number }): Turns {
  const known = new Set<string>()
  const keys = new Set<string>()
  const running = new Map<string, number>()
  /** By receiver, then by id, in the order of their coming. */
  const waiting = new Map<string, Map<string, Waiting>>()
  const underWay = new Set<Promise<void>>()
  let isClosed = false

  const run = async ({ id, receiver, key, work }: Waiting): Promise<void> => {
    keys.add(key)
    running.set(receiver, (running.get(receiver) ?? 0) + 1)
    await work()
    keys.delete(key)
    known.delete(id)
    const left = (running.get(receiver) ?? 1) - 1
    if (left === 0) running.delete(receiver)
    else running.set(receiver, left)
  }

  const startMore = (receiver: string): void => {
    const line = waiting.get(receiver)
    if (line === undefined) return
    for (const next of line.values()) {
      if (isClosed || (running.get(receiver) ?? 0) >= places) return
      if (keys.has(next.key)) continue
      line.delete(next.id)
      const ended = run(next).then(() => {
        underWay.delete(ended)
        startMore(receiver)
      })
      underWay.add(ended)
    }
    if (line.size === 0) waiting.delete(receiver)
  }

  return {
    add(turn, work) {
      if (isClosed || known.has(turn.id)) return
      known.add(turn.id)
      const line = waiting.get(turn.receiver) ?? new Map<string, Waiting>()
      waiting.set(turn.receiver, line.set(turn.id, { ...turn, work }))
      startMore(turn.receiver)
    },

    async close() {
      isClosed = true
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
