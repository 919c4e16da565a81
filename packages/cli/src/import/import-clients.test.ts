import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadApi } from '../api/load-api.ts'
import { createReadFiles } from '../config/read-files.ts'
import { importClients } from './import-clients.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
const printed: string[] = []
const complaints: string[] = []

beforeAll(() => {
  writeFileSync(join(folder, 'auth.key'), 'a test key that is certainly long enough')
})
beforeEach(() => {
  printed.length = 0
  complaints.length = 0
  vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    complaints.push(String(text))
    return true
  })
})
afterAll(() => rmSync(folder, { recursive: true }))

const redirect_uris = ['https://app.example.com/cb']

interface Imported {
  readonly exitCode: number
  readonly text: string
  readonly complaints: readonly string[]
}

function imported(oauth: object, secrets?: object): Imported {
  const path = join(folder, 'authgear.yaml')
  const http = { public_origin: 'https://id.example.com' }
  writeFileSync(path, JSON.stringify({ id: 'shop', http, oauth }))
  const secretsPath = join(folder, 'authgear.secrets.yaml')
  if (secrets !== undefined) writeFileSync(secretsPath, JSON.stringify(secrets))
  const exitCode = importClients(path, secrets === undefined ? {} : { secrets: secretsPath })
  return { exitCode, text: printed.join('\n'), complaints }
}

/** What the command reads from the printed text, once it is in a configuration. */
async function served({ text }: Imported, environment: Readonly<Record<string, string>> = {}) {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  const rest = '  config: authgear.yaml\n  key_file: auth.key\n  pages: {}\n'
  const path = join(folder, 'gatehouse.yml')
  writeFileSync(path, `storage: { memory: true }\n${text}\n${rest}`)
  const { auth } = await loadApi(path, createReadFiles())
  vi.unstubAllEnvs()
  if (auth?.oidc === undefined) throw new Error('nothing was loaded')
  return auth.oidc
}

const clientsOf = async (result: Imported, environment?: Readonly<Record<string, string>>) =>
  (await served(result, environment)).clients

/** The comments above a client. */
const notesOf = ({ text }: Imported, id: string): readonly string[] => {
  const before = text.slice(0, text.indexOf(`- client_id: "${id}"`)).split('\n')
  const last = before.findLastIndex((line, index) => index < before.length - 1 && !/#/.test(line))
  return before.slice(last + 1, -1).map((line) => line.replace(/^ *# /, ''))
}

const secret = 'a secret of more than 24 characters'.replaceAll(' ', '-')

describe('gatehouse import clients', () => {
  it.each([
    ['spa', { type: 'spa', consent: 'never' }],
    ['traditional_webapp', { type: 'spa', consent: 'never' }],
    ['native', { type: 'native', consent: 'never' }],
    ['confidential', { type: 'web', consent: 'never', clientSecret: secret }],
    ['third_party_app', { type: 'web', clientSecret: secret }],
    ['m2m', { type: 'service', clientSecret: secret }],
    [undefined, { type: 'spa', consent: 'never' }],
  ])('takes over a client of the type %s', async (x_application_type, expected) => {
    const client = { client_id: 'one', name: 'One', x_application_type, redirect_uris }
    const result = imported({ clients: [client] })
    expect(result.exitCode).toBe(0)
    const [only] = await clientsOf(result, { SECRET_OF_ONE: secret })
    expect(JSON.parse(JSON.stringify(only))).toEqual({
      clientId: 'one',
      name: 'One',
      ...(expected.type === 'service' ? {} : { redirectUris: redirect_uris }),
      ...expected,
    })
  })

  it('takes a client of no type with an address of an app for a native one', async () => {
    const uris = ['com.example.shop://host/cb']
    const client = { client_id: 'one', name: 'One', redirect_uris: uris }
    const [only] = await clientsOf(imported({ clients: [client] }))
    expect(only).toMatchObject({ type: 'native', redirectUris: uris })
  })

  it('takes over addresses, and the name that third parties have for people', async () => {
    const client = {
      client_id: 'partner',
      name: 'p-12',
      client_name: 'Partner',
      x_application_type: 'third_party_app',
      redirect_uris,
      post_logout_redirect_uris: ['https://app.example.com/bye'],
      client_uri: 'https://app.example.com',
      logo_uri: 'https://app.example.com/logo.png',
      policy_uri: 'https://app.example.com/privacy',
      tos_uri: 'https://app.example.com/terms',
    }
    const result = imported({ clients: [client] })
    const [only] = await clientsOf(result, { SECRET_OF_PARTNER: secret })
    expect(only).toMatchObject({
      name: 'Partner',
      postLogoutRedirectUris: ['https://app.example.com/bye'],
      uri: 'https://app.example.com',
      logoUri: 'https://app.example.com/logo.png',
      policyUri: 'https://app.example.com/privacy',
      tosUri: 'https://app.example.com/terms',
    })
    expect(only?.consent).toBe(undefined)
  })

  it('keeps the paths of endpoints that have the same name', async () => {
    expect((await served(imported({ clients: [] }))).basePath).toBe('/oauth2')
  })

  it('takes the shortest lifetimes for all clients, and says so', async () => {
    const one = { name: 'One', x_application_type: 'spa', redirect_uris }
    const result = imported({
      clients: [
        {
          ...one,
          client_id: 'a',
          access_token_lifetime_seconds: 1_800,
          refresh_token_lifetime_seconds: 31_449_600,
          refresh_token_idle_timeout_seconds: 2_592_000,
        },
        {
          ...one,
          client_id: 'b',
          access_token_lifetime_seconds: 600,
          refresh_token_idle_timeout_enabled: false,
          refresh_token_lifetime_seconds: 86_400,
        },
        { ...one, client_id: 'c' },
      ],
    })
    expect((await served(result)).lifetimes).toMatchObject({
      accessTokenSeconds: 600,
      refreshTokenSeconds: 86_400,
      grantSeconds: 86_400,
    })
    expect(notesOf(result, 'a')).toEqual([
      'lifetimes.access_token is 600s for all clients, not 1800s',
      'lifetimes.refresh_token is 86400s for all clients, not 2592000s',
      'lifetimes.grant is 86400s for all clients, not 31449600s',
    ])
    expect(notesOf(result, 'b')).toEqual([])
    expect(notesOf(result, 'c')).toEqual([])
  })

  it('says in comments what does not carry over', async () => {
    const result = imported({
      clients: [
        {
          client_id: 'a',
          name: 'A',
          x_application_type: 'spa',
          redirect_uris,
          issue_jwt_access_token: true,
          refresh_token_rotation_enabled: false,
          x_custom_ui_uri: 'https://ui.example.com',
          x_app2app_enabled: true,
          x_dpop_disabled: false,
          x_max_concurrent_session: 1,
          x_authentication_flow_allowlist: { groups: [{ name: 'default' }] },
          grant_types: [
            'authorization_code',
            'urn:authgear:params:oauth:grant-type:anonymous-request',
          ],
          response_types: ['code', 'none'],
        },
      ],
    })
    expect(await clientsOf(result)).toHaveLength(1)
    expect(notesOf(result, 'a')).toEqual([
      'x_custom_ui_uri is left out: sign_in_path names pages of your own, for all clients',
      'x_app2app_enabled is left out',
      'the grant type urn:authgear:params:oauth:grant-type:anonymous-request is left out',
      'the response type none is left out',
      'its access tokens are JWTs for an API of resources, if it sends that as resource',
      'each use of a refresh token gives a new one here',
    ])
  })

  it('comments out what cannot be a client here, and exits with 1', async () => {
    const result = imported({
      clients: [
        { client_id: 'a', name: 'A', redirect_uris: ['myapp://cb'] },
        { client_id: 'b', name: 'B', x_application_type: 'saml', redirect_uris },
        { client_id: 'c', name: 'C', x_application_type: 'spa' },
        { client_id: 'd', name: 'D', x_application_type: 'spa', redirect_uris },
        { client_id: 'd', name: 'Other', x_application_type: 'spa', redirect_uris },
      ],
    })
    expect(result.exitCode).toBe(1)
    // Lines are written at the end of a turn.
    await new Promise(setImmediate)
    expect(
      result.complaints
        .flatMap((text) => text.trim().split('\n'))
        .map((line) => line.replace(/(because \S+).*/, '$1')),
    ).toEqual([
      'a: left out, because redirect_uris[0]',
      'b: left out, because type',
      'c: left out, because redirect_uris',
      'd: left out, because another',
    ])
    expect((await clientsOf(result)).map(({ name }) => name)).toEqual(['D'])
  })

  it('prints secrets only if their file is given, each of a client', async () => {
    const other = `${secret}-\${env:HOME}`
    const keyOf = (text: string) => ({ kty: 'oct', k: Buffer.from(text).toString('base64url') })
    const one = { name: 'A', x_application_type: 'confidential', redirect_uris }
    const clients = [
      { ...one, client_id: 'a' },
      { ...one, client_id: 'b' },
    ]
    const items = [
      { client_id: 'a', keys: [keyOf(secret)] },
      { client_id: 'b', keys: [keyOf(secret), keyOf(other)] },
    ]
    const secrets = { secrets: [{ key: 'oauth.client_secrets', data: { items } }] }
    expect(imported({ clients }).text).not.toContain(secret)
    printed.length = 0
    const [first, second] = await clientsOf(imported({ clients }, secrets))
    expect(first?.clientSecret).toBe(secret)
    expect(second?.clientSecret).toEqual([secret, other])
  })

  it('takes over whether apps may register themselves', async () => {
    const registrationOf = async (section: object) => {
      printed.length = 0
      const result = imported({ clients: [], dynamic_client_registration: section })
      return (await served(result, { REGISTRATION_TOKEN: secret })).registration
    }
    expect(await registrationOf({})).toBe(undefined)
    expect(await registrationOf({ enabled: false })).toBe(undefined)
    expect(await registrationOf({ enabled: true, initial_access_token_required: false })).toBe(
      'open',
    )
    expect(await registrationOf({ enabled: true })).toEqual({ initialAccessToken: secret })
  })

  it('refuses a file without clients, and one that cannot be read', () => {
    const path = join(folder, 'other.yaml')
    writeFileSync(path, 'id: shop\n')
    expect(() => importClients(path, {})).toThrow(`${path}: has no section oauth`)
    expect(() => importClients(join(folder, 'none.yaml'), {})).toThrow(/none\.yaml: /)
  })
})
