import { isGatehouseError } from '../../errors.ts'
import type { WebhooksContext } from '../context.ts'
import { codeOf } from '../errors.ts'
import type { RejectedRequest } from '../events.ts'

const reported = new WeakSet<object>()

/**
 * Counts a refusal and emits `request.rejected`. Each error is reported only once; {@link deliverWebhook} has already reported
 * what it throws.
 */
export function reportRejection(
  { counters, events }: Pick<WebhooksContext, 'counters' | 'events'>,
  error: unknown,
  request: Omit<RejectedRequest, 'code'>,
): void {
  if (typeof error === 'object' && error !== null) {
    if (reported.has(error)) return
    reported.add(error)
  }
  const code = isGatehouseError(error) ? (codeOf(error) ?? error.reason) : 'internal_error'
  reportDenial({ counters, events }, { code }, request)
}

/** Counts a denied sender and emits `request.rejected`. */
export function reportDenial(
  { counters, events }: Pick<WebhooksContext, 'counters' | 'events'>,
  { code }: { readonly code: string },
  request: Omit<RejectedRequest, 'code'>,
): void {
  counters.requestRejected(code)
  events.emit('request.rejected', () => ({ ...request, code }))
}
