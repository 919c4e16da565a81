import { isGatehouseError } from '../../errors.ts'
import { decodeUtf8, readBody } from '../../http/read-body.ts'
import type { RouteRequest } from '../../http/route.ts'
import type { Json } from '../../storage/storage.ts'
import { authError, validationFailed } from '../errors.ts'

/** `application/json`, optionally with its only charset. */
const jsonType = /^\s*application\/json\s*(?:;\s*(?:charset=(?:utf-8|"utf-8")\s*)?)?$/i

/** Whether a request declares its body as JSON. */
export const saysJson = ({ headers }: RouteRequest): boolean =>
  jsonType.test(headers.get('content-type') ?? '')

/** The limit on nesting, far above the inputs of any step. */
const deepest = 100

/** Text that may hold a number out of range. */
const largeNumber = /[eE]\+?\d{3}|\d{309}/

/**
 * Reads the JSON body of a request.
 *
 * @throws {GatehouseError} `BadRequest` if its type is not JSON; `JSONTooLarge`; `UnexpectedError` if it is malformed;
 * `ValidationFailed` if it is nested too deeply or holds a number out of range.
 */
export async function readJsonBody(request: RouteRequest, maxBytes: number): Promise<Json> {
  if (!saysJson(request)) throw contentTypeInvalid()
  const text = await readText(request, maxBytes)
  if (isNestedTooDeeply(text)) throw unfit('the document is nested too deeply')
  const value = parse(text)
  if (largeNumber.test(text) && !isInRange(value)) throw unfit('a number is too large')
  return value
}

/** Far more than any change of an account needs. */
const maxOwnBytes = 1_048_576

/**
 * Reads the JSON body of a request to an interface of our own, which need not answer malformed JSON as Authgear does.
 *
 * @throws {GatehouseError} `BadRequest` if the body is not JSON, `JSONTooLarge`, `ValidationFailed`
 */
export async function readJson(
  { maxBodyBytes }: { readonly maxBodyBytes: number },
  request: RouteRequest,
  maxBytes: number = maxOwnBytes,
): Promise<Json> {
  try {
    return await readJsonBody(request, Math.min(maxBodyBytes, maxBytes))
  } catch (error) {
    const isMalformed = isGatehouseError(error) && error.reason === 'UnexpectedError'
    if (!isMalformed) throw error
    throw authError('BadRequest', 'BadRequest', 'the request body is not valid JSON')
  }
}

/** Browsers send such a body for pages of any origin without a preflight. */
export const contentTypeInvalid = (): Error =>
  authError('BadRequest', 'BadRequest', 'request content type is invalid')

async function readText(request: RouteRequest, maxBytes: number): Promise<string> {
  try {
    return decodeUtf8((await readBody(request, maxBytes)) ?? new Uint8Array())
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    if (error.reason !== 'BodyTooLarge') throw malformed()
    throw authError('TooLarge', 'JSONTooLarge', 'the request body is too large', {
      limit: maxBytes,
    })
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw malformed()
  }
}

/** The protocol's answer to invalid JSON, although nothing failed here. */
const malformed = (): Error =>
  authError('InternalError', 'UnexpectedError', 'unexpected error occurred')

const unfit = (msg: string): Error =>
  validationFailed([{ location: '', kind: 'general', details: { msg } }], 'invalid request body')

/** Checks the text, because functions that walk through the value may be recursive. */
function isNestedTooDeeply(text: string): boolean {
  let depth = 0
  let isInText = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isInText) {
      if (character === '\\') at++
      else if (character === '"') isInText = false
    } else if (character === '"') isInText = true
    else if (character === '[' || character === '{') {
      depth++
      if (depth > deepest) return true
    } else if (character === ']' || character === '}') depth--
  }
  return false
}

function isInRange(value: Json): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every((one) => isInRange(one as Json))
}
