import type { Route } from '@gatehouse/core'
import { fetchRoute } from '@gatehouse/core/adapter'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { honoAdapter } from './index.ts'

/** Answers the request information of the adapter. */
const echo = (method: string, path: string): Route =>
  fetchRoute(method, path, async (request, info) =>
    Response.json({ row: `${method} ${path}`, info, body: await request.text() }),
  )

interface App {
  fetch: Hono['fetch']
}

const send = (app: App, path: string, init?: RequestInit, env?: unknown) =>
  app.fetch(new Request(`http://host${path}`, init), env)

const ask = async (app: App, path: string, init?: RequestInit, env?: unknown) =>
  JSON.parse(await (await send(app, path, init, env)).text())

const info = (path: string, mountPath = '', query = '', params = {}) => ({
  params,
  path,
  mountPath,
  query,
  secure: false,
})

describe('honoAdapter', () => {
  it('knows path, mount path and query wherever it is mounted', async () => {
    const routes = [echo('GET', '/a/:id'), echo('GET', '/')]
    const app = new Hono()
      .route('/sub', honoAdapter(routes))
      .route('/of/:tenant/x', honoAdapter(routes))
      .mount('/mounted', honoAdapter(routes).fetch)
    const own = await ask(honoAdapter(routes), '/a/b%2Fc?q=%20#f')
    expect(own).toMatchObject({ info: info('/a/b%2Fc', '', 'q=%20', { id: 'b/c' }) })
    expect(await ask(app, '/sub/a/1?q')).toMatchObject({
      info: info('/a/1', '/sub', 'q', { id: '1' }),
    })
    expect(await ask(app, '/of/%C3%BC/x/a/1')).toMatchObject({
      info: info('/a/1', '/of/%C3%BC/x', '', { id: '1' }),
    })
    expect(await ask(app, '/mounted/a/1')).toMatchObject({ info: { path: '/a/1' } })
    expect(await ask(app, '/sub')).toMatchObject({ info: info('/', '/sub') })
    expect(await ask(app, '/sub/')).toMatchObject({ info: info('/', '/sub') })
  })

  it('leaves a path without a route to its app', async () => {
    const app = new Hono()
      .route('/', honoAdapter([echo('GET', '/a'), echo('GET', '/a/*')]))
      .get('/b', (c) => c.text('own'))
    const response = await send(app, '/b')
    expect(await response.text()).toBe('own')
    expect((await send(app, '/c')).status).toBe(404)
  })

  it('a HEAD request reaches a HEAD or * route and no GET route', async () => {
    const rows: Route[] = ['GET /a', 'GET /b', 'HEAD /b', 'GET /c', '* /c'].map((row) => {
      const [method = '', path = ''] = row.split(' ')
      const headers = { 'x-row': row }
      return fetchRoute(method, path, () => new Response(null, { headers }))
    })
    const app = honoAdapter(rows)
    const row = async (path: string) =>
      (await app.request(path, { method: 'HEAD' })).headers.get('x-row')
    expect(await row('/a')).toBe(null)
    expect(await row('/b')).toBe('HEAD /b')
    expect(await row('/c')).toBe('* /c')
  })

  it('passes on a body that an earlier handler has read', async () => {
    const app = new Hono()
      .use('*', async (c, next) => {
        await c.req.text()
        await next()
      })
      .route('/', honoAdapter([echo('POST', '/a')]))
    expect(await ask(app, '/a', { method: 'POST', body: 'ü[1]' })).toMatchObject({ body: 'ü[1]' })
  })

  it('trusts the proxies it is given, from the right', async () => {
    const incoming = { socket: { remoteAddress: '10.0.0.9', remotePort: 4_711 } }
    const headers = {
      'x-forwarded-for': '6.6.6.6, 192.0.2.1,10.0.0.8',
      'x-forwarded-proto': 'https',
    }
    const seen = async (trustedProxies?: string[], given: Record<string, string> = headers) => {
      const options = trustedProxies === undefined ? {} : { trustedProxies }
      const app = honoAdapter([echo('GET', '/a')], options)
      const { info: known } = await ask(app, '/a', { headers: given }, { incoming })
      return [known.peer.address, known.peer.port, known.secure]
    }
    expect(await seen()).toEqual(['10.0.0.9', 4_711, false])
    expect(await seen(['10.0.0.9'])).toEqual(['10.0.0.8', undefined, true])
    expect(await seen(['10.0.0.0/28'])).toEqual(['192.0.2.1', undefined, true])
    expect(await seen(['0.0.0.0/0'])).toEqual(['6.6.6.6', undefined, true])
    expect(() => honoAdapter([], { trustedProxies: ['nginx'] })).toThrow(TypeError)
    expect(await seen(['10.0.0.9'], {})).toEqual(['10.0.0.9', 4_711, false])
    expect(await seen(['10.0.0.9'], { 'x-forwarded-for': '' })).toEqual(['10.0.0.9', 4_711, false])
  })

  it('asks the given platform for the client', async () => {
    const app = honoAdapter([echo('GET', '/a')], { client: () => ({ address: '::1' }) })
    expect((await ask(app, '/a')).info.peer).toEqual({ address: '::1' })
    expect((await ask(honoAdapter([echo('GET', '/a')]), '/a')).info.peer).toBeUndefined()
  })

  it('leaves a rejection of a handler to the error handler of the app', async () => {
    const failing = fetchRoute('GET', '/a', () => Promise.reject(new Error('x')))
    const app = new Hono().route('/', honoAdapter([failing]))
    app.onError((error, c) => c.text(error.message, 500))
    const response = await app.request('/a')
    expect([response.status, await response.text()]).toEqual([500, 'x'])
  })
})
