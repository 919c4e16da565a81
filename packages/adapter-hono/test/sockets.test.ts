import type { AddressInfo } from 'node:net'
import type { Route } from '@gatehouse/core'
import { fetchRoute } from '@gatehouse/core/adapter'
import type { RunningServer } from '@gatehouse/core/conformance'
import { serve, upgradeWebSocket, type WebSocketServerLike } from '@hono/node-server'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { describeSockets } from '../../../test-support/describe-sockets.ts'
import { honoAdapter } from '../src/index.ts'

function listen(app: Hono, path = ''): Promise<RunningServer> {
  app.onError((_, c) => c.text('failed', 500))
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1_024 })
  // Its type does not allow an explicit `undefined`.
  const websocket = { server: sockets as WebSocketServerLike }
  return new Promise((resolve) => {
    const options = { fetch: app.fetch, port: 0, hostname: '127.0.0.1', websocket }
    const server = serve(options, (address) => {
      const { port } = address as AddressInfo
      resolve({
        url: `http://127.0.0.1:${port}${path}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            if ('closeAllConnections' in server) server.closeAllConnections()
          }),
      })
    })
  })
}

describeSockets('hono', (routes) => listen(honoAdapter(routes, { upgradeWebSocket })))

describeSockets('hono, below a path', (routes) =>
  listen(new Hono().route('/sub/:tenant', honoAdapter(routes, { upgradeWebSocket })), '/sub/a%20b'),
)

describe('an adapter', () => {
  const connect = async () => () => () => {}
  const row: Route = { ...fetchRoute('GET', '/a', () => new Response('plain')), connect }
  const headers = { upgrade: 'WebSocket', connection: 'Upgrade' }

  it('without upgradeWebSocket gives an ordinary answer to an upgrade request', async () => {
    expect(await (await honoAdapter([row]).request('/a', { headers })).text()).toBe('plain')
  })

  it('on a platform that opens no socket answers 426', async () => {
    const app = honoAdapter([row], { upgradeWebSocket: () => async () => undefined })
    expect((await app.request('/a', { headers })).status).toBe(426)
    expect((await app.request('/a')).status).toBe(200)
  })
})
