import { honoAdapter, requireToken } from '@gatehouse/adapter-hono'
import { createTokenVerifier, protectedResourceRoutes } from '@gatehouse/core/auth'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { calculatePKCECodeChallenge, randomPKCECodeVerifier, randomState } from 'openid-client'
import { describe, expect, it, vi } from 'vitest'
import type { OidcOptions } from '../src/index.ts'
import { createPerson, type Live, listen, startLive } from './live.fixture.ts'

type Documents = Readonly<Record<string, unknown>>

/** An MCP server, which takes tokens of the authorization server beside it. */
interface McpServer {
  readonly live: Live
  readonly url: string
}

/** Starts an authorization server, and an MCP server on a host of its own that knows only its issuer. */
async function start(options: Partial<OidcOptions>): Promise<McpServer> {
  let serve: ReturnType<typeof getRequestListener> | undefined
  const origin = await listen('127.0.0.1', (request, response) => void serve?.(request, response))
  const url = `${origin}/mcp`
  const resources = [{ identifier: url, name: 'Harbor tools', scopes: ['tools:call'] }]
  const live = await startLive({ oidc: { resources, ...options } })
  const verifier = createTokenVerifier({ issuer: live.origin, audience: url })
  const app = new Hono()
  const demands = { audience: url, scope: 'tools:call', resourceMetadata: true }
  app.post('/mcp', requireToken(verifier, demands), (c) =>
    c.json({ jsonrpc: '2.0', id: 1, result: { user: c.get('token').sub } }),
  )
  const metadata = protectedResourceRoutes({
    resource: url,
    authorizationServers: [live.origin],
    scopes: ['tools:call'],
  })
  app.route('/', honoAdapter(metadata))
  serve = getRequestListener(app.fetch)
  return { live, url }
}

const call = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })

const read = async (url: string): Promise<Documents> =>
  (await fetch(url)).json() as Promise<Documents>

/** What a client finds that knows only the address of an MCP server. @see RFC 9728, section 5; RFC 8414, section 3 */
async function discover(url: string): Promise<Documents & Readonly<Record<string, string>>> {
  const refused = await call(url)
  expect(refused.status).toBe(401)
  const challenge = refused.headers.get('www-authenticate') ?? ''
  const [, metadataUrl = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
  const resource = await read(metadataUrl)
  expect(resource).toMatchObject({ resource: url, scopes_supported: ['tools:call'] })
  const [issuer = ''] = resource.authorization_servers as readonly string[]
  const server = await read(`${issuer}/.well-known/oauth-authorization-server`)
  expect(server).toMatchObject({
    issuer,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  })
  return server as Documents & Readonly<Record<string, string>>
}

/** Asks a person, redeems the code, and returns the token for the MCP server. */
async function authorize(
  server: Readonly<Record<string, string>>,
  { clientId, name, resource }: Readonly<Record<'clientId' | 'name' | 'resource', string>>,
): Promise<string> {
  const app = await openProgram()
  const uri = `${app.origin}/callback`
  const verifier = randomPKCECodeVerifier()
  const state = randomState()
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: uri,
    scope: 'tools:call',
    resource,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const person = createPerson()
  const consent = await person.signIn(
    await person.open(`${server.authorization_endpoint}?${request}`),
  )
  expect(consent.text).toContain(name)
  expect(consent.text).toContain('Harbor tools')
  await person.press(consent, { decision: 'allow' })
  const back = new URL(app.last(), app.origin).searchParams
  expect([back.get('state'), back.get('iss')]).toEqual([state, server.issuer])
  const answer = await fetch(server.token_endpoint ?? '', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: back.get('code') ?? '',
      redirect_uri: uri,
      code_verifier: verifier,
      resource,
    }),
  })
  const tokens = (await answer.json()) as Documents
  expect([answer.status, tokens.scope]).toEqual([200, 'tools:call'])
  return String(tokens.access_token)
}

/** The program of a client, which listens on a port that it has just found. */
async function openProgram(): Promise<{ readonly origin: string; last(): string }> {
  let last = ''
  const origin = await listen('127.0.0.1', (request, response) => {
    last = request.url ?? ''
    response.end('You may close this window.')
  })
  return { origin, last: () => last }
}

/** Calls the MCP server with a token. */
async function callWith(url: string, token: string): Promise<unknown> {
  const answer = await call(url, { authorization: `Bearer ${token}` })
  expect(answer.status).toBe(200)
  return answer.json()
}

const metadata = {
  client_name: 'Assistant',
  redirect_uris: ['http://127.0.0.1/callback'],
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
}

describe('an MCP client that knows only the address of a server', () => {
  it('registers itself, asks the person, and calls the server', async () => {
    const { live, url } = await start({ registration: 'open' })
    const server = await discover(url)
    const registered = await fetch(server.registration_endpoint ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    })
    const { client_id: clientId } = (await registered.json()) as Documents
    expect([registered.status, typeof clientId]).toEqual([201, 'string'])
    const app = { clientId: String(clientId), name: 'Assistant', resource: url }
    const token = await authorize(server, app)
    expect(await callWith(url, token)).toMatchObject({ result: { user: live.userId } })
  })

  it('is known by a document at the address that is its id', async () => {
    const { live, url } = await start({ clientIdMetadata: true })
    const server = await discover(url)
    expect(server).toMatchObject({ client_id_metadata_document_supported: true })
    expect(server).not.toHaveProperty('registration_endpoint')
    const clientId = 'https://assistant.example.com/client.json'
    const real = globalThis.fetch
    const outside = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      if (String(input) !== clientId) return real(input, init)
      return Response.json({ ...metadata, client_id: clientId })
    })
    try {
      const token = await authorize(server, { clientId, name: 'Assistant', resource: url })
      expect(await callWith(url, token)).toMatchObject({ result: { user: live.userId } })
    } finally {
      outside.mockRestore()
    }
  })

  it('gets no token for another server, and a token of another server opens nothing', async () => {
    const { live, url } = await start({
      clients: [
        {
          clientId: 'robot',
          name: 'Robot',
          type: 'service',
          clientSecret: 'a-secret-of-at-least-24-characters',
          resources: ['https://other.example.com/mcp'],
        },
      ],
      resources: [{ identifier: 'https://other.example.com/mcp', scopes: ['tools:call'] }],
    })
    const server = await discover(url)
    const ask = async (resource: string): Promise<Documents> => {
      const authorization = `Basic ${btoa('robot:a-secret-of-at-least-24-characters')}`
      const answer = await fetch(server.token_endpoint ?? '', {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          scope: 'tools:call',
          resource,
        }),
      })
      return answer.json() as Promise<Documents>
    }
    expect(await ask(url)).toMatchObject({ error: 'invalid_target' })
    const { access_token: token } = await ask('https://other.example.com/mcp')
    const answer = await call(url, { authorization: `Bearer ${token}` })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(live.log()).not.toContain(String(token))
  })
})
