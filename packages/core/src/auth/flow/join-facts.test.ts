import { describe, expect, it } from 'vitest'
import type { Identified } from '../accounts/account.ts'
import type { OAuthIdentity } from '../accounts/identity-record.ts'
import { joinFacts } from './join-facts.ts'
import type { Fact } from './state.ts'

const proven = (value: string, channel: 'email' | null): Fact => {
  return { kind: 'claim_verified', name: 'email', value, channel }
}
const changed = (authenticator_id: string, hash: string): Fact => {
  return { kind: 'password_changed', authenticator_id, hash, reason: 'policy' }
}
const codes = (...hashes: readonly string[]): Fact => ({ kind: 'recovery_codes_created', hashes })
const updated = (id: string, name: string): Fact => {
  const identity: Identified<OAuthIdentity> = {
    id,
    type: 'oauth',
    user_id: 'maya',
    provider_type: 'google',
    provider_alias: 'google',
    subject: 'maya-1',
    unique_key: 'maya-1',
    claims: { name },
    created_at: 0,
  }
  return { kind: 'identity_updated', identity }
}

describe('joined facts', () => {
  it('are appended, repeated ones included if their kind may repeat', () => {
    const used: Fact = { kind: 'identity_used', identity_id: 'i1' }
    const both = [proven('a@x.io', 'email'), used]
    expect(joinFacts(both, [used, proven('b@x.io', null)])).toEqual([
      ...both,
      used,
      proven('b@x.io', null),
    ])
  })

  it('verify a claim only once, over any channel', () => {
    const first = proven('a@x.io', 'email')
    expect(joinFacts([first], [proven('a@x.io', null)])).toEqual([first])
    expect(joinFacts([], [first, proven('a@x.io', null)])).toEqual([first])
  })

  it.each([
    ['a password', changed('p1', 'one'), changed('p1', 'two'), changed('p2', 'three')],
    ['the claims of a provider', updated('i1', 'A.'), updated('i1', 'B.'), updated('i2', 'C.')],
    ['recovery codes', codes('one'), codes('two'), proven('a@x.io', null)],
  ])('replace earlier facts on the same subject: %s', (_, before, after, other) => {
    expect(joinFacts([before, other], [after])).toEqual([other, after])
  })
})
