import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Route } from '@gatehouse/core'
import { fetchRoute } from '@gatehouse/core/adapter'
import { describeAdapter, type RunningServer } from '@gatehouse/core/conformance'
import { afterEach, describe, expect, it } from 'vitest'
import { type NodeAdapterOptions, nodeAdapter } from '../src/index.ts'

function listen(
  routes: readonly Route[],
  options: NodeAdapterOptions = {},
): Promise<RunningServer & { port: number }> {
  const server = createServer(nodeAdapter(routes, options))
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({
        port,
        url: `http://127.0.0.1:${port}${options.mountPath ?? ''}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            server.closeAllConnections()
          }),
      })
    })
  })
}

describeAdapter('a Node server', (routes) => listen(routes))

describeAdapter('a Node server, below a path', (routes) => listen(routes, { mountPath: '/sub' }))

describe('nodeAdapter', () => {
  const servers: RunningServer[] = []
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })
  const start = async (routes: readonly Route[], options: NodeAdapterOptions = {}) => {
    const server = await listen(routes, options)
    servers.push(server)
    return server
  }
  const echo = (method: string, path: string): Route =>
    fetchRoute(method, path, ({ method, url }, { query, peer, secure }) =>
      Response.json([method, new URL(url).protocol, query, peer?.address, secure]),
    )
  /** Sends a request with a target and method that fetch() refuses. */
  const send = (port: number, method: string, path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, method, path, agent: false }, (incoming) => {
        let text = `${incoming.statusCode} `
        incoming.on('data', (chunk) => {
          text += chunk
        })
        incoming.on('end', () => resolve(text))
      })
        .on('error', reject)
        .end()
    })

  it('accepts targets and methods that a standard Request refuses', async () => {
    const { port } = await start([echo('TRACE', '/a'), echo('GET', '/a'), echo('GET', '/c/d')])
    expect(await send(port, 'TRACE', '/a')).toContain('200 ["TRACE"')
    expect(await send(port, 'GET', 'http://elsewhere/a?b')).toContain('"b"')
    expect(await send(port, 'GET', '/c/./x/../d')).toContain('200')
    expect(await send(port, 'OPTIONS', '*')).toBe('404 ')
  })

  it('trusts the proxies it is given', async () => {
    const headers = { 'x-forwarded-for': '6.6.6.6, 192.0.2.1', 'x-forwarded-proto': 'https' }
    const asked = async (options: NodeAdapterOptions) =>
      (await fetch(`${(await start([echo('GET', '/')], options)).url}/`, { headers })).json()
    expect(await asked({})).toEqual(['GET', 'http:', '', '127.0.0.1', false])
    expect(await asked({ trustedProxies: ['127.0.0.1'] })).toEqual([
      'GET',
      'https:',
      '',
      '192.0.2.1',
      true,
    ])
    expect(() => nodeAdapter([], { trustedProxies: ['nginx'] })).toThrow(TypeError)
  })

  it('reports the error of a route, and leaves other paths to others', async () => {
    const errors: unknown[] = []
    const broken = new ReadableStream({
      pull: (controller) => controller.error(new Error('broke off')),
    })
    const { url } = await start(
      [
        fetchRoute('GET', '/fails', () => Promise.reject(new Error('failed'))),
        fetchRoute('GET', '/breaks', () => new Response(broken)),
      ],
      {
        onError: (error) => errors.push(error instanceof Error && error.message),
        otherwise: (_, outgoing) => outgoing.end('own'),
      },
    )
    expect((await fetch(`${url}/fails`)).status).toBe(500)
    await expect((async () => (await fetch(`${url}/breaks`)).text())()).rejects.toThrow()
    expect(await (await fetch(`${url}/other`)).text()).toBe('own')
    expect(errors).toEqual(['failed', 'broke off'])
  })
})
