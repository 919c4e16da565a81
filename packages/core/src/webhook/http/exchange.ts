import type { Exchange as BareExchange } from '../../http/frame.ts'
import { allHeaders, headerText } from '../delivery/request-headers.ts'
import type { Delivery } from '../request/delivery.ts'
import type { Run } from '../run.ts'
import type { TokenPlace } from '../webhook.ts'

/** Why a request was refused. It never has a value of the request. */
export interface RefusalFacts {
  readonly code: string
  /** The place of a value that was missing or refused. */
  readonly source?: unknown
  /** The index of its argument. */
  readonly argument?: unknown
  /** The name of its variable. */
  readonly variable?: unknown
}

/** A request that is being answered. */
export interface Exchange extends BareExchange {
  /** When it arrived, in ms since 1970. */
  readonly startedAt: number
  readonly requestId: string
  /** The client address, as far as proxies are trusted. */
  readonly clientAddress: string | undefined
  /** The webhook of the request and what happened to it, for the log. */
  readonly about: {
    webhook?: string
    run?: Run
    state?: 'skipped' | 'answered'
    refusal?: RefusalFacts
  }
}

/** The parts of a delivery that depend on its webhook and its body. */
export interface DeliveryParts
  extends Pick<Delivery, 'id' | 'token' | 'trust' | 'body' | 'files' | 'search'> {
  /** Where the token stands. */
  readonly place: TokenPlace | undefined
}

/** Converts a request into a delivery. */
export function toDelivery(
  { request, info, requestId, clientAddress }: Exchange,
  { id, token, trust, body, files, search, place }: DeliveryParts,
  { rawBody, hold }: Pick<Delivery, 'rawBody' | 'hold'>,
): Delivery {
  // Without a spread, which costs 2 µs here: a flood of what is refused comes this far.
  return {
    id,
    token,
    body,
    files,
    rawBody,
    isBodyRebuilt: request.isBodyRebuilt === true,
    method: request.method,
    header: (name) => headerText(request.headers, name),
    query: (name) => new URLSearchParams(search).get(name) ?? undefined,
    headers: () => allHeaders(request.headers, place),
    search,
    clientAddress,
    clientPort: info.peer?.port,
    requestId,
    trust,
    subject: trust === 'authorized' ? subjectOf(info) : undefined,
    hold,
  }
}

/** Only the name: roles may change, and are not needed to say who it was. */
function subjectOf({ subject }: Exchange['info']): Delivery['subject'] {
  if (subject === undefined) return undefined
  const { id, kind } = subject
  return { type: 'subject', id, ...(kind !== undefined && { kind }) }
}
