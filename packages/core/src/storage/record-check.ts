import { isJsonObject } from './storage.ts'

/**
 * Checks a stored value. Returns `undefined` if it is valid, else the problem, such as `endsAt: expected an instant`. Never
 * quotes the value, which may be a secret.
 */
export type RecordCheck = (value: unknown) => string | undefined

/** One check for each property of `T`, so that none is forgotten. The value may have other properties too. */
export type RecordFields<T> = { readonly [K in keyof T]-?: RecordCheck }

/** Creates a simple check whose message names the expected type. */
const expecting =
  (what: string, fits: (value: unknown) => boolean): RecordCheck =>
  (value) =>
    fits(value) ? undefined : `expected ${what}`

/** The largest instant of a Date, with room for an offset of less than a day. */
const farthestInstant = 8_640_000_000_000_000 - 86_400_000

export const anything: RecordCheck = () => undefined

export const text: RecordCheck = expecting('a string', (value) => typeof value === 'string')

/** Accepts finite numbers. */
export const number: RecordCheck = expecting('a number', Number.isFinite)

export const flag: RecordCheck = expecting('true or false', (value) => typeof value === 'boolean')

/** Accepts milliseconds since the Unix epoch that a Date can represent. */
export const instant: RecordCheck = expecting(
  'an instant',
  (value) => typeof value === 'number' && Math.abs(value) <= farthestInstant,
)

/** Accepts one of these texts. */
export function oneOf<T extends string>(texts: readonly T[]): RecordCheck {
  const known: ReadonlySet<unknown> = new Set(texts)
  return expecting(`one of ${texts.join(', ')}`, (value) => known.has(value))
}

/** Accepts `undefined`, and values that another check accepts. */
export const optional =
  (check: RecordCheck): RecordCheck =>
  (value) =>
    value === undefined ? undefined : check(value)

/** Accepts `null`, and values that another check accepts. */
export const nullable =
  (check: RecordCheck): RecordCheck =>
  (value) =>
    value === null ? undefined : check(value)

/** Accepts an array whose items another check accepts. */
export const listOf =
  (check: RecordCheck): RecordCheck =>
  (value) => {
    if (!Array.isArray(value)) return 'expected a list'
    for (const [index, item] of value.entries()) {
      const problem = check(item)
      if (problem !== undefined) return `${index}: ${problem}`
    }
    return undefined
  }

/** Accepts an object with any names whose values another check accepts. */
export const mapOf =
  (check: RecordCheck): RecordCheck =>
  (value) => {
    if (!isJsonObject(value)) return 'expected an object'
    // Runs for every label of an alert: `for in` avoids a list of the names.
    for (const name in value) {
      const problem = check(value[name])
      if (problem !== undefined) return `${JSON.stringify(name)}: ${problem}`
    }
    return undefined
  }

/** Accepts an object with these properties. */
export function objectOf<T>(fields: RecordFields<T>): RecordCheck {
  const checks = Object.entries<RecordCheck>(fields)
  return (value) => {
    if (!isJsonObject(value)) return 'expected an object'
    for (const [name, check] of checks) {
      const problem = check(value[name])
      if (problem !== undefined) return `${name}: ${problem}`
    }
    return undefined
  }
}

/** Accepts an object whose `type` selects one of several checks. */
export function variantsOf<T extends string>(
  variants: Readonly<Record<T, RecordCheck>>,
): RecordCheck {
  const known = new Map<unknown, RecordCheck>(Object.entries(variants))
  const names = [...known.keys()].join(', ')
  return (value) => {
    if (!isJsonObject(value)) return 'expected an object'
    const check = known.get(value.type)
    return check === undefined ? `type: expected one of ${names}` : check(value)
  }
}
