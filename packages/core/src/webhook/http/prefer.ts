/** The preferences of a client about waiting. */
export interface Preferences {
  /** Whether the client prefers an answer before the run has ended. */
  readonly respondAsync: boolean
  /** How long the client would wait, in ms. */
  readonly waitMs: number | undefined
}

/** Only this many entries of the header are read, because clients control its length. */
const maxEntries = 32

const waitPattern = /^wait[ \t]*=[ \t]*"?(\d{1,9})"?$/i

/** Parses a `Prefer` header; ignores unknown preferences. The first of two equal ones counts. @see RFC 7240 */
export function readPreferences(header: string | undefined): Preferences {
  if (header === undefined) return { respondAsync: false, waitMs: undefined }
  const entries = header
    .split(',', maxEntries)
    .map((entry) => (entry.split(';', 1)[0] ?? '').trim())
  const seconds = entries.map((entry) => waitPattern.exec(entry)?.[1]).find(Boolean)
  return {
    respondAsync: entries.some((entry) => entry.toLowerCase() === 'respond-async'),
    waitMs: seconds === undefined ? undefined : Number(seconds) * 1_000,
  }
}
