import type { Collection, Query } from '@gatehouse/core/store'
import type { SqliteValue } from './database.ts'

/** What the index of a field contains. */
export const keyExpression = (by: string): string =>
  by === 'id' ? 'id' : `json_extract(value, '$.${by}')`

/** A driver may cut a text at its NUL, but not bytes. */
const hasNul = (value: SqliteValue | undefined): value is string =>
  typeof value === 'string' && value.includes('\0')

const placeOf = (value: SqliteValue | undefined): string =>
  hasNul(value) ? 'CAST(? AS TEXT)' : '?'

/** The SQL clauses of a query. */
export interface FindClauses {
  readonly where: string
  readonly order: string
  /** The values of the places in `where`. */
  readonly values: readonly SqliteValue[]
}

/**
 * Returns the clauses of a checked query, written so that the index alone gives the order. SQLite does not recognize that in a comparison
 * of (key, id) pairs.
 */
export function findClauses(collection: Collection, query: Query): FindClauses {
  const { by, equals, from, to, after } = query
  const key = keyExpression(by)
  const direction = query.order === 'desc' ? 'DESC' : 'ASC'
  const beyond = query.order === 'desc' ? '<' : '>'
  const conditions: string[] = []
  const values: SqliteValue[] = []
  const add = (condition: string, ...given: SqliteValue[]): void => {
    const places = condition.split('?')
    conditions.push(places.reduce((sql, place, index) => sql + placeOf(given[index - 1]) + place))
    values.push(...given.map((value) => (hasNul(value) ? Buffer.from(value) : value)))
  }
  if (equals !== undefined) {
    add(`${key} = ?`, equals)
    if (after !== undefined) add(`id ${beyond} ?`, after.id)
    return { where: conditions.join(' AND '), order: `id ${direction}`, values }
  }
  // Always set a lower bound: records without the field come first in its index.
  const isNumber = by !== 'id' && collection.fields[by] === 'number'
  add(`${key} >= ?`, from ?? (isNumber ? Number.NEGATIVE_INFINITY : ''))
  if (to !== undefined) add(`${key} < ?`, to)
  if (by === 'id') {
    if (after !== undefined) add(`id ${beyond} ?`, after.key)
    return { where: conditions.join(' AND '), order: `id ${direction}`, values }
  }
  if (after !== undefined) {
    add(`${key} ${beyond}= ?`, after.key)
    add(`(${key} ${beyond} ? OR id ${beyond} ?)`, after.key, after.id)
  }
  const order = `${key} ${direction}, id ${direction}`
  return { where: conditions.join(' AND '), order, values }
}
