import type { Route } from '@gatehouse/core'
import { type Socket, type SocketHandler, textAnswer } from '@gatehouse/core/adapter'
import type { RunningServer } from '@gatehouse/core/conformance'
import { afterEach, describe, expect, it } from 'vitest'
import { openSocket, type SocketClient } from './socket-client.ts'

/** Starts a server on a free port of 127.0.0.1 that serves the routes, including WebSockets. */
export type SocketServe = (routes: readonly Route[]) => Promise<RunningServer>

/** A promise and the function that resolves it. */
function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** Tests that an adapter does what `Route.connect` promises, through a real server. */
export function describeSockets(name: string, serve: SocketServe): void {
  describe(`WebSockets through ${name}`, () => {
    const servers: RunningServer[] = []
    const clients: SocketClient[] = []
    afterEach(async () => {
      for (const client of clients.splice(0)) client.cut()
      await Promise.all(servers.splice(0).map((server) => server.close()))
    })

    const start = async (...routes: readonly Route[]): Promise<string> => {
      const server = await serve(routes)
      servers.push(server)
      return server.url
    }
    const open = async (url: string, options = {}): Promise<SocketClient> => {
      const client = await openSocket(url.replace(/^http/, 'ws'), options)
      clients.push(client)
      return client
    }
    const plain = (path: string): Route => ({
      method: 'GET',
      path,
      answer: async () => textAnswer(200, 'plain', {}),
    })
    const row = (path: string, connect: NonNullable<Route['connect']>): Route => ({
      ...plain(path),
      connect,
    })
    /** A row that hands its sockets to the test. */
    const held = (): { row: Route; opened: Promise<Socket>; ended: Promise<string> } => {
      const opened = deferred<Socket>()
      const ended = deferred<string>()
      const handler: SocketHandler = (socket) => {
        opened.resolve(socket)
        return () => ended.resolve('ended')
      }
      const route = row('/a', async () => handler)
      return { row: route, opened: opened.promise, ended: ended.promise }
    }

    it('give the row the same request and info as handle()', async () => {
      const url = await start(
        row('/of/:name', async (request, { params, path, query, secure, peer }) => (socket) => {
          const own = request.headers.get('x-own')
          const { pathname, search } = new URL(request.url)
          const address = peer?.address.replace('::ffff:', '')
          const asked = { method: request.method, url: pathname + search, own }
          socket.send(JSON.stringify({ ...asked, params, path, query, secure, address }))
          return () => {}
        }),
      )
      const mountPath = new URL(url).pathname.replace(/\/$/, '')
      const client = await open(`${url}/of/b%20c?q=%2B`, { headers: { 'x-own': 'yes' } })
      const [message = ''] = await client.received(1)
      expect(JSON.parse(message)).toEqual({
        method: 'GET',
        url: `${mountPath}/of/b%20c?q=%2B`,
        own: 'yes',
        params: { name: 'b c' },
        path: '/of/b%20c',
        query: 'q=%2B',
        secure: false,
        address: '127.0.0.1',
      })
    })

    it('send texts, pings and the end', async () => {
      const { row: route, opened, ended } = held()
      const client = await open(`${await start(route)}/a`)
      const socket = await opened
      socket.send('grüße')
      socket.send('{}')
      expect(await client.received(2)).toEqual(['grüße', '{}'])
      socket.ping()
      await client.pinged(1)
      socket.close(1000, 'enough')
      expect(await client.closed).toBe('1000 enough')
      expect(await ended).toBe('ended')
      socket.send('too late')
      socket.ping()
      socket.close(1000, 'again')
    })

    it('end when a client closes or disappears', async () => {
      for (const leave of ['close', 'cut'] as const) {
        const { row: route, opened, ended } = held()
        const client = await open(`${await start(route)}/a`)
        await opened
        client[leave]()
        expect(await ended).toBe('ended')
      }
    })

    it('cut off a client that has not answered a ping by the next one', async () => {
      const { row: route, opened, ended } = held()
      const client = await open(`${await start(route)}/a`, { autoPong: false })
      const socket = await opened
      socket.ping()
      await client.pinged(1)
      socket.ping()
      expect(await ended).toBe('ended')
      expect(await client.closed).toBe('1006')
    })

    it('ignore messages of the client, and close when one is too long', async () => {
      const { row: route, opened } = held()
      const client = await open(`${await start(route)}/a`)
      client.send('{"type":"refresh"}')
      client.send(new Uint8Array(8))
      const socket = await opened
      socket.send('still here')
      expect(await client.received(1)).toEqual(['still here'])
      client.send('x'.repeat(100_000))
      expect(await client.closed).toBe('1009')
    })

    it('are refused with the response of their row, and other rows still open', async () => {
      let isOpen = false
      const handler: SocketHandler = (socket) => {
        isOpen = true
        socket.send('in')
        return () => {}
      }
      const url = await start(
        row('/no', async () => textAnswer(403, 'not you', {})),
        row('/yes', async () => handler),
        plain('/plain'),
      )
      await expect(open(`${url}/no`)).rejects.toThrow(/^403/)
      expect(isOpen).toBe(false)
      expect(await (await open(`${url}/yes`)).received(1)).toEqual(['in'])
      await expect(open(`${url}/elsewhere`)).rejects.toThrow(/^404/)
      expect(await (await fetch(`${url}/yes`)).text()).toBe('plain')
      expect(await (await fetch(`${url}/plain`)).text()).toBe('plain')
    })

    it('answer 500 when a row fails, and other rows still open', async () => {
      const { row: route } = held()
      const failing = row('/fails', () => Promise.reject(new Error('a failure of the test')))
      const url = await start(failing, route)
      await expect(open(`${url}/fails`)).rejects.toThrow(/^500/)
      await open(`${url}/a`)
    })
  })
}
