import type { RouteRequest } from '../../http/route.ts'
import { decodeForm } from '../body/form.ts'
import { type JsonText, parseJsonText } from '../body/json-text.ts'
import { decodeMultipart } from '../body/multipart.ts'
import { decodeXml } from '../body/xml.ts'
import { webhookError } from '../errors.ts'
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
