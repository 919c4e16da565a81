import { GoError } from '../go-error.ts'

/**
 * Collects failures as Go's decoder does: a wrong type is kept as the first failure, and decoding goes on. An invalid time, URI
 * or whole element ends decoding at once, and its failure is reported instead.
 */
export interface GoFailures {
  first: string | undefined
}

/** The location of a value in Go's messages: `value` or `struct field Alert.labels`. */
type Place = string

/** Reads a value other than null; returns `undefined` after a failure. */
export type GoReader<T> = (value: unknown, place: Place, failures: GoFailures) => T | undefined

/** The fields of a Go struct for decoding JSON. */
export interface GoStruct<T> {
  /** The name in messages; empty for a struct without one. */
  readonly name: string
  readonly readers: ReadonlyMap<string, { readonly read: GoReader<unknown>; readonly place: Place }>
  /** The field names by their lower-case forms. */
  readonly folded: ReadonlyMap<string, string>
  /** Never set; carries the type of the result. */
  readonly fields?: T
}

/** Declares a struct by the readers of its fields. */
export function goStruct<T extends object>(
  name: string,
  readers: { readonly [K in keyof T]-?: GoReader<T[K]> },
): GoStruct<T> {
  const entries = Object.entries<GoReader<unknown>>(readers)
  const folded = new Map(entries.map(([field]) => [field.toLowerCase(), field]))
  const members = entries.map(([field, read]) => {
    return [field, { read, place: `struct field ${name}.${field}` }] as const
  })
  return { name, readers: new Map(members), folded }
}

/** The name of a JSON value's type in Go's messages. */
function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** Go's message for a value of the wrong type. */
export function typeMessage(value: unknown, place: Place, type: string): string {
  return `json: cannot unmarshal ${goKind(value)} into Go ${place} of type ${type}`
}

/** A failure that ends decoding at once. */
export const goFailure = (message: string): GoError =>
  new GoError('BadRequest', 'UnreadableValue', message)

/** Keeps the message of a failure, if it is the first one. */
export function keepFailure(failures: GoFailures, message: string): undefined {
  failures.first ??= message
}

/** Whether a JSON value is an object. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Decodes an object into a struct. A key matches a field ignoring case, unless the exact name is there too. Null leaves a field
 * unset. Other keys are ignored.
 */
export function readStruct<T extends object>(
  value: Readonly<Record<string, unknown>>,
  { name, readers, folded }: GoStruct<T>,
  failures: GoFailures,
  path = '',
): Partial<T> {
  const fields: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const field = readers.has(key) ? key : (folded.get(key.toLowerCase()) ?? '')
    const reader = readers.get(field)
    const member = value[key]
    if (reader === undefined || member === null) continue
    if (field !== key && Object.hasOwn(value, field)) continue
    const place = path === '' ? reader.place : `struct field ${name}.${path}${field}`
    fields[field] = reader.read(member, place, failures)
  }
  // The readers match the fields of T one by one.
  return fields as Partial<T>
}

export const goString: GoReader<string> = (value, place, failures) =>
  typeof value === 'string' ? value : keepFailure(failures, typeMessage(value, place, 'string'))

export const goBoolean: GoReader<boolean> = (value, place, failures) =>
  typeof value === 'boolean' ? value : keepFailure(failures, typeMessage(value, place, 'bool'))

/** Reads a text whose Go type has its own decoder, so that a wrong type ends decoding. */
export const goUri: GoReader<string> = (value, place) => {
  if (typeof value !== 'string') throw goFailure(typeMessage(value, place, 'string'))
  return value
}

/** Runs a reading to its end, then throws the first failure it kept. */
export function readAll<T>(read: (failures: GoFailures) => T): T {
  const failures: GoFailures = { first: undefined }
  const value = read(failures)
  if (failures.first !== undefined) throw goFailure(failures.first)
  return value
}
