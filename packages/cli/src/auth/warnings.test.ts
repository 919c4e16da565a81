import { readAuthConfig } from '@gatehouse/core/auth'
import { describe, expect, it } from 'vitest'
import type { AuthSettings } from './load-auth.ts'
import { type AuthSurroundings, authWarnings, providedPorts } from './warnings.ts'

const origin = { public_origin: 'https://auth.example.com' }
const configOf = (parts: object = {}) => readAuthConfig({ id: 'a', http: origin, ...parts })
const settings: AuthSettings = {
  secrets: [],
  lists: {},
  messages: {},
  maxBodyBytes: undefined,
  accountBasePath: undefined,
  pages: undefined,
  managesUsers: false,
  events: [],
  hook: undefined,
  hookSecret: undefined,
  auditRetentionMs: 0,
  leakedPasswords: undefined,
  isDevelopment: false,
  printCodes: false,
  smtp: {
    host: 'mail.example.com',
    port: 587,
    from: 'a@example.com',
    security: 'starttls',
    login: undefined,
    ca: undefined,
    timeoutMs: 1,
  },
  sms: undefined,
  whatsapp: undefined,
}
const quiet: AuthSurroundings = {
  config: configOf(),
  settings,
  portSettings: { credentials: {} },
  oidcWarnings: [],
  places: [{ port: 8081 }],
  isSecure: true,
  trustedProxies: [],
  holdsLiteralSecrets: false,
  configFile: '/etc/config.yaml',
  configMode: 0o100640,
  knowsPhones: true,
}
const providers = configOf({
  identity: {
    oauth: {
      providers: [
        { alias: 'google', type: 'google', client_id: 'a' },
        { alias: 'hub', type: 'github', client_id: 'b' },
        { alias: 'trial', type: 'facebook', credentials_behavior: 'use_demo_credentials' },
      ],
    },
  },
})
const development = { ...settings, isDevelopment: true, printCodes: true }

describe('authWarnings()', () => {
  it.each<[string, Partial<AuthSurroundings>]>([
    ['over TLS', {}],
    ['behind a proxy that speaks TLS', { isSecure: false, trustedProxies: ['127.0.0.1'] }],
    [
      'that accepts requests without TLS',
      { isSecure: false, config: configOf({ http: { ...origin, allow_insecure: true } }) },
    ],
    [
      'at an origin on this machine, which has a warning of its own',
      { isSecure: false, config: configOf({ http: { public_origin: 'http://localhost:3000' } }) },
    ],
    ['whose secrets are private', { holdsLiteralSecrets: true }],
  ])('does not warn about a server %s', (_, given) => {
    expect(authWarnings({ ...quiet, ...given })).toEqual([])
  })

  it.each<[string, Partial<AuthSurroundings>, readonly RegExp[]]>([
    ['no TLS', { isSecure: false }, [/^auth answers every request with 403 HTTPSRequired/]],
    [
      'a development mode that others can reach',
      { settings: development },
      [/are logged, and other machines can reach it$/],
    ],
    [
      'a development mode that prints nothing',
      { settings: { ...development, printCodes: false }, places: [{ host: '::1', port: 1 }] },
      [/^auth is in development mode$/],
    ],
    [
      'a file with secrets that every user can read',
      { holdsLiteralSecrets: true, configMode: 0o100644 },
      [/^\/etc\/config\.yaml contains secrets/],
    ],
    [
      'addresses of apps to which codes are sent unencrypted',
      {
        oidcWarnings: [{ path: 'auth.oidc.clients[0]', code: 'out_of_range', message: 'is open' }],
      },
      [/^auth\.oidc\.clients\[0\]: is open$/],
    ],
    [
      'identity providers without a secret',
      { config: providers, portSettings: { credentials: { hub: { clientSecret: 'c' } } } },
      [
        /^nobody can sign in with the identity provider "google": auth\.oauth has no secret for it$/,
        /"trial": it uses demo credentials, and there are none here$/,
      ],
    ],
  ])('warns about %s', (_, given, expected) => {
    expect(authWarnings({ ...quiet, ...given })).toEqual(
      expected.map((pattern) => expect.stringMatching(pattern)),
    )
  })

  it('has what the service asks of senders', () => {
    const { smtp } = settings
    expect(providedPorts({ settings, knowsPhones: true })).toEqual({
      senders: { sendEmail: smtp, sendSms: undefined, sendWhatsapp: undefined },
      knowsPhones: true,
    })
    const { senders } = providedPorts({ settings: development, knowsPhones: false })
    expect(Object.values(senders)).not.toContain(undefined)
  })
})
