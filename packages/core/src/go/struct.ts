import { GatehouseError } from '../errors.ts'
import { parseDateTime } from '../time/date-time.ts'

/**
 * What Go's decoder does with a wrong type: it keeps the first failure and reads on. A time, a URI or a whole
 * element that fails ends the reading at once, and its failure counts instead.
 */
export interface GoFailures {
  first: string | undefined
}

/** Where a value stands, in the words of Go's messages: `value` or `struct field Alert.labels`. */
type Place = string

/** Reads a value that is not null; `undefined` after a failure. */
export type GoReader<T> = (value: unknown, place: Place, failures: GoFailures) => T | undefined

/** The fields of a Go struct that JSON is read into. */
export interface GoStruct<T> {
  /** The name in messages; empty for a struct without one. */
  readonly name: string
  readonly readers: ReadonlyMap<string, { readonly read: GoReader<unknown>; readonly place: Place }>
  /** The same fields by their names in lower case. */
  readonly folded: ReadonlyMap<string, string>
  /** Never there; holds the type of what is read. */
  readonly fields?: T
}

/** A time as it was given; without `at` it is Go's zero time. */
export interface ReadTime {
  readonly at?: number
  readonly text?: string
}

/** Label names and values as own properties. */
export type ReadLabels = Readonly<Record<string, string>>

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

/** What Go calls a JSON value in its messages. */
function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** Go's message for a value of a wrong type. */
export function typeMessage(value: unknown, place: Place, type: string): string {
  return `json: cannot unmarshal ${goKind(value)} into Go ${place} of type ${type}`
}

/** A failure that ends the reading at once. */
export const goFailure = (message: string): GatehouseError =>
  new GatehouseError('BadRequest', 'UnreadableValue', message)

function keep(failures: GoFailures, message: string): undefined {
  failures.first ??= message
}

/** Whether a JSON value is an object. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Reads an object into a struct. A key that differs from a field's name by case alone stands for it, unless the
 * very name is there too; null leaves a field unset; other keys are ignored.
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
  // The readers of the struct are those of T, field by field.
  return fields as Partial<T>
}

/** Reads a text. */
export const goString: GoReader<string> = (value, place, failures) =>
  typeof value === 'string' ? value : keep(failures, typeMessage(value, place, 'string'))

/** Reads a boolean. */
export const goBoolean: GoReader<boolean> = (value, place, failures) =>
  typeof value === 'boolean' ? value : keep(failures, typeMessage(value, place, 'bool'))

/** Reads a text whose type brings its own decoder, so that a wrong type ends the reading. */
export const goUri: GoReader<string> = (value, place) => {
  if (typeof value !== 'string') throw goFailure(typeMessage(value, place, 'string'))
  return value
}

/** Reads a time. @throws {GatehouseError} `InvalidTime`, or a failure of its type */
export const goTime: GoReader<ReadTime> = (value, place, failures) =>
  parseDateTime(goUri(value, place, failures) ?? '') ?? {}

/** Reads an object of texts, in which null is the empty text. */
export const goLabelSet: GoReader<ReadLabels> = (value, place, failures) => {
  if (!isJsonObject(value)) return keep(failures, typeMessage(value, place, 'models.LabelSet'))
  let isPlain = true
  for (const name of Object.keys(value)) {
    const text = value[name]
    if (typeof text === 'string') continue
    isPlain = false
    if (text !== null) return keep(failures, typeMessage(text, place, 'string'))
  }
  // Only texts and null are left.
  if (isPlain) return value as ReadLabels
  const texts = Object.entries(value) as [string, string | null][]
  return Object.fromEntries(texts.map(([name, text]) => [name, text ?? '']))
}

/** Runs a reading to its end, then throws the first failure it kept. */
export function readAll<T>(read: (failures: GoFailures) => T): T {
  const failures: GoFailures = { first: undefined }
  const value = read(failures)
  if (failures.first !== undefined) throw goFailure(failures.first)
  return value
}
