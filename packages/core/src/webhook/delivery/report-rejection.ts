import { isGatehouseError } from '../../errors.ts'
import { findWebhook } from '../access/find-webhook.ts'
import type { WebhooksContext, WebhookWork } from '../context.ts'
import { answeredCodeOf, type WebhookErrorCode } from '../errors.ts'
import type { RejectedRequest } from '../events.ts'

type Ports = Pick<WebhooksContext, 'counters' | 'events' | 'clock' | 'config'> & {
  /** Where refused deliveries are noted; `undefined` for requests that are not deliveries. */
  readonly work: Pick<WebhookWork, 'refusals'> | undefined
}

const reported = new WeakSet<object>()

/**
 * Counts a refusal and emits `request.rejected`. Each error is reported only once; {@link deliverWebhook} has already reported
 * what it throws.
 */
export function reportRejection(
  ports: Ports,
  error: unknown,
  request: Omit<RejectedRequest, 'code'>,
): void {
  if (typeof error === 'object' && error !== null) {
    if (reported.has(error)) return
    reported.add(error)
  }
  const code = answeredCodeOf(error)
  const { source, argument, variable } = isGatehouseError(error) ? error.info : {}
  const about = [source, argument, variable].find((one) => typeof one === 'string' && one !== '')
  reportDenial(ports, typeof about === 'string' ? { code, about } : { code }, request)
}

/** Counts a denied sender and emits `request.rejected`. */
export function reportDenial(
  { counters, events, clock, config, work }: Ports,
  { code, about }: { readonly code: WebhookErrorCode; readonly about?: string },
  request: Omit<RejectedRequest, 'code'>,
): void {
  counters.requestRejected(code)
  const { webhook_id: id, request_id, client_ip } = request
  // Senders may name any number of webhooks that do not exist.
  if (work !== undefined && id !== undefined && findWebhook(config.current, id) !== undefined) {
    const refusal = { at: clock.now(), code, request_id, client_ip }
    work.refusals.note(id, about === undefined ? refusal : { ...refusal, about })
  }
  events.emit('request.rejected', () => ({ ...request, code }))
}
