/** A record of a foreign file: its members may be anything. */
export type Row = Readonly<Record<string, unknown>>

/** Whether a value is a record. */
export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The records in a list; others are left out. */
export const rowsOf = (value: unknown): readonly Row[] =>
  Array.isArray(value) ? value.filter(isRow) : []

/** A text that is not empty; numbers are written out. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A boolean, which some databases store as 0 or 1. */
export const flagOf = (value: unknown): boolean => value === true || value === 1 || value === 1n

/** An instant in ms, from a date, RFC 3339 text or a number of ms or seconds. */
export function instantOf(value: unknown): number | undefined {
  if (value === null || value === undefined || value === '') return undefined
  const at = typeof value === 'number' ? value : Date.parse(String(value))
  if (!Number.isFinite(at)) return undefined
  // Seconds until the year 5138.
  return at < 1e11 ? at * 1_000 : at
}

/** An object without its undefined members. */
export function defined<T extends object>(
  members: {
    readonly [K in keyof T]: T[K] | undefined
  },
): Partial<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Partial<T>
}
