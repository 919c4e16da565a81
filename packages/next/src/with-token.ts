import { toResponse } from '@gatehouse/core/adapter'
import {
  type AdmitTokenOptions,
  admitToken,
  type TokenClaims,
  type TokenVerifier,
} from '@gatehouse/core/auth'

/**
 * Makes a route handler for requests with an access token for this API. Others get 401, 403 or 503, with `WWW-Authenticate`.
 *
 * @example
 * export const GET = withToken(verifier, (_request, token) => Response.json(token.sub), { scope: 'orders:read' })
 */
export function withToken<Context>(
  verifier: TokenVerifier,
  handler: (request: Request, token: TokenClaims, context: Context) => Response | Promise<Response>,
  options: AdmitTokenOptions = {},
): (request: Request, context: Context) => Promise<Response> {
  return async (request, context) => {
    const { token, refusal } = await admitToken(verifier, request, options)
    return refusal === undefined ? handler(request, token, context) : toResponse(refusal.answer)
  }
}
