import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { Route } from '@gatehouse/core'
import { fetchRoute } from '@gatehouse/core/adapter'
import { afterEach, describe, expect, it } from 'vitest'
import { describeSockets } from '../../../../test-support/describe-sockets.ts'
import { openSocket } from '../../../../test-support/socket-client.ts'
import { type Listening, type ListenOptions, listen } from '../listen.ts'
import { firstAddress } from './listen-address.ts'

const fixture = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)))

const running: Listening[] = []
afterEach(async () => {
  for (const listening of running.splice(0)) await listening.stop(0)
})

async function serve(
  routes: readonly Route[],
  options: Partial<ListenOptions> = {},
): Promise<{ listening: Listening; port: number }> {
  const listening = await listen({
    routes,
    places: [{ host: '127.0.0.1', port: 0 }],
    ...options,
  })
  const place = firstAddress(listening.places)
  if (place === undefined) throw new Error('it does not listen at a port')
  return { listening, port: place.port }
}

describeSockets('the server of the program', async (routes) => {
  const { listening, port } = await serve(routes)
  return { url: `http://127.0.0.1:${port}`, close: async () => void (await listening.stop(0)) }
})

const echo = fetchRoute('POST', '/echo', async (given) => {
  const { headers } = given
  return new Response(`${headers.get('upgrade')} ${headers.get('x-a')} ${await given.text()}`)
})
const socketRow: Route = {
  ...fetchRoute('GET', '/socket', () => new Response('plain')),
  connect: async () => () => () => {},
}

describe('a server that opens WebSockets', () => {
  it('answers clients that offer HTTP/2, with their body, on the same connection', async () => {
    const { listening, port } = await serve([echo, socketRow])
    running.push(listening)
    const headers = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAAQAAP__',
      'x-a': 'b',
    }
    const said = await new Promise<string>((resolve, reject) => {
      const asking = request({ port, method: 'POST', path: '/echo', headers }, (answer) => {
        resolve(readText(answer).then((body) => `${answer.statusCode} ${body}`))
      })
      asking.on('error', reject)
      asking.write('one, ')
      // The rest arrives long after the head was read.
      setImmediate(() => setImmediate(() => asking.end('two')))
    })
    expect(said).toBe('200 null b one, two')
  })

  it('keeps such a connection for the next request', async () => {
    const { listening, port } = await serve([echo, socketRow])
    running.push(listening)
    const socket = connect(port, '127.0.0.1')
    const head = 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n'
    socket.write(`${head}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\nab`)
    socket.write(`${head}Connection: Upgrade, close\r\nUpgrade: foo\r\nX-A: 2\r\n\r\ncd`)
    const answers = await readText(socket)
    expect(answers).toContain('null null ab')
    expect(answers).toContain('null 2 cd')
  })

  it('does so over TLS', async () => {
    const tls = { cert: fixture('server.pem'), key: fixture('server.key') }
    const { listening, port } = await serve([echo, socketRow], { tls })
    running.push(listening)
    const socket = connectTls({ port, host: '127.0.0.1', ca: fixture('ca.pem') })
    socket.write(
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\nab',
    )
    expect(await readText(socket)).toContain('null null ab')
  })

  it('terminates sockets whose clients do not answer in time', async () => {
    const { listening, port } = await serve([socketRow])
    const client = await openSocket(`ws://127.0.0.1:${port}/socket`)
    expect(await listening.stop(50)).toBe(false)
    expect(await client.closed).toBe('1006')
  })
})

it('without WebSockets ignores an upgrade offer', async () => {
  const { listening, port } = await serve([echo])
  running.push(listening)
  const socket = connect(port, '127.0.0.1')
  socket.write(
    'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\nab',
  )
  expect(await readText(socket)).toContain('h2c null ab')
})
