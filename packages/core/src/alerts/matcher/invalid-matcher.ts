import { GatehouseError } from '../../errors.ts'

/** The error for an invalid matcher; the message is the API's response. */
export function invalidMatcher(message: string, cause?: unknown): GatehouseError {
  return new GatehouseError('BadRequest', 'InvalidMatcher', message, { cause })
}
