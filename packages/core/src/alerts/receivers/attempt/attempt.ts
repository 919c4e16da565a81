import { isGatehouseError } from '../../../errors.ts'
import type { HttpConfig } from '../../../http-client/http-config.ts'
import type { OutgoingAnswer, OutgoingRequest } from '../../../http-client/send-request.ts'
import type { Instant } from '../../../time/clock.ts'
import type { FailureReason, NotifierPorts, NotifyResult } from '../notifier.ts'
import { abortReason } from './abort-reason.ts'
import { withinAttempt } from './within-attempt.ts'

/** Options of {@link attempt}. */
export interface AttemptOptions {
  http: HttpConfig
  signal: AbortSignal
  /** How long it may take (default 0: it has no limit but `signal`). */
  timeoutMs?: number
  /** Statuses worth another attempt, besides all from 500 on (default none). */
  retryOn?: readonly number[]
  /** Details of a failure, from the response (default its body, truncated). */
  detailsOf?: (answer: OutgoingAnswer) => string
  /** The result of a response with a 2xx status (default sent). */
  accept?: (answer: OutgoingAnswer) => NotifyResult
}

/** A POST request with a JSON body. */
export const jsonPost = (url: string, body: string): OutgoingRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body,
})

/** Sends one request and converts the response to a result. A request without a response is retried. */
export function attempt(
  ports: NotifierPorts,
  request: OutgoingRequest,
  options: AttemptOptions,
): Promise<NotifyResult> {
  const { signal, timeoutMs = 0 } = options
  return withinAttempt({ clock: ports.clock, signal, timeoutMs }, (limited) =>
    sendOnce(ports, request, { ...options, signal: limited }),
  )
}

async function sendOnce(
  { send, clock }: NotifierPorts,
  request: OutgoingRequest,
  options: AttemptOptions,
): Promise<NotifyResult> {
  const { http, signal, accept = () => ({ outcome: 'sent' }) } = options
  let answer: OutgoingAnswer
  try {
    answer = await send(request, http, signal)
  } catch (error) {
    return notAnswered(error, signal)
  }
  if (answer.status >= 200 && answer.status < 300) return accept(answer)
  return refused(answer, options, clock.now())
}

/** The result of a request without a response. */
function notAnswered(error: unknown, signal: AbortSignal): NotifyResult {
  const detail = error instanceof Error ? error.message : String(error)
  const reason = signal.aborted ? abortReason(signal) : 'other'
  // For any other reason, the client did not send the request.
  const isUnsent = isGatehouseError(error) && error.reason !== 'NotAnswered'
  return { outcome: 'retry', reason, detail, ...(isUnsent ? {} : { mayHaveArrived: true }) }
}

/** Statuses of gateways that do not know whether the server handled the request. @see RFC 9110, section 15.6 */
const gatewayErrors: readonly number[] = [502, 504]

function refused(answer: OutgoingAnswer, options: AttemptOptions, now: Instant): NotifyResult {
  const { status } = answer
  const { retryOn = [], detailsOf = ({ body }) => body.slice(0, 1_024).trim() } = options
  const details = detailsOf(answer)
  const detail = `unexpected status code ${status}${details === '' ? '' : `: ${details}`}`
  const retryAfterMs = retryAfter(answer.headers, now)
  return {
    outcome: status >= 500 || retryOn.includes(status) ? 'retry' : 'failed',
    reason: reasonOf(status),
    detail,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(gatewayErrors.includes(status) ? { mayHaveArrived: true } : {}),
  }
}

/** `Retry-After` in ms, from seconds or a date. @see RFC 9110, section 10.2.3 */
function retryAfter(headers: Headers, now: Instant): number | undefined {
  const written = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,6}(?:\.\d{1,6})?$/.test(written)) return Math.ceil(Number(written) * 1_000)
  if (!/^[A-Z][a-z]{2}, .{1,30} GMT$/.test(written)) return undefined
  const leftMs = Date.parse(written) - now
  return leftMs > 0 ? leftMs : undefined
}

/** The kind of failure for a status. */
function reasonOf(status: number): FailureReason {
  if (status === 401 || status === 403) return 'authError'
  if (status === 429) return 'rateLimited'
  if (status >= 500) return 'serverError'
  return status >= 400 ? 'clientError' : 'other'
}
