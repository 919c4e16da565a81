import * as client from 'openid-client'
import { describe, expect, it, vi } from 'vitest'
import {
  authorize,
  callback,
  clients,
  email,
  origin,
  startWorld,
  type World,
} from '../test/world.fixture.ts'
import { modelCollections } from './models/model-record.ts'

const register = async (world: World, body: unknown, headers: Record<string, string> = {}) => {
  const answer = await world.fetch(`${origin}/oidc/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}

const open = { clients: [], registration: 'open' } as const
const initialAccessToken = 'a-token-of-at-least-24-characters'

describe('dynamic registration', () => {
  it('gives an app an id, and people see that nobody has checked it', async () => {
    const world = await startWorld({ oidc: open })
    const metadata = { client_name: 'Ship log', redirect_uris: [callback] }
    const registered = await client.dynamicClientRegistration(
      new URL(origin),
      metadata,
      undefined,
      { [client.customFetch]: (url, init) => world.fetch(url, init as RequestInit) },
    )
    const { client_id: id, client_secret: secret = '' } = registered.clientMetadata()
    expect(secret.length).toBeGreaterThan(40)
    const { url, verifier, state } = await authorize(registered)
    const browser = world.browser()
    const page = await browser.signIn(await browser.open(url))
    expect(page.text).toContain('Ship log')
    expect(page.text).toContain('class="warning"')
    const back = await browser.send(page, { decision: 'allow' })
    const tokens = await client.authorizationCodeGrant(registered, back.url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    const claims = await client.fetchUserInfo(registered, tokens.access_token, world.userId)
    expect(claims.email).toBe(email)
    const stored = await world.auth.storage.find(modelCollections.Client, { by: 'id', limit: 5 })
    expect(JSON.stringify(stored)).toContain(id)
    expect(JSON.stringify(stored)).not.toContain(secret)
  })

  it('lets an app without a secret be, as MCP clients are', async () => {
    const world = await startWorld({ oidc: open })
    const { status, body } = await register(world, {
      client_name: 'MCP client',
      redirect_uris: ['http://localhost:33418/callback'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      software_id: 'ignored',
      backchannel_logout_uri: 'http://10.0.0.1/internal',
    })
    expect(status).toBe(201)
    expect(body).not.toHaveProperty('client_secret')
    expect(body).not.toHaveProperty('backchannel_logout_uri')
  })

  it.each([
    [{ redirect_uris: ['http://shop.example/cb'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://a.example/*'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [5] }, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://a.example/cb' }, 'invalid_client_metadata'],
    [{ redirect_uris: [callback], grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    [{ redirect_uris: [callback], grant_types: ['implicit'] }, 'invalid_client_metadata'],
    [{ redirect_uris: [callback], response_types: ['token'] }, 'invalid_client_metadata'],
    [{ redirect_uris: [callback], logo_uri: 'data:image/png,x' }, 'invalid_client_metadata'],
    [{ redirect_uris: [callback], client_name: 'x'.repeat(201) }, 'invalid_client_metadata'],
    [
      { redirect_uris: [callback], token_endpoint_auth_method: 'client_secret_jwt' },
      'invalid_client_metadata',
    ],
    ['[]', 'invalid_request'],
    ['{', 'invalid_request'],
  ])('refuses %j with %s', async (metadata, error) => {
    const world = await startWorld({ oidc: open })
    expect(await register(world, metadata)).toMatchObject({ status: 400, body: { error } })
  })

  it('may need a token', async () => {
    const world = await startWorld({ oidc: { clients: [], registration: { initialAccessToken } } })
    const metadata = { redirect_uris: [callback] }
    expect((await register(world, metadata)).status).toBe(401)
    const wrong = { authorization: 'Bearer something-else-entirely' }
    expect((await register(world, metadata, wrong)).status).toBe(401)
    const right = { authorization: `Bearer ${initialAccessToken}` }
    expect((await register(world, metadata, right)).status).toBe(201)
  })

  it('is limited for each address', async () => {
    const world = await startWorld({ oidc: open })
    const statuses: number[] = []
    for (let sent = 0; sent < 31; sent++) statuses.push((await register(world, '{')).status)
    expect(statuses.slice(-2)).toEqual([400, 429])
  })
})

describe('a client whose id is the URL of a document', () => {
  const id = 'https://client.example/oauth/client.json'
  const document = {
    client_id: id,
    client_name: 'Tide tables',
    redirect_uris: [callback],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }

  /** The site of the client. */
  const serve = (metadata: object) => {
    const asked = vi.fn(async (_url: unknown, _init?: unknown) => Response.json(metadata))
    vi.stubGlobal('fetch', asked)
    return asked
  }

  it('is read where it is allowed, and asked about as one that nobody has checked', async () => {
    const world = await startWorld({ oidc: { clients: [], clientIdMetadata: true } })
    const asked = serve(document)
    const configuration = await world.configuration('spa')
    const { url } = await authorize(configuration, { client_id: id })
    const browser = world.browser()
    const page = await browser.signIn(await browser.open(url))
    expect(page.text).toContain('Tide tables')
    expect(page.text).toContain('class="warning"')
    expect(String(asked.mock.calls[0]?.[0])).toBe(id)
    expect(asked.mock.calls[0]?.[1]).toMatchObject({ redirect: 'manual' })
    vi.unstubAllGlobals()
  })

  it('is refused if its document breaks the rules, or is not asked for', async () => {
    for (const [metadata, clientIdMetadata] of [
      [{ ...document, redirect_uris: ['http://shop.example/cb'] }, true],
      [{ ...document, client_id: 'https://other.example/c.json' }, true],
      [document, false],
    ] as const) {
      const world = await startWorld({ oidc: { clients: [clients.spa], clientIdMetadata } })
      const asked = serve(metadata)
      const [redirect_uri = ''] = metadata.redirect_uris
      const { url } = await authorize(await world.configuration('spa'), {
        client_id: id,
        redirect_uri,
      })
      expect((await world.browser().open(url)).status).toBe(400)
      expect(asked.mock.calls.length > 0).toBe(clientIdMetadata)
      vi.unstubAllGlobals()
    }
  })
})
