import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { LoadedAuth } from '../auth/load-auth.ts'
import { failureLines } from '../config/failure.ts'
import { createReadFiles } from '../config/read-files.ts'
import { configWarnings } from './config-warnings.ts'
import { changedFixedSettings } from './fixed-settings.ts'
import { type LoadedApi, loadApi } from './load-api.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
const path = join(folder, 'gatehouse.yml')
const pemOf = (namedCurve: string): string =>
  generateKeyPairSync('ec', { namedCurve })
    .privateKey.export({ format: 'pem', type: 'pkcs8' })
    .toString()
const appleKey = pemOf('P-256')

const document = `id: a
http: { public_origin: "https://a.example" }
authentication: { identities: [oauth, login_id] }
identity:
  oauth:
    allowed_redirect_uris: [https://app.example.com/cb]
    providers:
      - { alias: google, type: google, client_id: g }
      - { alias: apple, type: apple, client_id: a, team_id: t, key_id: k }
`

beforeAll(() => {
  writeFileSync(join(folder, 'authgear.yaml'), document)
  writeFileSync(join(folder, 'auth.key'), 'a test key that is certainly long enough\n')
  writeFileSync(join(folder, 'apple.p8'), `\n${appleKey}`)
  writeFileSync(join(folder, 'other.p8'), pemOf('P-384'))
  vi.stubEnv('GOOGLE_SECRET_OF_TESTS', 'of-google')
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

function load(section: string): Promise<LoadedApi> {
  const head = 'storage: { memory: true }\nauth:\n  key_file: auth.key\n'
  const config = section.includes('config:') ? '' : '  config: authgear.yaml\n'
  writeFileSync(path, `${head}${config}${section}`)
  return loadApi(path, createReadFiles())
}

async function loadedAuth(section: string): Promise<LoadedAuth> {
  const { auth } = await load(section)
  if (auth === undefined) throw new Error('nothing was loaded')
  return auth
}

async function problemsOf(section: string): Promise<readonly string[]> {
  const lines = await load(section).then(() => [], failureLines)
  return lines.map((line) => line.replaceAll(`${folder}/`, '').replace('gatehouse.yml:', ':'))
}

describe('the section oauth', () => {
  it('has secrets of identity providers, from where it says', async () => {
    const { auth, config } = await load(`  oauth:
    google: { client_secret: "\${env:GOOGLE_SECRET_OF_TESTS}" }
    apple: { private_key_file: apple.p8 }
`)
    expect(auth?.portSettings).toEqual({
      credentials: {
        google: { clientSecret: 'of-google' },
        apple: { privateKey: appleKey.trim() },
      },
      allowPrivateAddresses: false,
      oauthTimeoutMs: 10_000,
      botSecretKey: undefined,
      ldap: { credentials: {}, ca: {} },
    })
    expect(config.webhooks.holdsLiteralSecrets).toBe(false)
  })

  it('says where providers may be, and how long they may take', async () => {
    const { auth, config } = await load(
      '  oauth: { google: { client_secret: literal } }\n  oauth_client: { allow_private_addresses: true, timeout: 2s }\n',
    )
    expect(auth?.portSettings).toMatchObject({ allowPrivateAddresses: true, oauthTimeoutMs: 2_000 })
    expect(config.webhooks.holdsLiteralSecrets).toBe(true)
  })

  it('is refused where something is wrong with it, and never quoted', async () => {
    expect(
      await problemsOf(`  oauth:
    gogle: { client_secret: s3cret-1 }
    elsewhere: { client_secret: s3cret-2 }
    google: { private_key: s3cret-3 }
    apple:
      private_key_file: other.p8
  oauth_client: { timeout: 1ms }
`),
    ).toMatchInlineSnapshot(`
      [
        ":6:5 auth.oauth.gogle: no identity provider has the alias "gogle"; did you mean "google"?",
        ":7:5 auth.oauth.elsewhere: no identity provider has the alias "elsewhere"",
        ":8:28 auth.oauth.google.private_key: must be a P-256 key in PKCS #8, as PEM: -----BEGIN PRIVATE KEY-----",
        ":8:28 auth.oauth.google.private_key: is only for apple; type: google needs client_secret",
        ":10:25 auth.oauth.apple.private_key_file: must be a P-256 key in PKCS #8, as PEM: -----BEGIN PRIVATE KEY-----",
        ":11:28 auth.oauth_client.timeout: must be from 100ms to 1m",
      ]
    `)
    const unsound = await problemsOf(`  oauth:
    google: s3cret-4
    apple: { client_secret: s3cret-5, private_keyy: s3cret-6 }
  bot_protection: s3cret
  events: [s3cret-7]
  hook: s3cret-8
`)
    expect(unsound).toMatchInlineSnapshot(`
      [
        ":6:13 auth.oauth.google: must be a mapping",
        ":7:39 auth.oauth.apple.private_keyy: unknown key "private_keyy"; did you mean "private_key"?",
        ":8:19 auth.bot_protection: must be a mapping",
        ":9:12 auth.events[0]: must be a mapping",
        ":10:9 auth.hook: must be a mapping",
      ]
    `)
    expect(unsound.join()).not.toContain('s3c')
    expect(await problemsOf('  oauth: s3cret-9\n')).toMatchInlineSnapshot(`
      [
        ":5:10 auth.oauth: must be a mapping",
      ]
    `)
    expect(
      await problemsOf(`  oauth:
    google:
    apple: { client_secret: a, private_key_file: none.p8 }
`),
    ).toMatchInlineSnapshot(`
      [
        ":6:12 auth.oauth.google: is empty, but must be a mapping",
        ":7:5 auth.oauth.apple: either client_secret, or for apple private_key or private_key_file",
        ":7:50 auth.oauth.apple.private_key_file: cannot be read: no such file or directory",
      ]
    `)
    expect(
      await problemsOf(`  oauth:
    google: { client_secret: "\${env:NO_SUCH_VARIABLE_OF_TESTS}" }
    apple: { private_key_file: none.p8 }
`),
    ).toMatchInlineSnapshot(`
      [
        ":6:30 auth.oauth.google.client_secret: the variable "NO_SUCH_VARIABLE_OF_TESTS" is not set",
        ":7:32 auth.oauth.apple.private_key_file: cannot be read: no such file or directory",
      ]
    `)
  })

  it('has no merge keys', async () => {
    const problems = await problemsOf(`  oauth:
    <<: &more { google: { client_secret: a } }
`)
    expect(problems[0]).toBe(':6:5 auth.oauth["<<"]: YAML 1.2 has no merge keys')
  })

  it('is missed where a provider has no secret, without which the file is still good', async () => {
    const texts = configWarnings(await load('  oauth: { apple: { client_secret: a } }\n'))
    expect(texts.map(({ text }) => text.replaceAll(`${folder}/`, ''))).toMatchInlineSnapshot(`
      [
        "gatehouse.yml auth: nobody can sign in with the identity provider "google": auth.oauth has no secret for it",
      ]
    `)
  })

  it('comes into force with the document, unlike what stands beside it', async () => {
    const first = await load('  oauth: { google: { client_secret: a } }\n')
    const next = await load(
      `  oauth: { google: { client_secret: "\${env:GOOGLE_SECRET_OF_TESTS}" } }\n`,
    )
    expect(changedFixedSettings(first, next)).toEqual([])
    const asked = await load('  hook: { url: "https://h.example", secret: a }\n')
    expect(changedFixedSettings(first, asked)).toEqual(['auth, except its config'])
  })
})

describe('what a document needs', () => {
  const config = (text: string) =>
    `  config:\n    id: a\n    http: { public_origin: "https://a.example" }\n${text}`

  it('is there for passkeys', async () => {
    const passkeys =
      '    authentication: { identities: [login_id, passkey], primary_authenticators: [password, passkey] }\n'
    expect((await loadedAuth(config(passkeys))).passkeys).toHaveProperty('verifyAssertion')
    expect((await loadedAuth(config(''))).passkeys).toBe(undefined)
  })

  it('is missed for bot protection', async () => {
    const bots = (type: string) =>
      config(`    bot_protection:
      enabled: true
      provider: { type: ${type}, site_key: a }
      requirements: { password: { mode: always } }
`)
    expect(await problemsOf(bots('cloudflare'))).toMatchInlineSnapshot(`
      [
        ":8:7 auth.config.bot_protection: needs the section auth to have bot_protection: { secret_key: "\${env:NAME}" }",
      ]
    `)
    expect(await problemsOf(bots('mine'))).toMatchInlineSnapshot(`
      [
        ":9:25 auth.config.bot_protection.provider.type: "mine" is not supported; supported: cloudflare, recaptchav2",
      ]
    `)
    const { portSettings } = await loadedAuth(
      `${bots('recaptchav2')}  bot_protection: { secret_key: "\${env:GOOGLE_SECRET_OF_TESTS}" }\n`,
    )
    expect(portSettings.botSecretKey).toBe('of-google')
    expect(await problemsOf(`${bots('cloudflare')}  bot_protection: {}\n`)).toMatchInlineSnapshot(`
      [
        ":11:19 auth.bot_protection.secret_key: is missing",
      ]
    `)
  })
})

describe('the sections events and hook', () => {
  it('name programs, by TLS or on this machine', async () => {
    const { auth, config } = await load(`  events:
    - { url: "https://a.example/events", secret: "\${env:GOOGLE_SECRET_OF_TESTS}" }
    - { url: "http://127.0.0.1:3000/events", secret: a, timeout: 2s }
    - { url: "http://crm:3000/events", secret: a, allow_http: true }
  hook: { url: "http://localhost:3000/hook", secret: b }
`)
    expect(auth?.settings.events).toMatchObject([
      { url: 'https://a.example/events', secret: 'of-google', timeoutMs: 10_000 },
      { url: 'http://127.0.0.1:3000/events', timeoutMs: 2_000 },
      { url: 'http://crm:3000/events' },
    ])
    expect(auth?.settings.hook).toMatchObject({ url: 'http://localhost:3000/hook', secret: 'b' })
    expect(config.webhooks.holdsLiteralSecrets).toBe(true)
  })

  it('are refused where something is wrong with them', async () => {
    expect(
      await problemsOf(`  events:
    - { url: "http://crm.example/?key=s3cret", secret: a }
    - { url: "https://u:s3cret@a.example", secret: a }
    - { url: "mailto:s3cret", secret: a }
    - { url: "\${env:NO_SUCH_VARIABLE_OF_TESTS}", secret: a }
  hook: { url: "https://a.example", secret: "\${file:none}" }
`),
    ).toMatchInlineSnapshot(`
      [
        ":6:14 auth.events[0].url: must be an https URL, because events contain personal data; for a private network, allow_http: true allows http",
        ":7:14 auth.events[1].url: must not have a user name or a password: the secret identifies the sender",
        ":8:14 auth.events[2].url: must be an https URL",
        ":9:14 auth.events[3].url: the variable "NO_SUCH_VARIABLE_OF_TESTS" is not set",
        ":10:45 auth.hook.secret: the file "none" cannot be read (ENOENT)",
      ]
    `)
    expect(
      await problemsOf(
        '  events: [{ secret: a, timeout: 40s }, { url: "https://a.example" }]\n  hook: { url: "https://a.example", timeout: 1s }\n',
      ),
    ).toMatchInlineSnapshot(`
      [
        ":5:12 auth.events[0].url: is missing",
        ":5:34 auth.events[0].timeout: must be from 100ms to 30s",
        ":5:41 auth.events[1].secret: is missing",
        ":6:9 auth.hook.secret: is missing",
        ":6:37 auth.hook.timeout: unknown key "timeout"",
      ]
    `)
  })
})

describe('account', () => {
  it('has a base path, and is off by default', async () => {
    const basePathOf = async (section: string) =>
      (await loadedAuth(section)).settings.accountBasePath
    expect(await basePathOf('  account: { base_path: /me }\n')).toBe('/me')
    expect(await basePathOf('  account: {}\n')).toBe('/api/v1/account')
    expect(await basePathOf('')).toBe(undefined)
  })

  it('is what the key of an earlier file refers to', async () => {
    expect(await problemsOf('  account_path: /me\n')).toEqual([
      ':5:3 auth.account_path: unknown key "account_path": it is account: { base_path: … }',
    ])
  })

  it.each(['account', '/account/', '/', '/a?b', '/:id', '/a/*'])('is not %s', async (path) => {
    expect(await problemsOf(`  account: { base_path: "${path}" }\n`)).toEqual([
      ':5:25 auth.account.base_path: must be a path such as /api/v1/account',
    ])
  })
})

describe('manage_users', () => {
  it('is off by default, and needs the section access', async () => {
    expect((await loadedAuth('')).settings.managesUsers).toBe(false)
    expect(await problemsOf('  manage_users: true\n')).toEqual([
      ':5:17 auth.manage_users: needs the section access, which says who may',
    ])
  })
})
