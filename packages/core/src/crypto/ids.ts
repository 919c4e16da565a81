import { v4, v7 } from 'uuid'

/** Where new ids come from. Tests may pass a counter. */
export interface Ids {
  /** A new UUIDv4, lower case with dashes. */
  random(): string
  /** A new UUIDv7: later ones sort after earlier ones. */
  ordered(): string
}

/**
 * The text in one piece: one that was put together of many keeps them all until somebody reads a character of it. Ids stay in
 * thousands of records, and are copied into headers and logs. What is read is compared, or an engine may leave it out.
 */
const inOnePiece = (text: string): string => (text.charCodeAt(0) >= 0 ? text : '')

/** Ids from the machine's source of randomness. */
export const systemIds: Ids = { random: () => inOnePiece(v4()), ordered: () => inOnePiece(v7()) }
