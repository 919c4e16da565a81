import { describe, expect, it } from 'vitest'
import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { LinkingRule, LoadedAuthConfig } from '../config/config.ts'
import type { IdentifyBranch } from '../config/flow-definition.ts'
import { linkingChecks } from './linking-rules.ts'

const google: IncomingIdentity = {
  identification: 'oauth',
  names: { IdentityTypeIncoming: 'oauth', OAuthProviderTypeIncoming: 'google' },
  source: 'google',
  claims: { email: 'maya@x.io', phone_number: '+6591234567', preferred_username: 'maya' },
  verified: ['email'],
  display: '',
  own: null,
}
const username: IncomingIdentity = {
  identification: 'username',
  names: { IdentityTypeIncoming: 'login_id', LoginIDTypeIncoming: 'username' },
  source: 'nick',
  claims: { preferred_username: 'maya' },
  verified: [],
  display: 'maya',
  own: null,
}
const rule: LinkingRule = {
  name: 'mail',
  source: 'google',
  claim: 'email',
  user_claim: 'email',
  action: 'login_and_link',
}
const branch: IdentifyBranch = { identification: 'oauth' }

const linking = (parts: Partial<LoadedAuthConfig['account_linking']> = {}) => ({
  account_linking: { oauth: [], login_id: [], allow_unverified: false, ...parts },
})
const check = { of: 'email', claim: 'email', value: 'maya@x.io' }

describe('the claims by which identities are compared', () => {
  it('are the address, or the claim of the login ID, and a match is an error if nothing is configured', () => {
    expect(linkingChecks(linking(), google, branch)).toEqual([{ ...check, action: 'error' }])
    const claim = 'preferred_username'
    expect(linkingChecks(linking(), username, branch)).toEqual([
      { of: claim, claim, value: 'maya', action: 'error' },
    ])
    expect(linkingChecks(linking(), { ...google, claims: {} }, branch)).toEqual([])
  })

  it('are those of the rules for the provider or the key, if there are any', () => {
    const rules = linking({
      oauth: [rule, { ...rule, source: 'github', user_claim: 'phone_number' }],
    })
    expect(linkingChecks(rules, google, branch)).toEqual([{ ...check, action: 'login_and_link' }])
    const crossed = linking({ oauth: [{ ...rule, user_claim: 'preferred_username' }] })
    expect(linkingChecks(crossed, google, branch)).toMatchObject([
      { of: 'email', claim: 'preferred_username', value: 'maya@x.io' },
    ])
    const named = { ...rule, source: 'nick', claim: 'preferred_username' } as const
    expect(linkingChecks(linking({ login_id: [named] }), username, branch)).toMatchObject([
      { of: 'preferred_username', claim: 'email', value: 'maya', action: 'login_and_link' },
    ])
    expect(
      linkingChecks(linking({ login_id: [{ ...named, source: 'other' }] }), username, branch),
    ).toMatchObject([{ claim: 'preferred_username', action: 'error' }])
  })

  it('do not include a claim that the identity lacks', () => {
    const { email: _none, ...claims } = google.claims
    expect(linkingChecks(linking({ oauth: [rule] }), { ...google, claims }, branch)).toEqual([])
  })

  it('lead only to an error if the provider does not vouch for them', () => {
    const rules = linking({
      oauth: [rule, { ...rule, claim: 'phone_number', user_claim: 'phone_number' }],
    })
    const actionsOf = (
      incoming: IncomingIdentity,
      given: Pick<LoadedAuthConfig, 'account_linking'> = rules,
    ) => linkingChecks(given, incoming, branch).map(({ action }) => action)
    expect(actionsOf(google)).toEqual(['login_and_link', 'error'])
    expect(actionsOf({ ...google, verified: [] })).toEqual(['error', 'error'])
    expect(actionsOf({ ...google, verified: ['phone_number'] })).toEqual([
      'error',
      'login_and_link',
    ])
    const trusting = linking({ ...rules.account_linking, allow_unverified: true })
    expect(actionsOf({ ...google, verified: [] }, trusting)).toEqual([
      'login_and_link',
      'login_and_link',
    ])
  })

  it('are changed by a flow for rules that it names', () => {
    const rules = linking({ oauth: [rule, { ...rule, name: undefined, claim: 'phone_number' }] })
    const trusted = { ...google, verified: ['email', 'phone_number'] } as const
    const overriding = (account_linking: NonNullable<IdentifyBranch['account_linking']>) =>
      linkingChecks(rules, trusted, { ...branch, account_linking })
    expect(overriding({ oauth: [{ name: 'mail', action: 'error' }] })).toMatchObject([
      { of: 'email', action: 'error' },
      { of: 'phone_number', action: 'login_and_link' },
    ])
    expect(overriding({ oauth: [{ name: 'mail', login_flow: 'careful' }] })).toMatchObject([
      { of: 'email', action: 'login_and_link', login_flow: 'careful' },
      { of: 'phone_number', action: 'login_and_link' },
    ])
    // A flow cannot allow a claim that the provider does not vouch for.
    const unsure = { ...google, verified: [] }
    const links = {
      ...branch,
      account_linking: { oauth: [{ name: 'mail', action: 'login_and_link' }] },
    } as const
    expect(linkingChecks(rules, unsure, links)).toMatchObject([
      { action: 'error' },
      { action: 'error' },
    ])
    const elsewhere = { login_id: [{ name: 'mail', action: 'error' }] } as const
    expect(overriding(elsewhere)).toMatchObject([{ action: 'login_and_link' }, {}])
  })
})
