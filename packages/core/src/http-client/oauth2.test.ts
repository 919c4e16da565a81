import { describe, expect, it } from 'vitest'
import {
  type CapturedRequest,
  type CaptureServer,
  captureServer,
  type GivenAnswer,
} from '../http/capture-server.fixture.ts'
import { createCertificate } from './certificate.fixture.ts'
import { createClient, httpConfigOf } from './client.fixture.ts'
import { proxyServer } from './proxy-server.fixture.ts'

/** A server that issues the tokens `t1`, `t2` and so on, with their lifetimes in seconds. */
const tokenServer = (
  lifetimes: readonly (number | string | undefined)[],
): Promise<CaptureServer> => {
  let issued = 0
  return captureServer(() => {
    const expires_in = lifetimes[Math.min(issued, lifetimes.length - 1)]
    issued++
    return jsonAnswer({ access_token: `t${issued}`, token_type: 'bearer', expires_in })
  })
}

const jsonAnswer = (value: object, status = 200): GivenAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

const authorizations = ({ requests }: CaptureServer): readonly (string | undefined)[] =>
  requests.map(({ headers }) => headers.authorization)

describe('oauth2', () => {
  it('sends the token that the endpoint issues for the client', async () => {
    const target = await captureServer()
    const issuer = await tokenServer([3_600])
    const http = httpConfigOf({
      oauth2: {
        client_id: 'id & co',
        client_secret: 's+ü',
        token_url: `${issuer.url}/token?x=1`,
        scopes: ['a', 'b'],
        endpoint_params: { audience: 'all of it' },
      },
    })
    await createClient().post(target.url, http)
    expect(authorizations(target)).toEqual(['Bearer t1'])
    const [asked] = issuer.requests
    expect(asked).toMatchObject({
      method: 'POST',
      path: '/token?x=1',
      body: 'audience=all+of+it&grant_type=client_credentials&scope=a+b',
    })
    expect(asked?.headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'Alertmanager/0.34.0',
      authorization: `Basic ${Buffer.from('id+%26+co:s%2B%C3%BC').toString('base64')}`,
    })
  })

  it('reuses a token until ten seconds before it expires', async () => {
    const target = await captureServer()
    const issuer = await tokenServer([100, '100', undefined])
    const http = oauth2Of(issuer)
    const client = createClient()
    await client.post(target.url, http)
    client.clock.advance(89_999)
    await client.post(target.url, http)
    client.clock.advance(1)
    await client.post(target.url, http)
    client.clock.advance(90_000)
    await client.post(target.url, http)
    client.clock.advance(10 ** 12)
    await client.post(target.url, http)
    expect(authorizations(target)).toEqual([
      'Bearer t1',
      'Bearer t1',
      'Bearer t2',
      'Bearer t3',
      'Bearer t3',
    ])
  })

  it('requests a token once for all waiting callers, even if the first one gives up', async () => {
    const target = await captureServer()
    const first = new AbortController()
    const issuer = await captureServer(async () => {
      first.abort()
      await new Promise((resolve) => setImmediate(resolve))
      return jsonAnswer({ access_token: 't' })
    })
    const http = oauth2Of(issuer)
    const client = createClient()
    const request = { method: 'GET', url: target.url } as const
    const givenUp = client.send(request, http, first.signal)
    const others = [1, 2, 3].map(() => client.post(target.url, http))
    await expect(givenUp).rejects.toThrow('Get "<redacted>": context canceled')
    await Promise.all(others)
    expect(issuer.requests.length).toBe(1)
    expect(authorizations(target)).toEqual(['Bearer t', 'Bearer t', 'Bearer t'])
  })

  it('requests a token again after all waiting callers gave up', async () => {
    const target = await captureServer()
    const controller = new AbortController()
    const issuer = await captureServer(() => {
      if (controller.signal.aborted) return jsonAnswer({ access_token: 't' })
      controller.abort()
      return new Promise<GivenAnswer>(() => undefined)
    })
    const http = oauth2Of(issuer)
    const client = createClient()
    const request = { method: 'GET', url: target.url } as const
    await expect(client.send(request, http, controller.signal)).rejects.toThrow('context canceled')
    expect((await client.post(target.url, http)).status).toBe(200)
    expect(issuer.requests.length).toBe(2)
  })

  it('requests another token once when one is refused', async () => {
    const refused = new Set(['Bearer t1'])
    const target = await captureServer(({ headers }) => ({
      status: refused.has(headers.authorization ?? '') ? 401 : 200,
    }))
    const issuer = await tokenServer([3_600])
    const http = oauth2Of(issuer)
    const client = createClient()
    expect((await client.post(target.url, http)).status).toBe(200)
    expect((await client.post(target.url, http)).status).toBe(200)
    expect(authorizations(target)).toEqual(['Bearer t1', 'Bearer t2', 'Bearer t2'])
    for (const token of ['Bearer t2', 'Bearer t3']) refused.add(token)
    expect((await client.post(target.url, http)).status).toBe(401)
    expect((await client.post(target.url, http)).status).toBe(200)
    expect(issuer.requests.length).toBe(4)
  })

  it('sends the credentials in the body if the server refuses them in the header', async () => {
    const target = await captureServer()
    const issuer = await captureServer(({ body }: CapturedRequest) =>
      body.includes('client_id')
        ? jsonAnswer({ access_token: 't', expires_in: 1 })
        : jsonAnswer({ error: 'invalid_client' }, 401),
    )
    const http = oauth2Of(issuer)
    const client = createClient()
    await client.post(target.url, http)
    await client.post(target.url, http)
    expect(authorizations(target)).toEqual(['Bearer t', 'Bearer t'])
    const inBody = 'client_id=id&client_secret=secret&grant_type=client_credentials'
    expect(issuer.requests.map(({ body }) => body)).toEqual([
      'grant_type=client_credentials',
      inBody,
      inBody,
    ])
    expect(authorizations(issuer)).toEqual(['Basic aWQ6c2VjcmV0', undefined, undefined])
  })

  it('reads the secret from a file, and requests a new token when it changes', async () => {
    const target = await captureServer()
    const issuer = await tokenServer([3_600])
    let secret = 'first\n'
    const client = createClient({ readFile: async () => secret })
    const http = httpConfigOf({
      oauth2: { client_id: 'id', client_secret_file: '/s', token_url: issuer.url },
    })
    await client.post(target.url, http)
    await client.post(target.url, http)
    secret = 'second\n'
    await client.post(target.url, http)
    const sent = ['id:first', 'id:second'].map((text) => Buffer.from(text).toString('base64'))
    expect(authorizations(issuer)).toEqual(sent.map((text) => `Basic ${text}`))
    expect(authorizations(target)).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2'])
  })

  it('connects to the endpoint with its own TLS options and its own proxy', async () => {
    const authority = createCertificate('authority', { hosts: [] })
    const certificate = createCertificate('issuer', {
      issuer: authority,
      hosts: ['issuer.example'],
    })
    const target = await captureServer()
    const issuer = await captureServer(() => jsonAnswer({ access_token: 't' }), certificate)
    const proxy = await proxyServer(issuer.url)
    const http = httpConfigOf({
      oauth2: {
        client_id: 'id',
        client_secret: 'secret',
        token_url: 'https://issuer.example/token',
        tls_config: { ca: authority.cert },
        proxy_url: proxy.url,
      },
    })
    expect((await createClient().post(target.url, http)).status).toBe(200)
    expect(proxy.requests.map((request) => request.target)).toEqual(['issuer.example:443'])
    expect(authorizations(target)).toEqual(['Bearer t'])
  })

  it('takes precedence over the credentials of the notifier', async () => {
    const target = await captureServer()
    const http = oauth2Of(await tokenServer([3_600]))
    await createClient().post(target.url, http, { headers: { authorization: 'own' } })
    expect(authorizations(target)).toEqual(['Bearer t1'])
  })

  it.each([
    [
      jsonAnswer({ error: 'invalid_client' }, 401),
      'oauth2: cannot fetch token: 401: invalid_client',
    ],
    [jsonAnswer({ error: 'See http://x/?secret' }, 400), 'oauth2: cannot fetch token: 400'],
    [jsonAnswer({ error: 'invalid_scope' }), 'oauth2: cannot fetch token: 200: invalid_scope'],
    [{ status: 503, body: 'gone' }, 'oauth2: cannot fetch token: 503'],
    [{ body: 'no JSON' }, 'oauth2: server response missing access_token'],
    [jsonAnswer([]), 'oauth2: server response missing access_token'],
    [jsonAnswer({ access_token: '' }), 'oauth2: server response missing access_token'],
  ])('fails clearly on %o', async (answer: GivenAnswer, message) => {
    const target = await captureServer()
    const http = oauth2Of(await captureServer(() => answer))
    await expect(createClient().post(target.url, http)).rejects.toMatchObject({
      reason: 'OAuth2Failed',
      message: `Post "<redacted>": ${message}`,
    })
    expect(target.requests).toEqual([])
  })

  it('accepts a form as the response', async () => {
    const target = await captureServer()
    const body = 'access_token=a%2Bb&token_type=mac&expires_in=60'
    const type = 'application/x-www-form-urlencoded; charset=utf-8'
    const issuer = await captureServer(() => ({ headers: { 'content-type': type }, body }))
    await createClient().post(target.url, oauth2Of(issuer))
    expect(authorizations(target)).toEqual(['MAC a+b'])
  })

  it('lets parameters override the grant type, and nothing else', async () => {
    const target = await captureServer()
    const issuer = await tokenServer([1])
    const settings = { client_id: 'id', token_url: issuer.url, scopes: ['a'] }
    const withParams = (endpoint_params: object): ReturnType<typeof httpConfigOf> =>
      httpConfigOf({ oauth2: { ...settings, endpoint_params } })
    const client = createClient()
    await client.post(target.url, withParams({ grant_type: 'other' }))
    expect(issuer.requests[0]?.body).toBe('grant_type=other&scope=a')
    await expect(client.post(target.url, withParams({ scope: 'b' }))).rejects.toThrow(
      'Post "<redacted>": oauth2: cannot overwrite parameter "scope"',
    )
  })
})

function oauth2Of({ url }: CaptureServer): ReturnType<typeof httpConfigOf> {
  return httpConfigOf({ oauth2: { client_id: 'id', client_secret: 'secret', token_url: url } })
}
