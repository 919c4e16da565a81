import { GatehouseError } from '../../errors.ts'

/**
 * A request of a notifier that could not be sent, or found no answer. The reason is one of `MissingPackage`,
 * `NotAnswered`, `NotConnected`, `OAuth2Failed`, `UnreadableFile`, `UnusableHeader`, `UnusableProxy`, `UnusableTls`. The message holds neither a secret nor a
 * URL; there is no cause, because that might.
 */
export const clientError = (reason: string, message: string): GatehouseError =>
  new GatehouseError('ServiceUnavailable', reason, message)
