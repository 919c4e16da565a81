import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { ClaimName, IdentityRecord } from '../accounts/records.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import type { IdentifyBranch, LinkingAction } from '../config/flow-definition.ts'
import type { OwnLinkingRule } from '../flow/identification.ts'

/** What an incoming identity is compared by, and what comes of a match. */
export interface LinkingCheck {
  /** The claim of the identity. */
  readonly of: ClaimName
  /** The claim of the account. */
  readonly claim: ClaimName
  readonly value: string
  readonly action: LinkingAction
  /** The login that is gone through (default: the one with the name of the sign-up). */
  readonly login_flow?: string
}

/**
 * By what an identity is compared to those that are there: the rules for its provider or its login ID, as the branch of the flow
 * has them. Where there is none, its own claims, and the same one is an error.
 *
 * @see Authgear, account linking
 */
export function linkingChecks(
  { account_linking: linking }: Pick<LoadedAuthConfig, 'account_linking'>,
  { names, source, claims, verified }: IncomingIdentity,
  { account_linking: overridden = {} }: IdentifyBranch,
): readonly LinkingCheck[] {
  const isOAuth = names.IdentityTypeIncoming === 'oauth'
  const sort = isOAuth ? 'oauth' : 'login_id'
  const rules = linking[sort].filter((rule) => rule.source === source)
  if (rules.length === 0) return defaultChecks(isOAuth, claims)
  return rules.flatMap((rule): readonly LinkingCheck[] => {
    const value = claims[rule.claim]
    if (value === undefined) return []
    const override = overridden[sort]?.find(({ name }) => name === rule.name)
    // What the provider has not proven may be anybody's.
    const isSure = !isOAuth || verified.includes(rule.claim) || linking.allow_unverified
    const action = isSure ? (override?.action ?? rule.action) : 'error'
    const login = override?.login_flow
    const check = { of: rule.claim, claim: rule.user_claim, value, action }
    return [login === undefined ? check : { ...check, login_flow: login }]
  })
}

/** The same by the rules of the kind itself. */
export function ownLinkingChecks(
  rules: readonly OwnLinkingRule[],
  { claims, verified }: IncomingIdentity,
): readonly LinkingCheck[] {
  return rules.flatMap((rule): readonly LinkingCheck[] => {
    const value = claims[rule.claim]
    if (value === undefined) return []
    const action = verified.includes(rule.claim) ? rule.action : 'error'
    return [{ of: rule.claim, claim: rule.user_claim, value, action }]
  })
}

/** Whether an identity asserts claims that have to be proven. What a provider says keeps nobody from what is theirs. */
export const needsProof = (
  { type }: IdentityRecord,
  { account_linking }: Pick<LoadedAuthConfig, 'account_linking'>,
): boolean => type !== 'login_id' && !account_linking.allow_unverified

function defaultChecks(
  isOAuth: boolean,
  claims: IncomingIdentity['claims'],
): readonly LinkingCheck[] {
  const names: readonly ClaimName[] = isOAuth
    ? ['email']
    : ['email', 'phone_number', 'preferred_username']
  return names.flatMap((claim): readonly LinkingCheck[] => {
    const value = claims[claim]
    return value === undefined ? [] : [{ of: claim, claim, value, action: 'error' }]
  })
}
