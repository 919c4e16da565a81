import { GatehouseError, withoutStack } from '../../errors.ts'
import { authError } from '../errors.ts'
import type { TokenProblem } from './access-token.ts'

/** What clients see of a problem. */
export const problemTexts: Readonly<Record<TokenProblem, string>> = {
  form: 'is not a signed JWT',
  typ: 'has another type than at+jwt',
  alg: 'is signed by another algorithm than ES256 and RS256',
  claims: 'lacks one of the claims iss, sub, aud and exp',
  iss: 'is of another issuer',
  aud: 'is for another audience',
  time: 'has expired, or is not valid yet',
}

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
