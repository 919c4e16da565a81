import {
  type Decode,
  decodeInput,
  type Fields,
  invalidInput,
  optional,
  rawText,
  refuse,
  refuseShown,
} from '@gatehouse/core/input'
import type { PostgresHandle } from './database.ts'
import type { PostgresTransaction } from './transaction.ts'

const methodsOfHandles = [['connect'], ['unsafe', 'begin'], ['query', 'transaction']] as const

/** A pool of `pg`, a `sql` of `postgres`, or a `PGlite`, recognized by their methods, in this order. */
const handle: Decode<PostgresHandle> = (value) => {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
  const isHandle = methodsOfHandles.some(
    (methods) => isObject && methods.every((method) => hasMethod(value, method)),
  )
  // The methods in use are there.
  return isHandle
    ? (value as PostgresHandle)
    : refuse('a pool of pg, a PGlite or a sql of postgres', value)
}

/**
 * A connection within a transaction. What can begin one is refused: a pool may run every statement on another connection, and
 * PGlite and `sql` itself would wait for the transaction.
 */
export const transactionClient: Decode<PostgresTransaction> = (value) => {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
  const has = (name: string): boolean => isObject && hasMethod(value, name)
  const isPool = isObject && 'totalCount' in value
  const isWhole = isPool || has('transaction') || has('begin')
  return !isWhole && (has('query') || has('unsafe'))
    ? (value as PostgresTransaction)
    : refuse(
        'a client that is in a transaction: of pg by pool.connect(), or the argument that PGlite and postgres pass to the function of a transaction',
        value,
      )
}

/** Whether an object has a method of this name. */
export const hasMethod = (value: object, name: string): boolean =>
  typeof (value as Readonly<Record<string, unknown>>)[name] === 'function'

const postgresUrl: Decode<string> = (value) =>
  isPostgresUrl(rawText(value)) ? rawText(value) : refuse('a postgres:// URL', value)

function isPostgresUrl(url: string): boolean {
  try {
    return /^postgres(ql)?:$/.test(new URL(url).protocol)
  } catch {
    return false // The error would quote the URL, including its password.
  }
}

const prefix: Decode<string> = (value) =>
  /^[a-z][a-z0-9_]{0,15}$/.test(rawText(value))
    ? rawText(value)
    : refuseShown(
        '1 to 16 lower case letters, digits and underscores, starting with a letter',
        value,
      )

const schema: Decode<string> = (value) =>
  /^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(rawText(value))
    ? rawText(value)
    : refuseShown('1 to 63 letters, digits and underscores, not starting with a digit', value)

interface TableNames {
  schema?: string
  prefix?: string
}

interface Place {
  url?: string
  database?: PostgresHandle
}

/** The options that name the tables. */
export const tableFields: Fields<TableNames> = {
  schema: optional(schema),
  prefix: optional(prefix),
}

/** The options that name the database and the tables in it. */
export const placeFields: Fields<Place & TableNames> = {
  url: optional(postgresUrl),
  database: optional(handle),
  ...tableFields,
}

/** Decodes options of which exactly one of `url` and `database` must be given. */
export function decodePlace<Options extends Place>(
  decode: Decode<Options>,
  given: Options,
): Options {
  const options = decodeInput('options', decode, given)
  const { url, database } = options
  if ((url === undefined) !== (database === undefined)) return options
  throw invalidInput('options', 'either url or database', url === undefined ? 'neither' : 'both')
}
