import { parseUrl } from '../../http/parse-url.ts'
import {
  type Decode,
  decodeInput,
  exactly,
  filledText,
  flag,
  functionLike,
  numberFrom,
  objectOf,
  optional,
  rawText,
} from '../../input/decode.ts'
import { clockPort } from '../../input/ports.ts'
import { refuse } from '../../input/refusal.ts'
import { type Clock, systemClock } from '../../time/clock.ts'
import type { HookAnswer } from '../flow/hooks/host-hook.ts'
import type { AuthEvent } from './auth-event.ts'
import { signatureHeaders } from './event-signature.ts'
import type { Hook } from './hook.ts'
import {
  hookDeliveryTimeout,
  hookDeliveryUnknownFailure,
  hookInvalidResponse,
} from './hook-errors.ts'
import {
  type PostFetch,
  PostTimeoutError,
  PostTooLargeError,
  platformFetch,
  sendPost,
} from './outgoing-post.ts'
import { readWireAnswer, wireEvent } from './wire-event.ts'

/** Options of {@link createEventWebhook} and {@link createHookWebhook}. */
export interface EventWebhookOptions {
  /** The HTTPS URL that receives the events. */
  url: string
  /** The secret that signs each webhook. @see `verifyEventSignature` */
  secret: string
  /** The timeout for an answer, in milliseconds (default 10,000). */
  timeoutMs?: number
  /** Whether `url` may be plain HTTP, for example on the same machine (default false). */
  allowHttp?: boolean
  /** Default: the `fetch` of the platform. */
  fetch?: PostFetch
  clock?: Clock
}

/** The answer to an event is ignored. */
const eventAnswerBytes = 64 * 1_024
const hookAnswerBytes = 1_024 * 1_024

type Send = (event: AuthEvent, maxBytes: number, signal?: AbortSignal) => Promise<string>

/**
 * Sends events to another program; for the option `onEvent` of `createAuth()`. Rejects unless the program answers with a status
 * of success; the event is then sent again.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is invalid.
 * @see Authgear, non-blocking webhooks
 */
export function createEventWebhook(
  options: EventWebhookOptions,
): (event: AuthEvent) => Promise<void> {
  const send = createSend(options)
  return async (event) => {
    await send(event, eventAnswerBytes)
  }
}

/**
 * Asks another program; for the option `hook` of `createAuth()`.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is invalid.
 * @see Authgear, blocking webhooks
 */
export function createHookWebhook(options: EventWebhookOptions): Hook {
  const send = createSend(options)
  return async (event, { signal }) => {
    const text = await send(event, hookAnswerBytes, signal).catch((error: unknown) => {
      if (error instanceof PostTimeoutError) throw hookDeliveryTimeout()
      if (error instanceof PostTooLargeError) throw hookInvalidResponse(error)
      throw hookDeliveryUnknownFailure(error)
    })
    const answer = readWireAnswer(text)
    if (answer === undefined) throw hookInvalidResponse(new Error('the answer is not JSON'))
    // The caller of the hook validates the answer.
    return answer as unknown as HookAnswer
  }
}

function createSend(options: EventWebhookOptions): Send {
  const decoded = decodeInput('options', decodeOptions, options)
  const { url, secret, timeoutMs = 10_000, fetch = platformFetch, clock = systemClock } = decoded
  return (event, maxBytes, signal) => {
    const body = wireEvent(event)
    const headers = {
      'content-type': 'application/json',
      ...signatureHeaders(body, secret, clock.now()),
    }
    const aborted = signal === undefined ? {} : { signal }
    return sendPost(fetch, clock, { url, headers, body, timeoutMs, maxBytes, ...aborted })
  }
}

const decodeOptions: Decode<EventWebhookOptions> = (value) => {
  const { allowHttp = false } = objectOf<Pick<EventWebhookOptions, 'allowHttp'>>({
    allowHttp: optional(flag),
  })(value)
  return exactly<EventWebhookOptions>({
    url: (url) => safeUrl(rawText(url), allowHttp),
    secret: filledText,
    timeoutMs: optional(numberFrom(1)),
    allowHttp: optional(flag),
    fetch: optional(functionLike('a function like fetch')),
    clock: optional(clockPort),
  })(value)
}

/** Errors do not quote the URL, because it may contain a secret. */
function safeUrl(url: string, allowHttp: boolean): string {
  const parsed = parseUrl(url)
  const isSafe = parsed?.protocol === 'https:' || (allowHttp && parsed?.protocol === 'http:')
  if (!isSafe) return refuse('an https URL', url)
  if (parsed.username === '' && parsed.password === '') return url
  return refuse('a URL without a user name and password', url)
}
