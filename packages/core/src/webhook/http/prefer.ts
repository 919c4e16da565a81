/** What a client would like about waiting. */
export interface Preferences {
  /** Whether it would rather be answered before the run has ended. */
  readonly respondAsync: boolean
  /** How long it would wait, in ms. */
  readonly waitMs: number | undefined
}

/** A header is a client's text; what is behind this many entries is not looked at. */
const mostEntries = 32

const waitPattern = /^wait[ \t]*=[ \t]*"?(\d{1,9})"?$/i

/** Reads a `Prefer` header; what it does not know it passes over. The first of two that say the same counts. @see RFC 7240 */
export function readPreferences(header: string | undefined): Preferences {
  if (header === undefined) return { respondAsync: false, waitMs: undefined }
  const entries = header
    .split(',', mostEntries)
    .map((entry) => (entry.split(';', 1)[0] ?? '').trim())
  const seconds = entries.map((entry) => waitPattern.exec(entry)?.[1]).find(Boolean)
  return {
    respondAsync: entries.some((entry) => entry.toLowerCase() === 'respond-async'),
    waitMs: seconds === undefined ? undefined : Number(seconds) * 1_000,
  }
}
