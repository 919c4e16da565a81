import type { ClaimName, IdentityRecord } from '../accounts/identity-record.ts'
import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import type { IdentifyBranch, LinkingAction } from '../config/flow-definition.ts'
import type { OwnLinkingRule } from '../flow/identification.ts'

/** A comparison of an incoming identity with the existing ones, and the action for a match. */
export interface LinkingCheck {
  /** The claim of the identity. */
  readonly of: ClaimName
  /** The claim of the account. */
  readonly claim: ClaimName
  readonly value: string
  readonly action: LinkingAction
  /** The name of the login to go through (default: the name of the sign-up). */
  readonly login_flow?: string
}

/**
 * The comparisons of an incoming identity with the existing ones: the rules for its provider or its login ID, as changed by the
 * branch of the flow. Without rules, its own claims are compared, and a match is an error.
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
    // A claim that the provider has not proven may be another person's.
    const isSure = !isOAuth || verified.includes(rule.claim) || linking.allow_unverified
    const action = isSure ? (override?.action ?? rule.action) : 'error'
    const login = override?.login_flow
    const check = { of: rule.claim, claim: rule.user_claim, value, action }
    return [login === undefined ? check : { ...check, login_flow: login }]
  })
}

/** The comparisons by the kind's own rules. */
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

/** Whether an identity asserts claims that must be proven: an unproven claim of a provider does not block the real owner. */
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
