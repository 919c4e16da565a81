import type { ListedWebhook, WebhookInput } from '@gatehouse/client'
import { matchesSimply } from './simple-pattern.ts'

/** Where a value is put into the request; `elsewhere` are places that this form cannot fill. */
export type FieldPlace = 'data' | 'whole' | 'header' | 'query' | 'elsewhere'

/** A field of the form to run a webhook: one for each source, which several inputs may share. */
export interface RunField {
  readonly source: string
  readonly place: FieldPlace
  /** The name of the header or parameter, or the path into the data. */
  readonly path: readonly string[]
  readonly inputs: readonly WebhookInput[]
  readonly isRequired: boolean
  readonly default: string | undefined
}

/** The fields for the inputs of a webhook, in their order. */
export function runFields({ inputs }: Pick<ListedWebhook, 'inputs'>): readonly RunField[] {
  const sources = [...new Set(inputs.map(({ source }) => source))]
  return sources.map((source) => {
    const own = inputs.filter((input) => input.source === source)
    return {
      source,
      ...placeOf(source),
      inputs: own,
      isRequired: own.some(({ required }) => required),
      default: own.find((input) => input.default !== undefined)?.default,
    }
  })
}

function placeOf(source: string): Pick<RunField, 'place' | 'path'> {
  const [, prefix, rest = ''] = /^(body|header|query|request):(.*)$/s.exec(source) ?? []
  if (prefix === 'header' || prefix === 'query') return { place: prefix, path: [rest] }
  if (prefix === 'request') return { place: 'elsewhere', path: [] }
  const path = (prefix === undefined ? source : rest).split('.')
  // The body of the request is the data, which `body:` reads as text.
  if (prefix === 'body' && rest === '') return { place: 'whole', path: [] }
  if (path[0] !== 'data') return { place: 'elsewhere', path: [] }
  return path.length === 1 ? { place: 'whole', path: [] } : { place: 'data', path: path.slice(1) }
}

/** Whether the form has a field for the whole data. */
export function takesData(
  { reads_data }: Pick<ListedWebhook, 'reads_data'>,
  fields: readonly RunField[],
): boolean {
  return reads_data || fields.some(({ place }) => place === 'whole')
}

/** The reason why a value would be refused. */
export type FieldProblem =
  | { readonly kind: 'required' | 'dash' | 'characters' | 'base64' }
  | { readonly kind: 'long'; readonly most: number }
  | { readonly kind: 'pattern'; readonly pattern: string }

const negativeNumber = /^-(?:0|[1-9]\d*)(?:\.\d+)?$/

/** The problem of a value, as far as the page can know; the server checks the rest. An empty value counts as missing. */
export function fieldProblem(field: RunField, value: string): FieldProblem | undefined {
  if (value === '') return field.isRequired ? { kind: 'required' } : undefined
  if (value.includes('\0') || !value.isWellFormed()) return { kind: 'characters' }
  if (field.place === 'header' && !/^[\t\u0020-\u007e\u00a0-\u00ff]*$/.test(value)) {
    return { kind: 'characters' }
  }
  const bytes = new TextEncoder().encode(value).length
  for (const { max_length: most, pattern, allow_dash, base64 } of field.inputs) {
    if (most !== undefined && bytes > most) return { kind: 'long', most }
    if (pattern !== undefined && !mayMatch(pattern, value)) return { kind: 'pattern', pattern }
    const isOption = value.startsWith('-') && !negativeNumber.test(value)
    if (isOption && allow_dash === false) return { kind: 'dash' }
    if (base64 && !/^(?:[A-Za-z\d+/]|\s)*={0,2}\s*$/.test(value)) return { kind: 'base64' }
  }
  return undefined
}

/** No pattern matches more characters. */
const maxCharacters = 4_096

const mayMatch = (pattern: string, value: string): boolean =>
  [...value].length <= maxCharacters && matchesSimply(pattern, value) !== false

/** The request that the form sends. */
export interface RunRequest {
  readonly data: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

/** The values of the form by source, and the data as JSON, which may be empty. */
export interface RunValues {
  readonly values: Readonly<Record<string, string>>
  readonly json: string
}

/** Whether a text is empty or a JSON object. */
export function isData(json: string): boolean {
  if (json.trim() === '') return true
  try {
    return isObject(JSON.parse(json))
  } catch {
    return false
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The request for these values; empty ones are left out. */
export function runRequest(fields: readonly RunField[], { values, json }: RunValues): RunRequest {
  const given = fields.flatMap((field) => {
    const value = values[field.source] ?? ''
    return value === '' ? [] : [{ ...field, value }]
  })
  const named = (wanted: FieldPlace): Readonly<Record<string, string>> =>
    Object.fromEntries(
      given
        .filter(({ place }) => place === wanted)
        .map(({ path: [name = ''], value }) => [name, value]),
    )
  const inData = given.filter(({ place }) => place === 'data')
  const base: unknown = json.trim() === '' ? undefined : JSON.parse(json)
  const data = inData.reduce((sum: unknown, { path, value }) => withMember(sum, path, value), base)
  return { data, headers: named('header'), query: named('query') }
}

/** A copy of an object with a member at a path. A name such as `__proto__` is a name like others. */
function withMember(given: unknown, [name, ...rest]: readonly string[], value: string): unknown {
  if (name === undefined) return value
  const members = isObject(given) ? Object.entries(given) : []
  const before = members.find(([known]) => known === name)?.[1]
  return Object.fromEntries([
    ...members.filter(([known]) => known !== name),
    [name, withMember(before, rest, value)],
  ])
}
