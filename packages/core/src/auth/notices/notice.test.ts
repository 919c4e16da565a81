import { describe, expect, it } from 'vitest'
import { recipientsOf } from './notice.ts'

const login = (email: string) => ({ type: 'login_id', login_id_type: 'email', email })
const event = (type: string, payload: object = {}) => ({ type, payload: { ...payload } })

describe('the recipients of a notice', () => {
  it('are the verified addresses; that of the profile only if there are none', () => {
    const changed = event('password.primary.changed')
    const verified = ['a@sea.example', 'b@sea.example']
    expect(recipientsOf(changed, { verified, profile: 'c@sea.example' })).toEqual(verified)
    expect(recipientsOf(changed, { verified: [], profile: 'c@sea.example' })).toEqual([
      'c@sea.example',
    ])
    expect(recipientsOf(changed, { verified: [], profile: undefined })).toEqual([])
  })

  it('include a replaced address, not the one in its place', () => {
    const payload = { identity: login('new@sea.example'), old_identity: login('old@sea.example') }
    const known = { verified: ['new@sea.example', 'other@sea.example'], profile: undefined }
    expect(recipientsOf(event('identity.email.updated', payload), known)).toEqual([
      'old@sea.example',
      'other@sea.example',
    ])
  })

  it('do not include an address that a provider said', () => {
    const identity = { type: 'oauth', email: 'maya@provider.example' }
    const known = { verified: [], profile: 'a@sea.example' }
    expect(recipientsOf(event('identity.oauth.disconnected', { identity }), known)).toEqual([
      'a@sea.example',
    ])
  })

  it('are at most ten', () => {
    const verified = Array.from({ length: 20 }, (_, index) => `a${index}@sea.example`)
    const known = { verified, profile: undefined }
    expect(recipientsOf(event('authenticator.added'), known)).toHaveLength(10)
  })
})
