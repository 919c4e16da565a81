import type {
  AdmitTokenOptions,
  TokenClaims,
  TokenRefusal,
  TokenVerifier,
} from '@gatehouse/core/auth'
import type { Request, Response } from 'express'
import { askedOf, type LocalsHandler, sendAnswer } from './session.ts'

/** Options of {@link requireToken}: what an access token must be good for. */
export interface RequireTokenOptions extends AdmitTokenOptions {
  /** Answers requests that are not admitted (default: 401, 403 or 503, with `WWW-Authenticate` and an error in JSON). */
  readonly refuse?:
    | ((request: Request, response: Response, refusal: TokenRefusal) => void | Promise<void>)
    | undefined
}

/**
 * A middleware that admits requests with an access token for this API: `response.locals.token` has its claims.
 *
 * @example
 * app.use('/orders', requireToken(verifier, { scope: 'orders:read' }))
 */
export function requireToken(
  verifier: TokenVerifier,
  { refuse = sendAnswer, ...options }: RequireTokenOptions = {},
): LocalsHandler<{ token: TokenClaims }> {
  const admit = async (request: Request, response: Response): Promise<boolean> => {
    const { admitToken } = await import('@gatehouse/core/auth')
    const { token, refusal } = await admitToken(verifier, askedOf(request), options)
    if (refusal !== undefined) await refuse(request, response, refusal)
    else response.locals.token = token
    return refusal === undefined
  }
  return (request, response, next) => {
    admit(request as Request, response as Response).then((isAdmitted) => isAdmitted && next(), next)
  }
}
