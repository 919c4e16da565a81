/** The part of a stream that {@link startProgress} writes to. */
export interface ProgressStream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Options of {@link startProgress}. */
export interface ProgressOptions {
  /** Default: standard error. */
  readonly stream?: ProgressStream
  /** A clock that only moves forward, in ms. */
  readonly now?: () => number
}

/** A line at the bottom of a terminal that says how far a command is. */
export interface Progress {
  /** The work has come this far. Cheap enough for every record. */
  at(count: number): void
  /** Removes the line. */
  end(): void
}

const firstAfterMs = 2_000
const everyMs = 1_000
const eraseLine = '\r\u001b[K'

let shownOn: ProgressStream | undefined

/** Removes the line of the progress, so that another one can be written in its place. */
export function eraseProgress(): void {
  shownOn?.write(eraseLine)
  shownOn = undefined
}

/**
 * Shows how far a command is on standard error, after two seconds and then every second, if that is a terminal.
 *
 * @param line such as `saved 12000 records`.
 */
export function startProgress(
  line: (count: number, seconds: number) => string,
  options: ProgressOptions = {},
): Progress {
  const { stream = process.stderr, now = () => performance.now() } = options
  if (stream.isTTY !== true) return { at() {}, end() {} }
  const start = now()
  let next = start + firstAfterMs
  let count = 0
  const draw = (): void => {
    const at = now()
    if (at < next) return
    next = at + everyMs
    eraseProgress()
    shownOn = stream
    stream.write(line(count, Math.floor((at - start) / 1_000)))
  }
  // Work that waits has no count to report; work that does not wait keeps timers from running.
  const timer = setInterval(draw, everyMs)
  return {
    at(reached) {
      count = reached
      draw()
    },
    end() {
      clearInterval(timer)
      eraseProgress()
    },
  }
}

/** Runs `work`, and shows how far it is meanwhile. */
export async function withProgress<T>(
  line: (count: number, seconds: number) => string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = startProgress(line)
  try {
    return await work(progress)
  } finally {
    progress.end()
  }
}
