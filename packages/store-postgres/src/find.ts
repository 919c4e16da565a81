import type { Collection, Query } from '@gatehouse/core/store'
import { keyExpression } from './schema.ts'

/** The SQL clauses of a query. */
export interface FindClauses {
  readonly where: string
  readonly order: string
  /** The values of `$1`, `$2`, … in `where`. */
  readonly values: readonly (string | number)[]
}

type Operator = '=' | '>=' | '>' | '<'

/** PostgreSQL rejects NUL, so no stored text contains one. A text with a NUL sorts directly after the part before the NUL. */
const behindNul = { '>=': '>', '>': '>', '<': '<=' } as const

const cutAtNul = <T extends string | number>(key: T): T | string =>
  typeof key === 'string' ? (key.split('\0', 1)[0] ?? '') : key

/** Returns the clauses for a checked query, written so that the index alone gives the order. */
export function findClauses(collection: Collection, query: Query): FindClauses {
  const { by, equals, from, to, after } = query
  const key = keyExpression(collection, by)
  const direction = query.order === 'desc' ? 'DESC' : 'ASC'
  const beyond = query.order === 'desc' ? '<' : '>'
  const conditions: string[] = []
  const values: (string | number)[] = []
  const parameter = (value: string | number): string => {
    values.push(value)
    const type = typeof value === 'number' ? 'float8' : 'text'
    return `$${values.length}::${type}`
  }
  const compare = (on: string, operator: Operator, value: string | number): void => {
    const cut = cutAtNul(value)
    if (cut === value) conditions.push(`${on} ${operator} ${parameter(value)}`)
    else if (operator === '=') conditions.push('false')
    else conditions.push(`${on} ${behindNul[operator]} ${parameter(cut)}`)
  }

  if (equals !== undefined) {
    compare(key, '=', equals)
    if (after !== undefined) compare('id', beyond, after.id)
    return { where: conditions.join(' AND '), order: `id ${direction}`, values }
  }
  // Always set a bound: the index also holds records without the field, under no key.
  if (from === undefined) conditions.push(`${key} IS NOT NULL`)
  else compare(key, '>=', from)
  if (to !== undefined) compare(key, '<', to)
  if (by === 'id') {
    if (after !== undefined) compare('id', beyond, String(after.key))
    return { where: conditions.join(' AND '), order: `id ${direction}`, values }
  }
  if (after !== undefined && cutAtNul(after.key) !== after.key) {
    compare(key, beyond, after.key)
  } else if (after !== undefined) {
    const id = cutAtNul(after.id)
    const operator = id === after.id ? beyond : behindNul[beyond]
    conditions.push(`(${key}, id) ${operator} (${parameter(after.key)}, ${parameter(id)})`)
  }
  return { where: conditions.join(' AND '), order: `${key} ${direction}, id ${direction}`, values }
}
