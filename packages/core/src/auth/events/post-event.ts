import type { HttpConfig } from '../../http-client/http-config.ts'
import type { SendRequest } from '../../http-client/send-request.ts'
import type { Clock } from '../../time/clock.ts'
import type { HookAnswer } from '../flow/hooks/host-hook.ts'
import type { AuthEvent } from './auth-event.ts'
import { signatureHeaders } from './event-signature.ts'
import type { Hook } from './hook.ts'
import { hookDeliveryUnknownFailure, hookInvalidResponse } from './hook-errors.ts'
import { readWireAnswer, wireEvent } from './wire-event.ts'

/**
 * Sends a signed event to a URL of the configuration. Returns the body of the answer.
 *
 * @throws {Error} for every status except success, redirections included; the message names no URL.
 * @see Authgear, webhooks
 */
export type PostEvent = (url: string, event: AuthEvent, signal: AbortSignal) => Promise<string>

/** Redirections are not followed: the configuration names the receiver. */
const connection: HttpConfig = {
  follow_redirects: false,
  enable_http2: true,
  http_headers: new Map(),
  no_proxy: '',
  proxy_from_environment: true,
  proxy_connect_header: new Map(),
}

/** Creates a {@link PostEvent} that signs with a secret. */
export function createPostEvent(send: SendRequest, clock: Clock, secret: string): PostEvent {
  return async (url, event, signal) => {
    const body = wireEvent(event)
    const headers = {
      'content-type': 'application/json',
      ...signatureHeaders(body, secret, clock.now()),
    }
    const { status, body: answer } = await send(
      { method: 'POST', url, headers, body },
      connection,
      signal,
    )
    if (status >= 200 && status < 300) return answer
    throw new Error(`the answer has the status ${status}`)
  }
}

/** The hook that asks a URL of the configuration. Answers may have at most 64 KiB. */
export const hookAt =
  (post: PostEvent, url: string): Hook =>
  async (event, { signal }) => {
    const text = await post(url, event, signal).catch((error: unknown) => {
      throw hookDeliveryUnknownFailure(error)
    })
    const answer = readWireAnswer(text)
    if (answer === undefined) throw hookInvalidResponse(new Error('the answer is not JSON'))
    // The caller validates it.
    return answer as unknown as HookAnswer
  }
