import { fingerprint } from './fingerprint.ts'

/** The names of everything a store has in its database. */
export interface Names {
  /** The schema the tables are in, or `undefined` for the one the connection finds first. */
  readonly schema: string | undefined
  /** Table of one row: the version of the schema. */
  readonly version: string
  /** Table with a row per change feed: how far it is. */
  readonly feeds: string
  /** The channel processes tell each other on that something changed. */
  readonly channel: string
  /** What a migration locks, as two processes must not migrate at once. */
  readonly lock: number
  /** The table of a collection, quoted. */
  table(collection: string): string
  /** The table of a collection's change feed, quoted. */
  feed(collection: string): string
  /** The table of commits that have no place in a collection's change feed yet, quoted. */
  unnumbered(collection: string): string
  /** An index of a collection's table, quoted; `what` tells it from the others. */
  index(collection: string, what: string): string
  /** What stands in the catalogue for a quoted name: without quotes and schema. */
  plain(quoted: string): string
}

/** Options of {@link createNames}. */
export interface NameOptions {
  schema: string | undefined
  prefix: string
}

/** What PostgreSQL keeps of a name. */
const maxNameLength = 63

/** The names in one schema, behind one prefix. Both are checked before. */
export function createNames({ schema, prefix }: NameOptions): Names {
  const inSchema = (name: string): string =>
    schema === undefined ? `"${name}"` : `"${schema}"."${name}"`
  return {
    schema,
    version: inSchema(`${prefix}_schema`),
    feeds: inSchema(`${prefix}_feeds`),
    channel: `${prefix}changes`,
    lock: fingerprint(`gatehouse ${schema ?? ''} ${prefix}`),
    table: (collection) => inSchema(`${prefix}${collection}`),
    feed: (collection) => inSchema(`${prefix}${collection}.feed`),
    unnumbered: (collection) => inSchema(`${prefix}${collection}.next`),
    index: (collection, what) => `"${shortened(`${prefix}${collection}.${what}`)}"`,
    plain: (quoted) => quoted.slice(quoted.lastIndexOf('."') + 1).replaceAll('"', ''),
  }
}

/** PostgreSQL would cut a long name off, and two that differ at the end would be one. */
function shortened(name: string): string {
  if (name.length <= maxNameLength) return name
  const sum = fingerprint(name).toString(36)
  return `${name.slice(0, maxNameLength - 1 - sum.length)}~${sum}`
}
