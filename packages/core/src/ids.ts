import { v4, v7 } from 'uuid'

/** Where new ids come from. Tests may pass a counter. */
export interface Ids {
  /** A new UUIDv4, lower case with dashes. */
  random(): string
  /** A new UUIDv7: later ones sort after earlier ones. */
  ordered(): string
}

/** Ids from the machine's source of randomness. */
export const systemIds: Ids = { random: () => v4(), ordered: () => v7() }
