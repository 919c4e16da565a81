import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describeAdapter, type RunningServer } from '@gatehouse/core/conformance'
import express5 from 'express'
import express4 from 'express4'
import { isInGrid } from '../../../test-support/lane.ts'
import { type ExpressHandler, expressAdapter } from '../src/index.ts'

function listen(app: RequestListener, path = ''): Promise<RunningServer> {
  const server = createServer(app)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({
        url: `http://127.0.0.1:${port}${path}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            server.closeAllConnections()
          }),
      })
    })
  })
}

const versions = [
  ['express 5', express5],
  ['express 4', express4 as unknown as typeof express5],
] as const

for (const [name, express] of versions) {
  const createApp = () => {
    const app = express()
    // Keeps Express from printing the errors that these tests cause.
    app.set('env', 'test')
    return app
  }
  const use = (app: ReturnType<typeof createApp>, handler: ExpressHandler) => app.use(handler)

  describeAdapter(name, async (routes) => listen(use(createApp(), expressAdapter(routes))))

  if (!isInGrid(express === express5, false)) continue
  describeAdapter(`${name}, below a path`, async (routes) => {
    const app = createApp()
    app.use('/sub/:tenant', expressAdapter(routes))
    return listen(app, '/sub/a%20b')
  })

  describeAdapter(`${name}, after body parsers`, async (routes) => {
    const app = createApp()
    app.use(express.json(), express.text(), express.urlencoded({ extended: false }))
    app.use(express.raw({ type: 'application/octet-stream' }))
    return listen(use(app, expressAdapter(routes)))
  })

  describeAdapter(`${name}, before body parsers`, async (routes) => {
    const app = createApp()
    use(app, expressAdapter(routes))
    app.use(express.json())
    return listen(app)
  })
}
