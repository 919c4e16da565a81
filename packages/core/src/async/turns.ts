import { getOrCreate } from './get-or-create.ts'

/** Work that waits for its turn. */
export interface Turn {
  readonly id: string
  /** Each receiver has its own limit, so that a slow one does not delay others. */
  readonly receiver: string
  /** Only one of each key runs at a time. */
  readonly key: string
}

/** Lets work run in turn. */
export interface Turns {
  /**
   * Runs `work`, which never rejects, when its turn comes. An id that waits is not added again. An id that runs will run once
   * more: `work` may have read its state before the change.
   */
  add(turn: Turn, work: () => Promise<void>): void
  /** Starts no more work, and waits for running work. */
  close(): Promise<void>
}

interface Waiting extends Turn {
  readonly work: () => Promise<void>
}

/** The queue of one receiver. */
interface Line {
  readonly receiver: string
  /** In order of arrival, from `first` on. Earlier entries are done, and removed from time to time. */
  waiting: Waiting[]
  first: number
  running: number
}

/** Creates {@link Turns} with this many places for each receiver. */
export function createTurns({ places }: { places: number }): Turns {
  const waiting = new Set<string>()
  const lines = new Map<string, Line>()
  const keys = new Set<string>()
  /** Work whose turn came while other work with the same key was running. */
  const heldUp = new Map<string, Waiting[]>()
  let running = 0
  let isClosed = false
  let allEnded = (): void => {}

  const begin = (line: Line, turn: Waiting): void => {
    waiting.delete(turn.id)
    keys.add(turn.key)
    line.running++
    running++
    void turn.work().then(() => end(line, turn))
  }

  const end = (line: Line, { key }: Waiting): void => {
    keys.delete(key)
    line.running--
    running--
    if (isClosed) {
      if (running === 0) allEnded()
      return
    }
    const next = takeHeldUp(key)
    if (next !== undefined) begin(line, next)
    startMore(line)
  }

  const takeHeldUp = (key: string): Waiting | undefined => {
    const held = heldUp.get(key)
    if (held === undefined) return undefined
    const next = held.shift()
    if (held.length === 0) heldUp.delete(key)
    return next
  }

  const startMore = (line: Line): void => {
    while (line.running < places) {
      const next = takeFirst(line)
      if (next === undefined) break
      if (keys.has(next.key)) getOrCreate(heldUp, next.key, (): Waiting[] => []).push(next)
      else begin(line, next)
    }
    if (line.running === 0) lines.delete(line.receiver)
  }

  return {
    add(turn, work) {
      const { id, receiver, key } = turn
      if (isClosed || waiting.has(id)) return
      waiting.add(id)
      const line = getOrCreate(
        lines,
        receiver,
        (): Line => ({ receiver, waiting: [], first: 0, running: 0 }),
      )
      line.waiting.push({ id, receiver, key, work })
      startMore(line)
    },

    close() {
      isClosed = true
      if (running === 0) return Promise.resolve()
      return new Promise((resolve) => {
        allEnded = resolve
      })
    },
  }
}

/** The most done entries before the rest moves up. */
const maxGone = 1_000

function takeFirst(line: Line): Waiting | undefined {
  const next = line.waiting[line.first]
  if (next === undefined) return undefined
  line.first++
  if (line.first === line.waiting.length) {
    line.waiting = []
    line.first = 0
  } else if (line.first > maxGone && line.first > line.waiting.length / 2) {
    line.waiting = line.waiting.slice(line.first)
    line.first = 0
  }
  return next
}
