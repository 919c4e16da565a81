import { v4, v7 } from 'uuid'

/** The source of new ids. Tests may pass a counter. */
export interface Ids {
  /** A new UUIDv4, lower case with dashes. */
  random(): string
  /** A new UUIDv7: later ones sort after earlier ones. */
  ordered(): string
}

/**
 * Flattens a text. An engine keeps a concatenated text as its parts until a character is read, and ids stay in thousands of
 * records and are copied into headers and logs. The comparison uses the character, so that an engine cannot skip reading it.
 */
const inOnePiece = (text: string): string => (text.charCodeAt(0) >= 0 ? text : '')

/** Ids from the machine's random source. */
export const systemIds: Ids = { random: () => inOnePiece(v4()), ordered: () => inOnePiece(v7()) }
