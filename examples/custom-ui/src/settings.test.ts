import { readAuthConfig } from '@gatehouse/core/auth'
import { describe, expect, it } from 'vitest'
import { readClientSecrets, readSettings } from './settings.ts'

const AUTH_KEY = 'a key for tests, of 32 bytes or more'

describe('settings', () => {
  it('default to development, given only the key', () => {
    expect(readSettings({ AUTH_KEY, PORT: '' })).toEqual({
      host: '127.0.0.1',
      port: 3_000,
      publicOrigin: undefined,
      configFile: expect.stringMatching(/custom-ui[\\/]authgear\.yaml$/),
      databaseFile: 'people.db',
      key: AUTH_KEY,
      allowPrivateAddresses: false,
      isDevelopment: true,
    })
  })

  it('come from the environment', () => {
    const environment = {
      AUTH_KEY,
      HOST: '::',
      PORT: '0',
      PUBLIC_ORIGIN: 'https://accounts.example.com',
      AUTH_CONFIG: '/etc/authgear.yaml',
      AUTH_DATABASE: '/var/lib/people.db',
      OAUTH_ALLOW_PRIVATE_ADDRESSES: 'true',
      NODE_ENV: 'production',
    }
    expect(readSettings(environment)).toEqual({
      host: '::',
      port: 0,
      publicOrigin: 'https://accounts.example.com',
      configFile: '/etc/authgear.yaml',
      databaseFile: '/var/lib/people.db',
      key: AUTH_KEY,
      allowPrivateAddresses: true,
      isDevelopment: false,
    })
  })

  it.each([
    ['an invalid port', { PORT: 'http' }, 'PORT must be a number from 0 to 65535, got "http"'],
    ['a port that is too high', { PORT: '65536' }, 'PORT must be a number'],
    ['a port below 0', { PORT: '-1' }, 'PORT must be a number'],
    ['neither true nor false', { OAUTH_ALLOW_PRIVATE_ADDRESSES: '1' }, 'must be true or false'],
    ['no key', { AUTH_KEY: '' }, 'AUTH_KEY must have 32 bytes or more'],
  ])('are refused with the name of the variable: %s', (_, environment, message) => {
    expect(() => readSettings({ AUTH_KEY, ...environment })).toThrow(message)
  })

  it('the error for a short key does not show the key', () => {
    const AUTH_KEY = 'tidal-lantern'
    expect(() => readSettings({ AUTH_KEY })).toThrow(/^(?!.*tidal)/)
  })
})

it('reads the secrets of providers from variables named by alias', () => {
  const providers = ['acme', 'my-idp', 'other'].map((alias) => ({
    alias,
    type: 'google' as const,
    client_id: 'x',
  }))
  const config = readAuthConfig({
    id: 'test',
    http: { public_origin: 'https://accounts.example.com' },
    identity: { oauth: { providers } },
  })
  const environment = { OAUTH_CLIENT_SECRET_ACME: 'one', OAUTH_CLIENT_SECRET_MY_IDP: 'two' }
  expect(readClientSecrets(environment, config)).toEqual({
    credentials: { acme: { clientSecret: 'one' }, 'my-idp': { clientSecret: 'two' } },
    missing: ['OAUTH_CLIENT_SECRET_OTHER'],
  })
})
