import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expressAdapter } from '@gatehouse/adapter-express'
import { honoAdapter } from '@gatehouse/adapter-hono'
import type { Route } from '@gatehouse/core'
import { getRequestListener } from '@hono/node-server'

/** A server whose routes can be replaced. */
export interface SwitchingServer {
  readonly port: number
  serve(routes: readonly Route[]): void
  close(): Promise<void>
}

const listeners: Readonly<Record<string, (routes: readonly Route[]) => RequestListener>> = {
  hono: (routes) => {
    const app = honoAdapter(routes)
    const listener = getRequestListener(app.fetch)
    return (incoming, outgoing) => void listener(incoming, outgoing)
  },
  express: (routes) => {
    const handler = expressAdapter(routes)
    return (incoming, outgoing) =>
      handler(incoming, outgoing, (error) => {
        outgoing.writeHead(error === undefined ? 404 : 500).end(String(error))
      })
  },
}

/** The names of the adapters a server can be had with. */
export const adapters: readonly string[] = Object.keys(listeners)

/** Starts a server on a free port. */
export async function startServer(adapter: string): Promise<SwitchingServer> {
  const create = listeners[adapter]
  if (create === undefined) throw new TypeError(`there is no adapter "${adapter}"`)
  let current = create([])
  const server: Server = createServer((incoming, outgoing) => current(incoming, outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    serve(routes) {
      current = create(routes)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
