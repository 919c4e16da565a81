import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Route } from '@gatehouse/core'
import { textAnswer } from '@gatehouse/core/adapter'
import type { RunningServer } from '@gatehouse/core/conformance'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { describeSockets } from '../../../test-support/describe-sockets.ts'
import { openSocket } from '../../../test-support/socket-client.ts'
import { type NodeUpgradeOptions, nodeAdapter, nodeUpgrade } from '../src/index.ts'

function listen(
  routes: readonly Route[],
  options: Partial<NodeUpgradeOptions> = {},
): Promise<RunningServer> {
  const { mountPath = '' } = options
  const server = createServer(nodeAdapter(routes, { mountPath }))
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1_024 })
  server.on('upgrade', nodeUpgrade(routes, { server: sockets, ...options }))
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({
        url: `http://127.0.0.1:${port}${mountPath}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            server.closeAllConnections()
          }),
      })
    })
  })
}

describeSockets('a Node server', (routes) => listen(routes))

describeSockets('a Node server, below a path', (routes) => listen(routes, { mountPath: '/sub' }))

describe('nodeUpgrade', () => {
  const servers: RunningServer[] = []
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })
  const start = async (
    routes: readonly Route[],
    options: Partial<NodeUpgradeOptions> = {},
  ): Promise<string> => {
    const server = await listen(routes, options)
    servers.push(server)
    return server.url.replace('http:', 'ws:')
  }
  /** Answers the client's information, and opens no socket. */
  const whoAsks: Route = {
    method: 'GET',
    path: '/a',
    answer: async () => textAnswer(200, 'plain', {}),
    connect: async ({ url }, { peer, secure }) =>
      textAnswer(
        403,
        JSON.stringify([new URL(url).protocol, peer?.address, typeof peer?.port, secure]),
        {},
      ),
  }

  it('sends the whole answer of a route that refuses', async () => {
    await expect(openSocket(`${await start([whoAsks])}/a`)).rejects.toThrow(
      '403 ["http:","127.0.0.1","number",false]',
    )
  })

  it('trusts the proxies it is given, from the right', async () => {
    const headers = {
      'x-forwarded-for': '6.6.6.6, 192.0.2.1,10.0.0.8',
      'x-forwarded-proto': 'https',
    }
    const asked = (url: string) => openSocket(`${url}/a`, { headers })
    await expect(asked(await start([whoAsks]))).rejects.toThrow('["http:","127.0.0.1"')
    const trustedProxies = ['127.0.0.0/8']
    await expect(asked(await start([whoAsks], { trustedProxies }))).rejects.toThrow(
      '["https:","10.0.0.8","undefined",true]',
    )
    const both = { trustedProxies: [...trustedProxies, '10.0.0.8'] }
    await expect(asked(await start([whoAsks], both))).rejects.toThrow('192.0.2.1')
    await expect(openSocket(`${await start([whoAsks], { trustedProxies })}/a`)).rejects.toThrow(
      '127.0.0.1',
    )
    const server = new WebSocketServer({ noServer: true })
    expect(() => nodeUpgrade([], { server, trustedProxies: ['nginx'] })).toThrow(TypeError)
  })

  it('leaves upgrades without a route to others, even at a path next to the mount path', async () => {
    const seen: (string | undefined)[] = []
    const url = await start([whoAsks], {
      mountPath: '/sub',
      otherwise: ({ url: path }, socket) => {
        seen.push(path)
        socket.end('HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n')
      },
    })
    for (const path of ['/b', 'b/a']) {
      await expect(openSocket(`${url}${path}`)).rejects.toThrow('410')
    }
    expect(seen).toEqual(['/sub/b', '/subb/a'])
    await expect(openSocket(`${url}/a`)).rejects.toThrow('403')
  })

  it('answers 404 to an upgrade to another protocol', async () => {
    const url = (await start([whoAsks])).replace('ws:', 'http:')
    const status = await new Promise((resolve, reject) => {
      const headers = { connection: 'Upgrade', upgrade: 'h2c' }
      const sent = request(`${url}/a`, { headers })
      sent.on('response', (response) => resolve(response.resume().statusCode))
      sent.on('error', reject)
      sent.end()
    })
    expect(status).toBe(404)
  })

  it('reports the error of a route', async () => {
    const errors: unknown[] = []
    const failure = new Error('a failure of the test')
    const failing = { ...whoAsks, connect: () => Promise.reject(failure) }
    const url = await start([failing], { onError: (error) => errors.push(error) })
    await expect(openSocket(`${url}/a`)).rejects.toThrow('500')
    expect(errors).toEqual([failure])
  })

  it('handles a client that disconnects while its route decides', async () => {
    const outgoing = { destroy: () => {} }
    let leave = (): void => {}
    let end = (): void => {}
    const left = new Promise<void>((resolve) => {
      leave = resolve
    })
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const slow: Route = {
      ...whoAsks,
      async connect() {
        outgoing.destroy()
        await left
        return () => end
      },
    }
    const url = await start([slow])
    const handshake = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
    }
    const sent = request(`${url.replace('ws:', 'http:')}/a`, { headers: handshake })
    sent.on('error', () => {})
    sent.on('close', leave)
    outgoing.destroy = () => sent.destroy()
    sent.end()
    await ended
    await expect(openSocket(`${url}/elsewhere`)).rejects.toThrow('404')
  })
})
