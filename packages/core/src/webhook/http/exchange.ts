import type { RequestInfo, RouteRequest } from '../../http/route.ts'
import type { Delivery } from '../request/delivery.ts'
import type { Run } from '../run.ts'
import { headerText } from './request-headers.ts'

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

/** What is said of a delivery once its body is read. */
export type DeliveryParts = Pick<Delivery, 'id' | 'token' | 'trust' | 'body'>

/** A request as the delivery it is. */
export function toDelivery(
  { request, info, requestId, clientAddress }: Exchange,
  { id, token, trust, body }: DeliveryParts,
  { rawBody, hold }: Pick<Delivery, 'rawBody' | 'hold'>,
): Delivery {
  return {
    id,
    token,
    body,
    rawBody,
    isBodyRebuilt: request.isBodyRebuilt === true,
    method: request.method,
    header: (name) => headerText(request.headers, name),
    query: (name) => new URLSearchParams(info.query).get(name) ?? undefined,
    clientAddress,
    requestId,
    trust,
    hold,
  }
}
