import { GatehouseError, withoutStack } from '../../errors.ts'
import { authError } from '../errors.ts'

// Any client can provoke these at will.

/** The request has no token. */
export const noToken = (): GatehouseError =>
  withoutStack(() => authError('Unauthorized', 'NotAuthenticated', 'send an access token'))

/** The token is not valid; `problem` is a constant text, which clients see. */
export const invalidAccessToken = (problem: string): GatehouseError =>
  withoutStack(() => authError('Unauthorized', 'InvalidToken', `the access token ${problem}`))

/** The proof of possession is not valid; `problem` is a constant text, which clients see. */
export const invalidProof = (problem: string): GatehouseError =>
  withoutStack(() => authError('Unauthorized', 'InvalidDpopProof', `the DPoP proof ${problem}`))

/** The token lacks scopes. */
export const insufficientScope = (missing: readonly string[]): GatehouseError =>
  withoutStack(() =>
    authError('Forbidden', 'InsufficientScope', 'the access token lacks a scope', { missing }),
  )

/** Whether the token is valid cannot be found out now. */
export const verifierUnavailable = (message: string, cause?: unknown): GatehouseError =>
  new GatehouseError('ServiceUnavailable', 'TokenVerifierUnavailable', message, {
    ...(cause === undefined ? {} : { cause }),
    info: { retryAfterSeconds: 5 },
  })
