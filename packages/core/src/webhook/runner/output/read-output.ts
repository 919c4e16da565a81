/** The source of an output: a Node stream. */
export interface OutputSource {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  on(event: 'close' | 'error', listener: () => void): unknown
  pause(): unknown
  resume(): unknown
  destroy(): unknown
}

/** Reads an output. */
export interface OutputReader {
  /** Whether the consumer has not taken the last piece yet. */
  readonly isWaiting: boolean
  /** Settles once the output has ended, or was stopped, and all of it was taken. */
  readonly done: Promise<void>
  /** Stops reading. Processes that still write get an error. */
  stop(): void
}

/** Reads an output to its end, at the pace of its consumer. */
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
    // Node resumes the output of a process after its exit.
    backlog.push(chunk)
    source.pause()
  })
  source.on('close', () => {
    isClosed = true
    if (!isWaiting) settle()
  })
  // The stream closes next; the bytes read so far count.
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
/** 250 ms together. */
const patientTicks = 10

/**
 * Reads the rest of the outputs of a finished command. Leftover processes may hold them open: reading stops after 250 ms. Time in
 * which a consumer is busy does not count.
 *
 * @returns whether all outputs have ended.
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
