import type { AddressInfo } from 'node:net'
import type { Route } from '@gatehouse/core'
import { describeAdapter, type RunningServer } from '@gatehouse/core/conformance'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { honoAdapter } from '../src/index.ts'

function listen(app: Hono, path = ''): Promise<RunningServer> {
  app.onError((_, c) => c.text('failed', 500))
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (address) => {
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

describeAdapter('hono, alone', async (routes: readonly Route[]) => listen(honoAdapter(routes)))

describeAdapter('hono, in an app', async (routes) =>
  listen(new Hono().route('/', honoAdapter(routes))),
)

describeAdapter('hono, below a path', async (routes) =>
  listen(new Hono().route('/sub/:tenant', honoAdapter(routes)), '/sub/a%20b'),
)

describeAdapter('hono, after a handler that reads bodies', async (routes) => {
  const app = new Hono()
    .use('*', async (c, next) => {
      if (c.req.header('content-type') === 'application/json') await c.req.json()
      await next()
    })
    .route('/', honoAdapter(routes))
  return listen(app)
})
