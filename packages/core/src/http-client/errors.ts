import { GatehouseError } from '../errors.ts'

/**
 * A request of a notifier that could not be sent, or got no response. The reason is `MissingPackage`, `NotAnswered`,
 * `NotConnected`, `OAuth2Failed`, `UnreadableFile`, `UnusableHeader`, `UnusableProxy` or `UnusableTls`. The message contains
 * neither a secret nor a URL; there is no cause, because that might.
 */
export const clientError = (reason: string, message: string): GatehouseError =>
  new GatehouseError('ServiceUnavailable', reason, message)
