/** What an output is read from: a stream of Node. */
export interface OutputSource {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  on(event: 'close' | 'error', listener: () => void): unknown
  pause(): unknown
  resume(): unknown
  destroy(): unknown
}

/** An output that is being read. */
export interface OutputReader {
  /** Whether its reader has still to take what was read last. */
  readonly isWaiting: boolean
  /** Settles once it has come to its end, or was stopped, and all of it was taken. */
  readonly done: Promise<void>
  /** Reads no more; who still writes to it then gets an error. */
  stop(): void
}

/** Reads an output to its end, no faster than its pieces are taken. */
export function readOutput(
  source: OutputSource,
  take: (chunk: Uint8Array) => void | Promise<void>,
): OutputReader {
  const backlog: Uint8Array[] = []
  let isWaiting = false
  let isClosed = false
  let settle = (): void => {}
  const done = new Promise<void>((resolve) => {
    settle = resolve
  })

  const offer = (chunk: Uint8Array): void => {
    const taken = take(chunk)
    if (taken === undefined) return
    isWaiting = true
    source.pause()
    taken.then(proceed, proceed)
  }

  const proceed = (): void => {
    isWaiting = false
    for (let chunk = backlog.shift(); chunk !== undefined; chunk = backlog.shift()) {
      offer(chunk)
      if (isWaiting) return
    }
    if (isClosed) settle()
    else source.resume()
  }

  source.on('data', (chunk) => {
    if (!isWaiting) return offer(chunk)
    // Node lets the output of a process flow again once that has ended.
    backlog.push(chunk)
    source.pause()
  })
  source.on('close', () => {
    isClosed = true
    if (!isWaiting) settle()
  })
  // It is closed next, and what was read until then counts.
  source.on('error', () => {})

  return {
    get isWaiting() {
      return isWaiting
    },
    done,
    stop: () => void source.destroy(),
  }
}

const tickMs = 25
/** Together 250 ms. */
const patientTicks = 10

/**
 * Reads what is left in the outputs of a command that has ended. Processes it has left behind may hold them open: after 250 ms
 * they are stopped. Time in which a reader has yet to take something does not count.
 *
 * @returns whether all of them have come to their end.
 */
export async function drainOutputs(readers: readonly OutputReader[]): Promise<boolean> {
  let ticks = 0
  const timer = setInterval(() => {
    if (readers.some((reader) => reader.isWaiting)) return
    if (++ticks === patientTicks) for (const reader of readers) reader.stop()
  }, tickMs)
  await Promise.all(readers.map((reader) => reader.done))
  clearInterval(timer)
  return ticks < patientTicks
}
