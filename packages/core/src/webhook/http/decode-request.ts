import * as z from 'zod/mini'
import type * as core from 'zod/v4/core'
import { aboutSchemas } from '../../document/schema.ts'
import type { RouteRequest } from '../../http/route.ts'
import { decodeForm } from '../body/form.ts'
import { leadingText } from '../body/json-places.ts'
import { type JsonText, parseJsonText } from '../body/json-text.ts'
import { decodeMultipart } from '../body/multipart.ts'
import { decodeXml } from '../body/xml.ts'
import { type FieldProblem, invalidRequest, webhookError } from '../errors.ts'
import type { Delivery } from '../request/delivery.ts'
import type { BodyFormat, Webhook } from '../webhook.ts'

const jsonType = /^application\/(?:json|[\w!#$&^.+-]+\+json)$/

/** The types of bodies that are accepted under each name, and how messages call them. */
const bodyTypes: Readonly<Record<BodyFormat, readonly [types: RegExp, name: string]>> = {
  json: [jsonType, 'application/json'],
  form: [/^application\/x-www-form-urlencoded$/, 'application/x-www-form-urlencoded'],
  text: [/^text\/plain$/, 'text/plain'],
  multipart: [/^multipart\/form-data$/, 'multipart/form-data'],
  xml: [/^(?:(?:application|text)\/xml|[\w!#$&^.+-]+\/[\w!#$&^.+-]+\+xml)$/, 'application/xml'],
  any: [/(?:)/, 'of any type'],
}

const missingOr =
  (problem: string) =>
  ({ input }: { readonly input: unknown }): string =>
    input === undefined ? 'is missing' : problem

const text = z.string({ error: missingOr('must be a string') })
const filledText = text.check(z.minLength(1, { error: 'must not be empty' }))
// Checked, but neither traversed nor copied, because data may be large.
const data = z.custom((value) => typeof value === 'object' && !Array.isArray(value), {
  error: 'must be an object or null',
})
aboutSchemas.add(data, { json: { type: ['object', 'null'] } })
const notAnObject = { error: 'must be an object' }

const deliverySchema = z.object(
  { id: filledText, token: z.optional(filledText), data: z.optional(data) },
  notAnObject,
)
const hashSchema = z.object({ message: text }, notAnObject)

/** The schemas of the bodies, for the description of the interface. */
export const requestBodies: { readonly delivery: core.$ZodType; readonly hash: core.$ZodType } = {
  delivery: deliverySchema,
  hash: hashSchema,
}

/** One problem for each field: a value that is not text is not reported as empty, too. */
function problemsOf(error: z.core.$ZodError): FieldProblem[] {
  const problems = new Map<string, FieldProblem>()
  for (const { path, message } of error.issues) {
    const name = path.join('.')
    if (!problems.has(name)) problems.set(name, { path: name, problem: message })
  }
  return [...problems.values()]
}

/** A media type without its parameters, in lower case. */
function mediaType(header: string): string {
  const semicolon = header.indexOf(';')
  return (semicolon < 0 ? header : header.slice(0, semicolon)).trim().toLowerCase()
}

/**
 * The format of a request body, by its headers; without a type it is JSON, if that is accepted. `any` is for types that no other
 * accepted format has.
 *
 * @throws {GatehouseError} `unsupported_media_type`.
 */
export function bodyFormat(
  headers: RouteRequest['headers'],
  accepted: readonly BodyFormat[],
): BodyFormat {
  const type = mediaType(headers.get('content-type') ?? '')
  if (type === '' && accepted.includes('json')) return 'json'
  const format = accepted.find((one) => one !== 'any' && bodyTypes[one][0].test(type))
  if (format !== undefined) return format
  if (accepted.includes('any')) return 'any'
  const types = accepted.map((one) => bodyTypes[one][1])
  throw webhookError('unsupported_media_type', `the body must be ${types.join(' or ')}`)
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    throw webhookError('invalid_json', 'the body is not UTF-8')
  }
}

/**
 * Parses a JSON body, which may begin with a byte-order mark.
 *
 * @throws {GatehouseError} `invalid_json`.
 */
export function decodeJsonBody(bytes: Uint8Array, maxDepth: number): JsonText {
  return parseJsonText(decodeUtf8(bytes), maxDepth)
}

/** A delivery without `data`. */
const noData: JsonText = { text: '{}', value: {} }

/** A body that is only data, in its format. */
export interface EncodedData {
  readonly bytes: Uint8Array
  readonly format: BodyFormat
  /** The header, whose parameters some formats need. */
  readonly contentType: string
}

/** The root of sources, and the files that a form brought along. */
export type DecodedBody = Pick<Delivery, 'body' | 'files'>

/** Bodies of most formats have none. */
export const noFiles: Delivery['files'] = new Map()

const wrapped = ({ text, value }: JsonText, files = noFiles): DecodedBody => ({
  body: { text: `{"data":${text}}`, value: { data: value } },
  files,
})

/**
 * Wraps a body that is only data, so that sources of a webhook work as for a body with `data`. An empty body is a delivery
 * without data, and so is one of any type.
 *
 * @throws {GatehouseError} `invalid_json`; `invalid_request` for an invalid form or XML; `body_too_large` if it has too many parts.
 */
export function decodeDataBody(
  { bytes, format, contentType }: EncodedData,
  { form: rules }: Pick<Webhook, 'form'>,
  maxDepth: number,
): DecodedBody | Promise<DecodedBody> {
  if (bytes.length === 0 || format === 'any') return { body: noData, files: noFiles }
  if (format === 'multipart') {
    const decoded = decodeMultipart(bytes, contentType, { rules, maxDepth })
    return decoded.then(({ data, files }) => wrapped(data, files))
  }
  if (format === 'xml') return decodeXml(decodeUtf8(bytes), maxDepth).then((data) => wrapped(data))
  return wrapped(
    format === 'form'
      ? decodeForm(decodeUtf8(bytes), maxDepth, rules)
      : decodeJsonBody(bytes, maxDepth),
  )
}

/**
 * The webhook and the token in a body.
 *
 * @param mayLackToken whether requests for the webhook with this id may lack a token.
 * @throws {GatehouseError} `invalid_request`, with every problem in `info.fields`.
 */
export function decodeDelivery(
  { value }: JsonText,
  mayLackToken: (id: string) => boolean,
): { readonly id: string; readonly token: string | undefined } {
  const decoded = deliverySchema.safeParse(value)
  const problems = decoded.success ? [] : problemsOf(decoded.error)
  const { id, token } = Object(value) as { readonly id: unknown; readonly token: unknown }
  const isObject = !problems.some(({ path }) => path === '')
  if (isObject && token === undefined && !(typeof id === 'string' && mayLackToken(id))) {
    problems.push({ path: 'token', problem: 'is missing' })
  }
  if (!decoded.success || problems.length > 0) throw invalidRequest(problems)
  return { id: decoded.data.id, token: decoded.data.token }
}

/** The webhook and the token at the beginning of a JSON body that may break off; `undefined` if one is missing. */
export function leadingProof(start: Uint8Array): { id: string; token: string } | undefined {
  const text = new TextDecoder().decode(start)
  const id = leadingText(text, 'id')
  const token = leadingText(text, 'token')
  return id && token ? { id, token } : undefined
}

/**
 * The text to hash.
 *
 * @throws {GatehouseError} `invalid_request`.
 */
export function decodeHashRequest({ value }: JsonText): { readonly message: string } {
  const decoded = hashSchema.safeParse(value)
  if (!decoded.success) throw invalidRequest(problemsOf(decoded.error))
  return decoded.data
}
