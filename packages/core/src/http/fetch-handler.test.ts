import { describe, expect, it } from 'vitest'
import { textAnswer } from './answer.ts'
import { type FetchHandlerOptions, fetchHandler } from './fetch-handler.ts'
import { fetchRoute } from './fetch-route.ts'
import { readBody } from './read-body.ts'
import type { Route } from './route.ts'

const echo: Route = {
  method: 'GET',
  path: '/of/:name',
  answer: async (_, info) => textAnswer(200, JSON.stringify(info), {}),
}

async function ask(url: string, options: FetchHandlerOptions = {}, headers = {}): Promise<unknown> {
  const response = await fetchHandler([echo], options)(new Request(url, { headers }))
  return response.status === 200 ? response.json() : response.status
}

describe('fetchHandler()', () => {
  it('gives a route the path, the query and whether the connection is secure', async () => {
    expect(await ask('https://host/of/a%20b?q=%20#f')).toEqual({
      params: { name: 'a b' },
      path: '/of/a%20b',
      mountPath: '',
      query: 'q=%20',
      secure: true,
    })
  })

  it('serves below its base path and nothing else', async () => {
    const options = { basePath: '/api/x' }
    expect(await ask('http://host/api/x/of/a', options)).toMatchObject({
      path: '/of/a',
      mountPath: '/api/x',
    })
    for (const path of ['/of/a', '/api/xy/of/a', '/api/x', '/api/x/']) {
      expect(await ask(`http://host${path}`, options)).toBe(404)
    }
    for (const basePath of ['api', '/', '/api/', '/a?b', '//a']) {
      expect(() => fetchHandler([], { basePath })).toThrow('basePath: expected a path such as /api')
    }
  })

  it('knows the client from the platform, and from trusted proxies', async () => {
    const headers = { 'x-forwarded-for': '6.6.6.6, 192.0.2.1', 'x-forwarded-proto': 'HTTPS' }
    const client = () => ({ address: '10.0.0.9', port: 4_711 })
    const url = 'http://host/of/a'
    expect(await ask(url, { client }, headers)).toMatchObject({
      peer: { address: '10.0.0.9', port: 4_711 },
      secure: false,
    })
    const expected = { peer: { address: '192.0.2.1' }, secure: true }
    expect(await ask(url, { client, trustedProxies: ['10.0.0.0/24'] }, headers)).toMatchObject(
      expected,
    )
    expect(await ask(url, { client, trustedProxies: ['10.0.0.0/24'] })).toMatchObject({
      peer: { address: '10.0.0.9' },
    })
    expect(await ask(url, { client: () => null })).not.toHaveProperty('peer')
    const unreported = { trustedProxies: ['127.0.0.1'] }
    expect(await ask(url, unreported, headers)).toMatchObject(expected)
    expect(await ask(url, { ...unreported, client: () => null }, headers)).not.toHaveProperty(
      'peer',
    )
    expect(() => fetchHandler([], { trustedProxies: ['nginx'] })).toThrow(TypeError)
  })

  it('passes the arguments of the platform to the options', async () => {
    interface Platform {
      remote: string
    }
    const handler = fetchHandler([echo], {
      client: (_, { remote }: Platform) => ({ address: remote }),
      otherwise: (request, { remote }: Platform) =>
        new Response(`${new URL(request.url).pathname} ${remote}`),
    })
    const platform = { remote: '::1' }
    const known = await handler(new Request('http://host/of/a'), platform)
    expect(await known.json()).toMatchObject({ peer: { address: '::1' } })
    const other = await handler(new Request('http://host/other'), platform)
    expect(await other.text()).toBe('/other ::1')
  })

  it('answers a method with its route, then with *, then with 404', async () => {
    const rows = ['GET /a', '* /a', 'POST /b'].map((row) => {
      const [method = '', path = ''] = row.split(' ')
      return fetchRoute(
        method,
        path,
        () => new Response(row, { status: method === '*' ? 405 : 200 }),
      )
    })
    const handler = fetchHandler(rows)
    const status = async (method: string, path: string): Promise<number> =>
      (await handler(new Request(`http://host${path}`, { method }))).status
    expect(await status('GET', '/a')).toBe(200)
    expect(await status('HEAD', '/a')).toBe(405)
    expect(await status('GET', '/b')).toBe(404)
  })

  it('lets a route limit the body and notice that its client has disconnected', async () => {
    const bounded: Route = {
      method: 'POST',
      path: '/',
      answer: async (request) => {
        const failure = await readBody(request, 3).catch((error: Error) => error.message)
        return textAnswer(413, `${failure} ${request.signal.aborted}`, {})
      },
    }
    let canceled = false
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(2)),
      cancel() {
        canceled = true
      },
    })
    const init = { method: 'POST', body, duplex: 'half' as const, signal: AbortSignal.abort() }
    const response = await fetchHandler([bounded])(new Request('http://host/', init))
    expect(await response.text()).toBe('the request body is larger than 3 bytes true')
    expect(canceled).toBe(true)
  })

  it('rejects if a route does', async () => {
    const failing = fetchRoute('GET', '/', () => Promise.reject(new Error('x')))
    await expect(fetchHandler([failing])(new Request('http://host/'))).rejects.toThrow('x')
  })
})
