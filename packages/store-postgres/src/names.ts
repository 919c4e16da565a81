import { fingerprint } from './fingerprint.ts'

/** The names of everything a store has in its database. */
export interface Names {
  /** The schema of the tables; `undefined` for the first one in the search path of the connection. */
  readonly schema: string | undefined
  /** A table with one row: the version of the schema. */
  readonly version: string
  /** A table with a row per change feed: its position. */
  readonly feeds: string
  /** The channel on which processes notify each other of changes. */
  readonly channel: string
  /** The advisory lock of migrations, so that only one runs at a time. */
  readonly lock: number
  /** The table of a collection, quoted. */
  table(collection: string): string
  /** The table of a collection's change feed, quoted. */
  feed(collection: string): string
  /** The table of commits that have no number in a collection's change feed yet, quoted. */
  unnumbered(collection: string): string
  /** An index of a collection's table, quoted. `what` makes its name unique. */
  index(collection: string, what: string): string
  /** The name in the catalogue for a quoted name: without quotes and schema. */
  plain(quoted: string): string
}

/** Options of {@link createNames}. */
export interface NameOptions {
  schema: string | undefined
  prefix: string
}

/** The number of bytes that PostgreSQL keeps of a name. */
const maxNameLength = 63

/** Creates the names for a schema and a prefix, both already checked. */
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

/** PostgreSQL would truncate a long name, so two names that differ at the end would become one. */
function shortened(name: string): string {
  if (name.length <= maxNameLength) return name
  const sum = fingerprint(name).toString(36)
  return `${name.slice(0, maxNameLength - 1 - sum.length)}~${sum}`
}
