import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { configWarnings } from '../api/config-warnings.ts'
import { type LoadedApi, loadApi } from '../api/load-api.ts'
import { failureLines } from '../config/failure.ts'
import { createReadFiles } from '../config/read-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
const path = join(folder, 'gatehouse.json')
const secret = 'a-secret-of-more-than-24-characters'

beforeAll(() => {
  const http = { public_origin: 'https://id.example.com' }
  writeFileSync(join(folder, 'authgear.json'), JSON.stringify({ id: 'a', http }))
  writeFileSync(join(folder, 'auth.key'), 'a test key that is certainly long enough')
  writeFileSync(join(folder, 'grafana.secret'), `${secret}\n`)
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

function load(oidc: object, rest: object = {}): Promise<LoadedApi> {
  const auth = { config: 'authgear.json', key_file: 'auth.key', pages: {}, oidc, ...rest }
  writeFileSync(path, JSON.stringify({ storage: { memory: true }, auth }, undefined, 1))
  return loadApi(path, createReadFiles())
}

const oidcOf = async (oidc: object, rest?: object): Promise<unknown> => {
  const { auth } = await load(oidc, rest)
  // Without what is undefined.
  return JSON.parse(JSON.stringify(auth?.oidc))
}

async function problemsOf(oidc: object, rest?: object): Promise<readonly string[]> {
  const lines = await load(oidc, rest).then(() => [], failureLines)
  return lines.map((line) => line.replace(/^\S+?:\d+:\d+ /, ''))
}

const grafana = {
  client_id: 'grafana',
  name: 'Grafana',
  type: 'web',
  client_secret: { file: 'grafana.secret' },
  redirect_uris: ['https://grafana.example.com/login/generic_oauth'],
}

const app = { client_id: 'app', name: 'App', type: 'spa', redirect_uris: ['https://a.example/cb'] }

const deviceCode = 'urn:ietf:params:oauth:grant-type:device_code'

const problemsOfClient = (...clients: readonly object[]): Promise<readonly string[]> =>
  problemsOf({ clients })

describe('the section auth.oidc', () => {
  it('is off unless the file has it', async () => {
    const auth = { config: 'authgear.json', key_file: 'auth.key' }
    writeFileSync(path, JSON.stringify({ storage: { memory: true }, auth }))
    const loaded = await loadApi(path, createReadFiles())
    expect(loaded.auth?.oidc).toBe(undefined)
  })

  it('is read without the library of the authorization server', async () => {
    const loaded = vi.fn()
    vi.resetModules()
    vi.doMock('oidc-provider', async (original) => {
      loaded()
      return original()
    })
    const { loadApi: loadAfresh } = await import('../api/load-api.ts')
    const auth = { config: 'authgear.json', key_file: 'auth.key', pages: {}, oidc: {} }
    writeFileSync(path, JSON.stringify({ storage: { memory: true }, auth }))
    expect((await loadAfresh(path, createReadFiles())).auth?.oidc).toBeDefined()
    expect(loaded).not.toHaveBeenCalled()
    vi.doUnmock('oidc-provider')
    vi.resetModules()
  })

  it('becomes the options of the authorization server', async () => {
    vi.stubEnv('SERVICE_SECRET', `${secret}-2`)
    const oidc = {
      issuer: 'https://id.example.com/sso',
      base_path: '/sso/oidc',
      sign_in_path: '/enter',
      sign_up_path: '/join',
      clients: [
        {
          ...grafana,
          post_logout_redirect_uris: ['https://grafana.example.com/login'],
          scopes: ['openid', 'team'],
          consent: 'never',
          grant_types: ['authorization_code'],
          resources: ['https://api.example.com'],
          backchannel_logout_uri: 'https://grafana.example.com/logout',
          uri: 'https://grafana.example.com',
          logo_uri: 'https://grafana.example.com/logo.png',
          policy_uri: 'https://grafana.example.com/privacy',
          tos_uri: 'https://grafana.example.com/terms',
          require_par: true,
          require_dpop: true,
          id_token_alg: 'ES256',
        },
        {
          client_id: 'robot',
          name: 'Robot',
          type: 'service',
          client_secret: [`\${env:SERVICE_SECRET}`, `\${file:grafana.secret}`],
        },
      ],
      resources: [
        {
          identifier: 'https://api.example.com',
          name: { en: 'Orders', de: 'Bestellungen' },
          scopes: ['orders:read'],
          descriptions: { 'orders:read': 'See your orders' },
          access_token_lifetime: '2m',
        },
      ],
      scopes: { team: { claims: ['x_team'], description: 'Your team' } },
      role_attribute: 'x_role_here',
      group_attribute: 'x_group_here',
      registration: { initial_access_token: `\${env:SERVICE_SECRET}` },
      client_id_metadata: true,
      device_flow: true,
      lifetimes: {
        access_token: '10m',
        refresh_token: '14d',
        id_token: '1h',
        code: '30s',
        interaction: '30m',
        device_code: '5m',
        grant: '90d',
      },
    }
    expect(await oidcOf(oidc)).toEqual({
      issuer: 'https://id.example.com/sso',
      basePath: '/sso/oidc',
      signInPath: '/enter',
      signUpPath: '/join',
      clients: [
        {
          clientId: 'grafana',
          name: 'Grafana',
          type: 'web',
          clientSecret: secret,
          redirectUris: ['https://grafana.example.com/login/generic_oauth'],
          postLogoutRedirectUris: ['https://grafana.example.com/login'],
          scopes: ['openid', 'team'],
          consent: 'never',
          grantTypes: ['authorization_code'],
          resources: ['https://api.example.com'],
          backchannelLogoutUri: 'https://grafana.example.com/logout',
          uri: 'https://grafana.example.com',
          logoUri: 'https://grafana.example.com/logo.png',
          policyUri: 'https://grafana.example.com/privacy',
          tosUri: 'https://grafana.example.com/terms',
          requirePar: true,
          requireDpop: true,
          idTokenAlg: 'ES256',
        },
        {
          clientId: 'robot',
          name: 'Robot',
          type: 'service',
          clientSecret: [`${secret}-2`, secret],
        },
      ],
      resources: [
        {
          identifier: 'https://api.example.com',
          name: { en: 'Orders', de: 'Bestellungen' },
          scopes: ['orders:read'],
          descriptions: { 'orders:read': 'See your orders' },
          accessTokenSeconds: 120,
        },
      ],
      scopes: { team: { claims: ['x_team'], description: 'Your team' } },
      roleAttribute: 'x_role_here',
      groupAttribute: 'x_group_here',
      registration: { initialAccessToken: `${secret}-2` },
      clientIdMetadata: true,
      deviceFlow: true,
      lifetimes: {
        accessTokenSeconds: 600,
        refreshTokenSeconds: 1_209_600,
        idTokenSeconds: 3_600,
        codeSeconds: 30,
        interactionSeconds: 1_800,
        deviceCodeSeconds: 300,
        grantSeconds: 7_776_000,
      },
    })
  })

  it('leaves the defaults to the authorization server', async () => {
    expect(await oidcOf({})).toEqual({ clients: [], resources: [], scopes: {}, lifetimes: {} })
  })

  it('suggests keys and words that were probably meant', async () => {
    expect(
      await problemsOf({
        client: [],
        clients: [{ ...app, redirect_uri: [], type: 'spaa' }],
        registration: 'opne',
        lifetimes: { access_tokn: '5m' },
      }),
    ).toEqual([
      'auth.oidc.client: unknown key "client"; did you mean "clients"?',
      'auth.oidc.clients[0].type: must be one of web, spa, native, service; did you mean "spa"?',
      'auth.oidc.clients[0].redirect_uri: unknown key "redirect_uri"; did you mean "redirect_uris"?',
      'auth.oidc.registration: must be one of off, open; did you mean "open"?',
      'auth.oidc.lifetimes.access_tokn: unknown key "access_tokn"; did you mean "access_token"?',
    ])
  })

  it('places what the authorization server refuses at the keys of the file, of every client', async () => {
    const problems = await problemsOfClient(
      app,
      { ...app, client_id: 'b', redirect_uris: ['https://a.example/cb', 'https://b.example/#x'] },
      { ...grafana, client_id: 'c', client_secret: undefined },
      { ...app, client_id: 'd', client_secret: secret },
      { ...app, client_id: 'e', redirect_uris: undefined },
      { ...app, client_id: 'f', resources: ['https://none.example'] },
      { client_id: 'g', name: 'TV', type: 'native', grant_types: [deviceCode] },
    )
    expect(problems.map((line) => line.replace(/: must be .*/, ''))).toEqual([
      'auth.oidc.clients[1].redirect_uris[1]',
      'auth.oidc.clients[2].client_secret',
      'auth.oidc.clients[3].client_secret',
      'auth.oidc.clients[4].redirect_uris',
      'auth.oidc.clients[5].resources[0]',
      'auth.oidc.clients[6].grant_types[0]',
    ])
    expect(problems.at(-1)).toContain('device_flow')
    expect(problems.join()).not.toContain(secret)
  })

  it('refuses two clients with one id, in the words of the file', async () => {
    expect(await problemsOfClient(app, { ...app, name: 'Other' })).toEqual([
      expect.stringMatching(/^auth\.oidc\.clients.*: must be /),
    ])
  })

  it('names lengths of time as the file does', async () => {
    const resources = [{ identifier: 'https://a.example', scopes: [], access_token_lifetime: '1s' }]
    expect(await problemsOf({ clients: [], lifetimes: { code: '2h' } })).toEqual([
      expect.stringMatching(/^auth\.oidc\.lifetimes\.code: must be, in seconds, a whole number/),
    ])
    expect(await problemsOf({ clients: [], resources })).toEqual([
      expect.stringMatching(/^auth\.oidc\.resources\[0\]\.access_token_lifetime: must be, in sec/),
    ])
  })

  it('keeps the names that the file chose in places of problems', async () => {
    const scopes = { readAll: { claims: ['sub'] } }
    expect(await problemsOf({ clients: [], scopes })).toEqual([
      expect.stringMatching(/^auth\.oidc\.scopes\.readAll\.claims\[0\]: must be /),
    ])
  })

  it('needs pages to sign in', async () => {
    const needs = 'auth.oidc: needs pages: {} beside it, or sign_in_path for a page of your own'
    expect(await problemsOf({}, { pages: undefined })).toEqual([needs])
    expect(await problemsOf({ sign_in_path: '/enter' }, { pages: undefined })).toEqual([])
  })

  it('needs a server that asks for no passwords of its own', async () => {
    // @see https://github.com/prometheus/exporter-toolkit, the password is "test"
    const hash = '$2y$10$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi'
    writeFileSync(join(folder, 'web.yml'), `basic_auth_users: { alice: ${hash} }\n`)
    const auth = { config: 'authgear.json', key_file: 'auth.key', pages: {}, oidc: {} }
    const file = { storage: { memory: true }, web_config: 'web.yml', auth }
    writeFileSync(path, JSON.stringify(file))
    const lines = await loadApi(path, createReadFiles()).then(() => [], failureLines)
    expect(lines).toEqual([
      expect.stringMatching(/ auth\.oidc: needs a server without basic_auth_users/),
    ])
  })

  it('refuses an issuer elsewhere, and one whose origin is known only later', async () => {
    const issuer = 'https://other.example'
    expect(await problemsOf({ issuer })).toEqual([
      expect.stringMatching(/^auth\.oidc\.issuer: must be http\.public_origin/),
    ])
    const development = { config: { id: 'a' }, dev: {} }
    expect(await problemsOf({ issuer }, development)).toEqual([
      'auth.oidc.issuer: needs http.public_origin in the document, of which it is a part',
    ])
    expect(await problemsOf({}, development)).toEqual([])
  })

  it('warns of codes that anybody on the way can read', async () => {
    const redirect_uris = ['https://a.example/cb', 'http://a.example/cb', 'http://localhost:1/cb']
    const loaded = await load({ clients: [grafana, { ...app, redirect_uris }] })
    const warnings = configWarnings(loaded).map(({ text }) => text)
    expect(warnings.filter((text) => text.includes('oidc'))).toEqual([
      expect.stringMatching(
        /gatehouse\.json:\d+:\d+ auth\.oidc\.clients\[1\]\.redirect_uris\[1\]: .*unencrypted/,
      ),
    ])
  })
})
