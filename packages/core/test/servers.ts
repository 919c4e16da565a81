import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expressAdapter, expressUpgrade } from '@gatehouse/adapter-express'
import { honoAdapter } from '@gatehouse/adapter-hono'
import type { Route } from '@gatehouse/core'
import { createClientReader } from '@gatehouse/core/adapter'
import { createAdaptorServer, upgradeWebSocket, type WebSocketServerLike } from '@hono/node-server'
import { WebSocketServer } from 'ws'

/** A server whose routes can be replaced. */
export interface SwitchingServer {
  readonly port: number
  serve(routes: readonly Route[]): void
  close(): Promise<void>
}

/** Options of {@link startServer}. */
export interface StartServerOptions {
  /** Whether to accept WebSockets (default false). */
  readonly sockets?: boolean
}

/** The tests are the proxy in front, and choose the address of the client. */
const trustedProxies = ['127.0.0.1']

interface Serving {
  readonly server: Server
  serve(routes: readonly Route[]): void
}

const newSockets = (): WebSocketServer => new WebSocketServer({ noServer: true, maxPayload: 1_024 })

const servings: Readonly<Record<string, (hasSockets: boolean) => Serving>> = {
  hono: (hasSockets) => {
    let app = honoAdapter([])
    const server = createAdaptorServer({
      fetch: (request, env) => app.fetch(request, env),
      // The type requires an absent option, not `undefined`.
      ...(hasSockets ? { websocket: { server: newSockets() as WebSocketServerLike } } : {}),
    })
    return {
      // Without further options it creates an ordinary server.
      server: server as Server,
      serve(routes) {
        app = honoAdapter(routes, {
          trustedProxies,
          ...(hasSockets ? { upgradeWebSocket } : {}),
        })
      },
    }
  },
  express: (hasSockets) => {
    let handler = expressAdapter([])
    let upgrade = expressUpgrade([], { server: newSockets() })
    const readClient = createClientReader(trustedProxies)
    const server = createServer((incoming, outgoing) => {
      // As the setting `trust proxy` of Express does.
      const headers = new Headers(incoming.headers as Record<string, string>)
      const client = { address: incoming.socket.remoteAddress ?? '' }
      const { peer, secure } = readClient({ headers, client, secure: false })
      Object.assign(incoming, { ip: peer?.address, secure })
      handler(incoming, outgoing, (error) => {
        outgoing.writeHead(error === undefined ? 404 : 500).end(String(error))
      })
    })
    if (hasSockets) server.on('upgrade', (...given) => upgrade(...given))
    return {
      server,
      serve(routes) {
        handler = expressAdapter(routes)
        upgrade = expressUpgrade(routes, { server: newSockets(), trustedProxies })
      },
    }
  },
}

/** The names of the adapters that a server can use. */
export const adapters: readonly string[] = Object.keys(servings)

/** Starts a server on a free port. */
export async function startServer(
  adapter: string,
  { sockets = false }: StartServerOptions = {},
): Promise<SwitchingServer> {
  const create = servings[adapter]
  if (create === undefined) throw new TypeError(`there is no adapter "${adapter}"`)
  const { server, serve } = create(sockets)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    serve,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
