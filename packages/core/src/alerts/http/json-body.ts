import { goJson } from '@gatehouse/go-template/json'
import { goQuote } from '@gatehouse/go-template/text'
import type { Answer } from '../../http/answer.ts'
import { etagOf, hasTag } from '../../http/etag.ts'
import { parseMediaType } from '../../http/media-type.ts'
import { decodeUtf8, readBody } from '../../http/read-body.ts'
import type { RouteRequest } from '../../http/route.ts'
import type { AlertsContext } from '../context.ts'
import { frameworkFailure, handlerFailure } from './frame/error-response.ts'

const json = 'application/json'

/** A response with JSON, including its newline. */
export function jsonAnswer(body: string | Uint8Array<ArrayBuffer>): Answer {
  const byteLength = Buffer.byteLength(body)
  const headers = { 'content-type': json, 'content-length': `${byteLength}` }
  return { status: 200, headers, body, byteLength }
}

/** A value as a response. */
export const jsonLine = (value: unknown): Answer => jsonAnswer(`${goJson(value)}\n`)

/** The body with its tag, or 304 if the client has it. Clients may keep it, but must ask each time. */
export function taggedAnswer({ headers }: RouteRequest, bytes: Uint8Array<ArrayBuffer>): Answer {
  const etag = etagOf(bytes)
  const own = { etag, 'cache-control': 'private, no-cache' }
  if (hasTag(headers.get('if-none-match'), etag)) {
    return { status: 304, headers: own, body: null, byteLength: 0 }
  }
  const answer = jsonAnswer(bytes)
  return { ...answer, headers: { ...answer.headers, ...own } }
}

/** The response to a body of the wrong type. */
function contentTypeFailure(request: RouteRequest): Answer | undefined {
  const header = request.headers.get('content-type') || 'application/octet-stream'
  const parsed = parseMediaType(header)
  if ('failure' in parsed) {
    const message = `parsing Content-Type header from ${goQuote(header)} failed, because ${parsed.failure}`
    return handlerFailure(400, message)
  }
  if (parsed.type === json) return undefined
  const message = `unsupported media type ${goQuote(parsed.type)}, only [application/json] are allowed`
  return frameworkFailure(415, message)
}

/** Reads a JSON body and continues with its text, `undefined` if there is none. */
export async function withBody(
  alerts: AlertsContext,
  request: RouteRequest,
  proceed: (text: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  const isMeasured = request.headers.has('content-length')
  const hasLength = isMeasured && request.headers.get('content-length') !== '0'
  const early = hasLength ? contentTypeFailure(request) : undefined
  if (early !== undefined) return early
  const bytes = await readBody(request, alerts.options.maxBodyBytes)
  const late = bytes === undefined || hasLength ? undefined : contentTypeFailure(request)
  return late ?? proceed(bytes && decodeUtf8(bytes))
}
