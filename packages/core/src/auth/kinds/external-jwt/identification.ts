import type { IncomingIdentity } from '../../accounts/incoming-identity.ts'
import type { ClaimName } from '../../accounts/records.ts'
import { authError } from '../../errors.ts'
import type { VerifiedJwt } from '../../external-jwt/external-jwt.ts'
import { bringsIdentities } from '../../flow/flow-type.ts'
import type { IdentificationKind } from '../../flow/identification.ts'
import type { FlowView } from '../../flow/view.ts'
import { type LoginIdRules, type LoginIdType, readLoginId } from '../../login-ids/login-id.ts'
import {
  findLoginId,
  firstKey,
  incomingLoginId,
  toLoginIdRecord,
} from '../login-id/identification.ts'
import { ask } from './external-jwt-questions.ts'

const identification = 'external_jwt'

/**
 * Identification by a token of another issuer. Its claims supply a login ID: the first one, in this order, that the
 * configuration has a key for. A verified claim needs no further proof. Outside of sign-ups an unverified address identifies
 * nobody: the issuer does not vouch for it.
 */
export function createExternalJwtIdentification(
  rulesOf: (view: FlowView) => LoginIdRules,
): IdentificationKind {
  return {
    identification,
    isProof: true,
    *options(_branch, { config }) {
      return config.external_jwt.issuers.length === 0 ? [] : [{ identification }]
    },
    schema: () => ({
      required: ['external_jwt'],
      properties: { external_jwt: { type: 'string' } },
    }),
    *identify(_option, { external_jwt: token }, view) {
      const jwt = yield* ask('external_jwt', { token: String(token) })
      if (jwt === undefined) throw authError('Invalid', 'Invalid', 'invalid external JWT')
      return { kind: 'identity', incoming: incomingOf(jwt, rulesOf(view), view) }
    },
    find: findLoginId,
    toRecord: toLoginIdRecord,
  }
}

interface Source {
  readonly type: LoginIdType
  readonly claim: ClaimName
  readonly verified?: 'email_verified' | 'phone_number_verified'
}

const sources: readonly Source[] = [
  { type: 'email', claim: 'email', verified: 'email_verified' },
  { type: 'phone', claim: 'phone_number', verified: 'phone_number_verified' },
  { type: 'username', claim: 'preferred_username' },
]

/** @throws {GatehouseError} `Invalid` if no claim can be used. */
function incomingOf(
  { issuer, claims }: VerifiedJwt,
  rules: LoginIdRules,
  { config, state }: FlowView,
): IncomingIdentity {
  const isNew = bringsIdentities(state.type)
  for (const { type, claim, verified } of sources) {
    const name = issuer.claims[claim]
    const value = name === undefined ? undefined : claims[name]
    const isVerified = verified === undefined || claims[issuer.claims[verified]] === true
    if (typeof value !== 'string' || firstKey(type, config) === undefined) continue
    if (!isNew && !isVerified) continue
    const read = readLoginId(type, value, rules, isNew ? 'create' : 'look-up')
    if ('problem' in read) continue
    const isProven = verified !== undefined && isVerified
    const incoming = incomingLoginId(read.loginId, config)
    return isProven ? { ...incoming, verified: [claim] } : incoming
  }
  throw authError('Invalid', 'Invalid', 'the external JWT has no login ID that can be used')
}
