import { expect, it } from 'vitest'
import { providerOf } from '../../config/config.fixture.ts'
import type { OAuthProviderConfig, OAuthProviderType } from '../../oauth-client/oauth-provider.ts'
import { oauthAccountKey } from './oauth-account-key.ts'

const key = (type: OAuthProviderType, parts: Partial<OAuthProviderConfig>, subject = 's'): string =>
  oauthAccountKey({ ...providerOf(type, 'p'), client_id: 'c1', ...parts }, subject)

it.each<readonly [OAuthProviderType, Partial<OAuthProviderConfig>]>([
  ['facebook', { client_id: 'c2' }],
  ['facebook', { credentials_behavior: 'use_demo_credentials' }],
  ['linkedin', { client_id: 'c2' }],
  ['azureadv2', { tenant: 'other' }],
  ['azureadb2c', { tenant: 'other' }],
  ['adfs', { client_id: 'c2' }],
  ['adfs', { discovery_document_endpoint: 'https://other.example/' }],
  ['apple', { team_id: 'other' }],
  ['wechat', { account_id: 'other' }],
  ['wechat', { is_sandbox_account: true }],
  ['oidc', { discovery_document_endpoint: 'https://other.example/' }],
])('a subject at %s is another account with %j', (type, parts) => {
  expect(key(type, parts)).not.toBe(key(type, {}))
})

it.each<readonly [OAuthProviderType, Partial<OAuthProviderConfig>]>([
  ['google', { client_id: 'c2', alias: 'other' }],
  ['github', { client_id: 'c2', alias: 'other' }],
  ['azureadv2', { tenant: 't', client_id: 'c2' }],
  ['azureadb2c', { policy: 'other' }],
  ['apple', { client_id: 'c2', key_id: 'other' }],
  ['oidc', { client_id: 'c2', alias: 'other' }],
])('a subject at %s is the same account with %j', (type, parts) => {
  const same = type === 'azureadv2' ? { tenant: 't' } : {}
  expect(key(type, parts)).toBe(key(type, same))
})

it('a subject cannot be confused with its namespace, and a long one has a short key', () => {
  expect(key('azureadv2', { tenant: 'a' }, 'b')).not.toBe(key('azureadv2', {}, 'ab'))
  expect(key('azureadv2', { tenant: 'a","b' }, 'c')).not.toBe(
    key('azureadv2', { tenant: 'a' }, 'b","c'),
  )
  expect(key('google', {}, 'x'.repeat(100_000))).toMatch(/^[0-9a-f]{64}$/)
  expect(key('google', {}, 'one')).not.toBe(key('google', {}, 'two'))
})
