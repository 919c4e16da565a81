import type { Ids } from '../../crypto/ids.ts'
import type { RouteRequest } from '../../http/route.ts'
import { checkAddress } from '../access/authorize-delivery.ts'
import { denialError } from '../access/denial.ts'
import { findWebhook } from '../access/find-webhook.ts'
import { bodyEncoding, inflateBody } from '../body/inflate-body.ts'
import { invalidRequest, webhookError } from '../errors.ts'
import type { Delivery } from '../request/delivery.ts'
import type { LoadedWebhooksConfig, Webhook } from '../webhook.ts'
import { bodyFormat, type DecodedBody, decodeDataBody, noFiles } from './data-body.ts'
import { allHeaders, headerText, sentToken } from './request-headers.ts'

/** A request that a program received itself. */
export interface ReceivedRequest {
  readonly id: string
  readonly body: Uint8Array
  readonly method: string
  /** Without its `?`, not decoded. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly address: string | undefined
}

/** The configuration and ports of {@link deliveryOfRequest}. */
export interface RequestPorts {
  readonly config: LoadedWebhooksConfig
  readonly ids: Ids
}

const nothing: DecodedBody = { body: { text: '{}', value: {} }, files: noFiles }

/** The part of standard headers that is read, without their limits for values. */
function headersOf(given: ReceivedRequest['headers']): RouteRequest['headers'] {
  const values = new Map(
    Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const),
  )
  return {
    get: (name) => values.get(name.toLowerCase()) ?? null,
    has: (name) => values.has(name.toLowerCase()),
    [Symbol.iterator]: () => values.entries(),
  }
}

/**
 * Converts a request into a delivery, as a request by path is: its body, or its query, is the data. The sender is checked when it
 * is delivered.
 *
 * @throws {GatehouseError} `method_not_allowed`, `address_not_allowed`, `unsupported_media_type`, `body_too_large`, `invalid_json`,
 * `invalid_request`.
 */
export async function deliveryOfRequest(
  request: ReceivedRequest,
  { config, ids }: RequestPorts,
): Promise<Delivery> {
  const { id, method, query, address } = request
  const headers = headersOf(request.headers)
  const webhook = findWebhook(config, id)
  const sent = sentToken({ headers }, query, webhook?.token_in)
  const decoded =
    webhook === undefined
      ? { rawBody: request.body, ...nothing }
      : await decodeFor(webhook, { ...request, query: sent.query }, headers, config)
  return {
    id,
    token: sent.token,
    ...decoded,
    isBodyRebuilt: false,
    method,
    header: (name) => headerText(headers, name),
    query: (name) => new URLSearchParams(sent.query).get(name) ?? undefined,
    headers: () => allHeaders(headers, webhook?.token_in),
    search: sent.query,
    clientAddress: address,
    clientPort: undefined,
    requestId: ids.random(),
    trust: 'unchecked',
    hold: { release() {} },
  }
}

async function decodeFor(
  webhook: Webhook,
  { body, method, query, address }: ReceivedRequest,
  headers: RouteRequest['headers'],
  { limits }: LoadedWebhooksConfig,
): Promise<DecodedBody & Pick<Delivery, 'rawBody'>> {
  if (!webhook.methods.some((one) => one === method)) {
    const allow = webhook.methods.join(', ')
    throw webhookError('method_not_allowed', `${method} is not allowed, use ${allow}`, { allow })
  }
  const denial = checkAddress(webhook, { clientAddress: address })
  if (denial !== undefined) throw denialError(denial)
  if (method === 'GET' || method === 'HEAD') {
    const bytes = new TextEncoder().encode(query)
    const form = { bytes, format: 'form', contentType: '' } as const
    const decoded = await decodeDataBody(form, webhook, limits.json_depth)
    return { rawBody: new Uint8Array(), ...decoded }
  }
  const most = webhook.max_body_bytes ?? limits.max_body_bytes
  const check = (length: number): void => {
    if (length > most) {
      throw webhookError('body_too_large', `the body is larger than ${most} bytes`)
    }
  }
  check(body.length)
  const format = body.length === 0 ? 'json' : bodyFormat(headers, webhook.accept)
  const encoding = bodyEncoding(headers.get('content-encoding'))
  const isPlain = encoding === undefined || body.length === 0
  const bytes = isPlain ? body : await inflateBody(body, encoding, check)
  const contentType = headers.get('content-type') ?? ''
  const decoded = await decodeDataBody({ bytes, format, contentType }, webhook, limits.json_depth)
  return { rawBody: bytes, ...decoded }
}

/** @throws {GatehouseError} `invalid_request` */
export function idOf(id: unknown): string {
  if (typeof id === 'string' && id !== '') return id
  const problem = id === undefined ? 'is missing' : 'must be a non-empty string'
  throw invalidRequest([{ path: 'id', problem }])
}
