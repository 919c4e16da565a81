/** The delay before a worker is replaced: the first one, doubled with each early end. */
const firstDelayMs = 100
const maxDelayMs = 10_000
/** A worker that ran this long did not end early. */
const longEnoughMs = 10_000

/** When a worker that ended is replaced. */
export interface Restart {
  /** How often in a row the worker ended early. */
  readonly earlyEnds: number
  readonly delayMs: number
}

/** The restart of a worker that lived for `livedMs`, after so many early ends. */
export function nextRestart(earlyEndsBefore: number, livedMs: number): Restart {
  const earlyEnds = livedMs < longEnoughMs ? earlyEndsBefore + 1 : 0
  return { earlyEnds, delayMs: Math.min(firstDelayMs * 2 ** earlyEnds, maxDelayMs) }
}
