import { GatehouseError } from '../../errors.ts'
import { authError } from '../errors.ts'

/** The hook refused. */
export const hookDisallowed = (
  eventType: string,
  { title = '', reason = '' }: { readonly title?: string; readonly reason?: string },
): GatehouseError =>
  authError('Forbidden', 'HookDisallowed', 'disallowed by hook event handler', {
    event_type: eventType,
    reasons: [{ title, reason }],
  })

/** The hook gave an invalid answer; the details are for the log. */
export const hookInvalidResponse = (cause?: unknown): GatehouseError =>
  failed('HookInvalidResponse', 'a hook answered what it must not', cause)

/** The hook did not answer in time, or the request had no time left for it. */
export const hookDeliveryTimeout = (): GatehouseError =>
  failed('HookDeliveryTimeout', 'a hook took too long')

/** The hook failed, or could not be reached. */
export const hookDeliveryUnknownFailure = (cause?: unknown): GatehouseError =>
  failed('HookDeliveryUnknownFailure', 'a hook failed', cause)

const failed = (reason: string, message: string, cause?: unknown): GatehouseError =>
  new GatehouseError('InternalError', reason, message, cause === undefined ? {} : { cause })
