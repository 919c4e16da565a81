import type { RequestInfo, RouteRequest } from '../http/route.ts'
import type { Delivery } from './delivery.ts'
import type { JsonText } from './json-text.ts'
import { headerText } from './request-headers.ts'
import type { Run } from './run.ts'

/** A request on its way to its answer. */
export interface Exchange {
  readonly request: RouteRequest
  readonly info: RequestInfo
  readonly requestId: string
  /** Who sent it, as far as proxies are trusted. */
  readonly clientAddress: string | undefined
  /** What it turned out to be about, for the log. */
  readonly about: { webhook?: string; run?: Run }
}

/** What a delivery has beside the request it came by. */
export type DeliveryParts = Pick<Delivery, 'id' | 'token' | 'trust' | 'release'> & {
  readonly body: JsonText
  readonly rawBody: Uint8Array
}

/** A request as the delivery it is. */
export function toDelivery(exchange: Exchange, parts: DeliveryParts): Delivery {
  const { request, info, requestId, clientAddress } = exchange
  return {
    method: request.method,
    header: (name) => headerText(request.headers, name),
    query: (name) => new URLSearchParams(info.query).get(name) ?? undefined,
    clientAddress,
    requestId,
    ...parts,
  }
}
