import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defaultHttpConfig } from '../alerts/fields/http-config.ts'
import { captureServer, type GivenAnswer } from '../http/capture-server.fixture.ts'
import { createClient, httpConfigOf } from './client.fixture.ts'

const signal = new AbortController().signal

/** A reader for which only these files exist. */
const filesOf =
  (files: Readonly<Record<string, string>>) =>
  async (path: string): Promise<string> => {
    const content = files[path]
    if (content === undefined) throw Object.assign(new Error(path), { code: 'ENOENT' })
    return content
  }

/** Listens with a server until the test ends. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a request', () => {
  it('is sent with its method, target, headers, body and credentials', async () => {
    const server = await captureServer()
    const client = createClient()
    await client.post(`${server.url}/w?x=1`)
    const [request] = server.requests
    expect(request).toMatchObject({ method: 'POST', path: '/w?x=1', body: '{}' })
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '2',
      'user-agent': 'Alertmanager/0.34.0',
    })
    expect(request?.headers.authorization).toBeUndefined()
  })

  it('returns status, headers and body, whatever the status is', async () => {
    const server = await captureServer(() => ({
      status: 429,
      headers: { 'retry-after': '7' },
      body: 'slow down',
    }))
    const answer = await createClient().post(server.url)
    expect([answer.status, answer.headers.get('retry-after'), answer.body]).toEqual([
      429,
      '7',
      'slow down',
    ])
  })

  it('is sent by the given fetch', async () => {
    const asked: string[] = []
    const client = createClient({
      fetch: async (url) => {
        asked.push(url)
        return new Response('mine', { status: 202 })
      },
    })
    const answer = await client.post('http://somewhere.example/')
    expect([asked, answer.status, answer.body]).toEqual([
      ['http://somewhere.example/'],
      202,
      'mine',
    ])
  })
})

describe('the body of a response', () => {
  it('that breaks off is cut where it breaks off', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.destroy())
    })
    const answer = await createClient().post(await listen(server))
    expect([answer.status, answer.body]).toEqual([200, 'half'])
  })
})

describe('authentication', () => {
  const authorization = async (settings: object, path = '/', files = {}): Promise<unknown> => {
    const server = await captureServer()
    const url = server.url.replace('//', path.startsWith('//') ? path : '//')
    await createClient({ readFile: filesOf(files) }).post(url, httpConfigOf(settings))
    return server.requests[0]?.headers.authorization
  }
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

  it('is basic with a username and a password', async () => {
    expect(await authorization({ basic_auth: { username: 'bu', password: 'bp' } })).toBe(
      'Basic YnU6YnA=',
    )
  })

  it('is basic with both from files, trimmed', async () => {
    const settings = { basic_auth: { username_file: '/u', password_file: '/p' } }
    expect(await authorization(settings, '/', { '/u': 'ü\n', '/p': ' p w \n' })).toBe(
      basic('ü:p w'),
    )
  })

  it('is basic with only a username', async () => {
    expect(await authorization({ basic_auth: { username: 'u' } })).toBe(basic('u:'))
  })

  it('is a token of any type', async () => {
    expect(await authorization({ authorization: { type: 'Token', credentials: 'abc' } })).toBe(
      'Token abc',
    )
    const fromFile = { authorization: { credentials_file: '/c' } }
    expect(await authorization(fromFile, '/', { '/c': 'abc\n' })).toBe('Bearer abc')
    expect(await authorization({ bearer_token: 'old' })).toBe('Bearer old')
  })

  it('from the URL takes precedence over the configuration', async () => {
    const settings = { basic_auth: { username: 'bu', password: 'bp' } }
    expect(await authorization(settings, '//us%40er:p%25w@')).toBe(basic('us@er:p%w'))
  })

  it('from the notifier takes precedence over everything else', async () => {
    const server = await captureServer()
    const http = httpConfigOf({ authorization: { credentials: 'configured' } })
    const headers = { Authorization: 'GenieKey own' }
    await createClient().post(server.url.replace('//', '//u:p@'), http, { headers })
    expect(server.requests[0]?.headers.authorization).toBe('GenieKey own')
  })

  it('reads its file again for each request', async () => {
    const server = await captureServer()
    let content = 'first'
    const client = createClient({ readFile: async () => content })
    const http = httpConfigOf({ authorization: { credentials_file: '/c' } })
    await client.post(server.url, http)
    content = 'second'
    await client.post(server.url, http)
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer first',
      'Bearer second',
    ])
  })

  it('fails clearly if its file cannot be read', async () => {
    const http = httpConfigOf({ authorization: { credentials_file: '/nowhere' } })
    await expect(
      createClient({ readFile: filesOf({}) }).post('http://127.0.0.1:1/', http),
    ).rejects.toThrow(
      'Post "<redacted>": unable to read authorization credentials file /nowhere: ENOENT',
    )
  })
})

describe('http_headers', () => {
  it('are sent with all their values, from texts, secrets and files', async () => {
    const server = await captureServer()
    const http = httpConfigOf({
      http_headers: {
        'x-team': { values: ['a', 'b'], secrets: ['c'], files: ['/d'] },
        'X-Other': { values: ['o'] },
      },
    })
    await createClient({ readFile: filesOf({ '/d': 'd\n' }) }).post(server.url, http)
    expect(server.requests[0]?.headers).toMatchObject({ 'x-team': 'a, b, c, d', 'x-other': 'o' })
  })

  it('are sent as UTF-8', async () => {
    const server = await captureServer()
    const http = httpConfigOf({ http_headers: { 'X-A': { values: ['é €'] } } })
    await createClient().post(server.url, http)
    const received = Buffer.from(String(server.requests[0]?.headers['x-a']), 'latin1')
    expect(received.toString('utf8')).toBe('é €')
  })

  it.each([
    { 'X-A': { values: ['a\nb'] } },
    { 'X-A': { secrets: ['a\u0000'] } },
    { 'X A': { values: ['a'] } },
  ])('fail clearly if they cannot be sent: %o', async (http_headers) => {
    await expect(
      createClient().post('http://127.0.0.1:9/', httpConfigOf({ http_headers })),
    ).rejects.toMatchObject({
      reason: 'UnusableHeader',
      message: 'Post "<redacted>": a header has an invalid name or value',
    })
  })
})

describe('redirects', () => {
  /** Redirects once from `/`, and returns 200 elsewhere. */
  const redirecting =
    (status: number, location: string) =>
    ({ path }: { path: string }): GivenAnswer =>
      path === '/' ? { status, headers: location === '' ? {} : { location } } : { body: 'here' }

  it.each([301, 302, 303])('by %i become a GET without a body', async (status) => {
    const server = await captureServer(redirecting(status, '/next?a=b'))
    const answer = await createClient().post(`${server.url}/`)
    expect(answer.body).toBe('here')
    const [, second] = server.requests
    expect(second).toMatchObject({ method: 'GET', path: '/next?a=b', body: '' })
    expect(second?.headers['content-type']).toBeUndefined()
    expect(second?.headers['user-agent']).toBe('Alertmanager/0.34.0')
  })

  it.each([307, 308])('by %i keep method and body', async (status) => {
    const server = await captureServer(redirecting(status, '/next'))
    await createClient().post(`${server.url}/`)
    expect(server.requests[1]).toMatchObject({ method: 'POST', path: '/next', body: '{}' })
    expect(server.requests[1]?.headers['content-type']).toBe('application/json')
  })

  it.each([
    [304, '/next'],
    [302, ''],
  ])('are not followed for %i to "%s"', async (status, location) => {
    const server = await captureServer(redirecting(status, location))
    expect((await createClient().post(`${server.url}/`)).status).toBe(status)
  })

  it('are not followed with follow_redirects: false', async () => {
    const server = await captureServer(redirecting(302, '/next'))
    const answer = await createClient().post(
      `${server.url}/`,
      httpConfigOf({ follow_redirects: false }),
    )
    expect([answer.status, server.requests.length]).toEqual([302, 1])
  })

  it('end after ten requests', async () => {
    const server = await captureServer(() => ({ status: 307, headers: { location: '/' } }))
    await expect(createClient().post(server.url)).rejects.toThrow(
      'Post "<redacted>": stopped after 10 redirects',
    )
    expect(server.requests.length).toBe(10)
  })

  it('to another protocol than HTTP fail', async () => {
    const server = await captureServer(redirecting(302, 'ftp://secret.example/'))
    await expect(createClient().post(`${server.url}/`)).rejects.toThrow(
      'Post "<redacted>": redirected to a URL that is not http or https',
    )
  })

  it('send secrets to the same host, but not to another', async () => {
    const elsewhere = await captureServer(() => ({ status: 307, headers: { location: home.url } }))
    const home = await captureServer(({ path }) => {
      if (path === '/') return {}
      return {
        status: 307,
        headers: {
          location: path === '/away' ? elsewhere.url.replace('127.0.0.1', 'localhost') : '/away',
        },
      }
    })
    const http = httpConfigOf({
      basic_auth: { username: 'u', password: 'p' },
      http_headers: { 'X-Plain': { values: ['v'] }, 'X-Key': { secrets: ['s'] } },
    })
    await createClient().post(`${home.url}/start`, http, {
      headers: { cookie: 'c=1', 'content-type': 'a/b' },
    })
    const seen = [
      ...home.requests.slice(0, 2),
      ...elsewhere.requests,
      ...home.requests.slice(2),
    ].map(({ headers }) => [
      headers.authorization,
      headers['x-key'],
      headers.cookie,
      headers['x-plain'],
      headers['content-type'],
    ])
    const all = ['Basic dTpw', 's', 'c=1', 'v', 'a/b']
    const plain = [undefined, undefined, undefined, 'v', 'a/b']
    expect(seen).toEqual([all, all, plain, plain])
  })
})

describe('a request without a response', () => {
  it('rejects with the reason, without the URL and secrets', async () => {
    const server = createServer()
    const url = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    const http = httpConfigOf({ authorization: { credentials: 'hush' } })
    const sent = createClient().post(`${url}/secret-path?key=k`, http)
    await expect(sent).rejects.toThrow('Post "<redacted>": connection refused (ECONNREFUSED)')
    const error: unknown = await sent.catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      kind: 'ServiceUnavailable',
      reason: 'NotConnected',
    })
    expect(error).not.toHaveProperty('cause')
  })

  it.each(['no url', 'ftp://h/', ''])('rejects for the URL "%s"', async (url) => {
    await expect(createClient().post(url)).rejects.toThrow(
      'Post "<redacted>": the URL must be http or https',
    )
  })

  it('reports a connection that the server closed', async () => {
    const url = await listen(createServer((request) => request.socket.destroy()))
    await expect(createClient().post(url)).rejects.toMatchObject({
      reason: 'NotAnswered',
      message: 'Post "<redacted>": connection closed (UND_ERR_SOCKET)',
    })
  })

  it('reports a blocked port', async () => {
    await expect(createClient().post('http://127.0.0.1:25/')).rejects.toThrow(
      'Post "<redacted>": the port is not allowed',
    )
  })

  it('ends with its signal', async () => {
    const controller = new AbortController()
    const server = await captureServer(() => {
      controller.abort()
      return new Promise<GivenAnswer>(() => undefined)
    })
    const request = { method: 'GET', url: server.url } as const
    await expect(
      createClient().send(request, defaultHttpConfig, controller.signal),
    ).rejects.toThrow('Get "<redacted>": context canceled')
    await expect(
      createClient().send(request, defaultHttpConfig, controller.signal),
    ).rejects.toThrow('Get "<redacted>": context canceled')
    expect(server.requests.length).toBe(1)
  })

  it('distinguishes a timeout from a cancellation', async () => {
    const server = await captureServer(() => new Promise<GivenAnswer>(() => undefined))
    const request = { method: 'PUT', url: server.url, body: '' } as const
    await expect(
      createClient().send(request, defaultHttpConfig, AbortSignal.timeout(20)),
    ).rejects.toThrow('Put "<redacted>": context deadline exceeded')
  })
})

describe('close', () => {
  it('leaves a client that can be used again', async () => {
    const server = await captureServer()
    const client = createClient()
    await client.close()
    expect(
      (await client.send({ method: 'GET', url: server.url }, defaultHttpConfig, signal)).status,
    ).toBe(200)
  })
})
