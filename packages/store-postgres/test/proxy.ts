import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Identifies a request to the database by its text, and optionally by the text of the request before it on the same connection.
 */
export interface ProxyRequest {
  readonly text: string
  readonly behind?: string
}

/** A proxy between a storage and its database that can break connections. */
export interface DatabaseProxy {
  /** The URL of the database through the proxy. */
  readonly url: string
  /** The number of open connections. */
  readonly count: number
  /** Breaks the connection instead of forwarding the next matching request. */
  cutBefore(request: ProxyRequest): void
  /** Forwards the next matching request, but breaks the connection instead of returning its answer. */
  cutAfter(request: ProxyRequest): void
  /** Forwards nothing any more, as if the network had failed. Connections stay open. */
  hang(): void
  resume(): void
  /** Breaks all connections, and refuses new ones. */
  refuse(): Promise<void>
  accept(): Promise<void>
  end(): Promise<void>
}

/** Starts a proxy on a free port of 127.0.0.1. */
export async function startProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const pairs = new Set<{ readonly client: Socket; readonly server: Socket }>()
  let cut: (ProxyRequest & { readonly isAfter: boolean }) | undefined
  let isHanging = false

  const join = (client: Socket): void => {
    const server = connect(Number(target.port), target.hostname)
    const pair = { client, server }
    pairs.add(pair)
    let isCut = false
    /** The request before the one to be cut. */
    let behind = ''
    const end = (): void => {
      pairs.delete(pair)
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
    client.on('data', (data) => {
      if (cut?.behind !== undefined && data.includes(cut.behind)) behind = cut.behind
      if (cut === undefined || (cut.behind ?? '') !== behind || !data.includes(cut.text)) {
        server.write(data)
        return
      }
      const { isAfter } = cut
      cut = undefined
      isCut = true
      if (isAfter) server.write(data)
      else end()
    })
    server.on('data', (data) => {
      if (isCut) end()
      else client.write(data)
    })
    if (isHanging) for (const socket of [client, server]) socket.pause()
  }

  const sockets = (): Socket[] => [...pairs].flatMap(({ client, server }) => [client, server])
  let listening = await listen(0, join)
  const { port } = listening
  const url = Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href

  const refuse = async (): Promise<void> => {
    const closed = new Promise((resolve) => listening.server.close(resolve))
    for (const socket of sockets()) socket.destroy()
    await closed
  }
  return {
    url,
    get count() {
      return pairs.size
    },
    cutBefore(request) {
      cut = { ...request, isAfter: false }
    },
    cutAfter(request) {
      cut = { ...request, isAfter: true }
    },
    hang() {
      isHanging = true
      for (const socket of sockets()) socket.pause()
    },
    resume() {
      isHanging = false
      for (const socket of sockets()) socket.resume()
    },
    refuse,
    async accept() {
      listening = await listen(port, join)
    },
    end: refuse,
  }
}

function listen(
  port: number,
  onConnection: (socket: Socket) => void,
): Promise<{ readonly server: Server; readonly port: number }> {
  return new Promise((resolve, reject) => {
    const server = createServer(onConnection)
    server.on('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve({ server, port: address.port })
      else reject(new Error('a listening server has no port'))
    })
  })
}
