import { GatehouseError } from '../../errors.ts'

/** The error for a matcher that cannot be read; the message is what the API answers. */
export function invalidMatcher(message: string, cause?: unknown): GatehouseError {
  return new GatehouseError('BadRequest', 'InvalidMatcher', message, { cause })
}
