import { claimOfLoginId } from '../../accounts/identities.ts'
import type { ClaimName } from '../../accounts/identity-record.ts'
import { authError } from '../../errors.ts'
import type { Asking } from '../../flow/asking.ts'
import type { FlowView } from '../../flow/view.ts'
import type { LoginIdType } from '../../login-ids/login-id.ts'
import { ask } from './external-jwt-questions.ts'

/** A login ID as the token of another issuer has it. */
export interface ExternalLoginId {
  readonly text: string
  /** The claims that the issuer has verified. */
  readonly verified: readonly ClaimName[]
}

/** Whether a flow takes tokens of other issuers in place of typed login IDs: a sign-up, if there are such issuers. */
export const takesExternalJwt = ({ state, config }: FlowView): boolean =>
  (state.type === 'signup' || state.type === 'promote') && config.external_jwt.issuers.length > 0

/**
 * Reads the login ID of a type from a token.
 *
 * @throws {GatehouseError} `ExternalJWTInvalidJWT`; `ExternalJWTInvalidClaim` if the token has no such login ID;
 *   `ExternalJWTFailedToFetchJWKs` if the issuer's keys cannot be fetched.
 * @see Authgear, `external_jwt`
 */
export function* externalLoginId(type: LoginIdType, token: string): Asking<ExternalLoginId> {
  const jwt = yield* ask('external_jwt', { token })
  if (jwt === undefined) {
    throw authError('BadRequest', 'ExternalJWTInvalidJWT', 'invalid external JWT')
  }
  const { issuer, claims } = jwt
  const claim = claimOfLoginId[type]
  const name = issuer.claims[claim]
  const text = claims[name]
  if (typeof text !== 'string') {
    const message = `the external JWT has no claim "${name}"`
    throw authError('BadRequest', 'ExternalJWTInvalidClaim', message)
  }
  const isVerified =
    claim !== 'preferred_username' && claims[issuer.claims[`${claim}_verified`]] === true
  return { text, verified: isVerified ? [claim] : [] }
}
