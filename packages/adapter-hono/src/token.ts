import { toResponse } from '@gatehouse/core/adapter'
import type {
  AdmitTokenOptions,
  TokenClaims,
  TokenRefusal,
  TokenVerifier,
} from '@gatehouse/core/auth'
import type { Context, MiddlewareHandler } from 'hono'

/** Options of {@link requireToken}: what an access token must be good for. */
export interface RequireTokenOptions extends AdmitTokenOptions {
  /** Answers requests that are not admitted (default: 401, 403 or 503, with `WWW-Authenticate` and an error in JSON). */
  readonly refuse?:
    | ((c: Context, refusal: TokenRefusal) => Response | Promise<Response>)
    | undefined
}

/**
 * A middleware that admits requests with an access token for this API: `c.get('token')` has its claims.
 *
 * @example
 * app.get('/orders', requireToken(verifier, { scope: 'orders:read' }), (c) => c.json(c.get('token').sub))
 */
export function requireToken(
  verifier: TokenVerifier,
  { refuse = (_c, { answer }) => toResponse(answer), ...options }: RequireTokenOptions = {},
): MiddlewareHandler<{ Variables: { token: TokenClaims } }> {
  return async (c, next) => {
    const { admitToken } = await import('@gatehouse/core/auth')
    const { token, refusal } = await admitToken(verifier, c.req.raw, options)
    if (refusal !== undefined) return refuse(c, refusal)
    c.set('token', token)
    return next()
  }
}
