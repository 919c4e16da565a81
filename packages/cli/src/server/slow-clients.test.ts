import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { applyLimits, patientLimits, serverOptionsOf } from './http-limits.ts'
import { handleSlowClients } from './slow-clients.ts'

const limits = { ...patientLimits, headerTimeout: 300, requestTimeout: 300 }
let ends: (() => unknown)[] = []
afterEach(() => {
  for (const end of ends) end()
  ends = []
})

interface Setup {
  readonly answer: RequestListener
  readonly prepare: (server: Server) => void
}

/** Starts a server and connects to it. */
async function connected({ answer, prepare }: Setup): Promise<Socket> {
  const server = createServer(serverOptionsOf(limits), answer)
  prepare(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  ends.push(
    () => server.close(),
    () => server.closeAllConnections(),
    () => socket.destroy(),
  )
  return socket
}

/** Everything received until the connection is closed. */
async function textOf(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

describe('a malformed or late request', () => {
  const answer: RequestListener = (incoming, outgoing) => {
    incoming.resume().once('end', () => outgoing.end('late'))
  }

  it('answers 408 as JSON to a request that does not arrive in time, and closes the connection', async () => {
    const socket = await connected({ answer, prepare: handleSlowClients })
    socket.write('POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345')
    const [head = '', body = ''] = (await textOf(socket)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n/)
    expect(head).toContain(`\r\nContent-Length: ${body.length}\r\n`)
    const id = /\r\nX-Request-Id: (\S+)$/.exec(head)?.[1]
    expect(JSON.parse(body)).toEqual({
      message: 'the request did not arrive in time',
      code: 'request_timeout',
      request_id: id,
    })
  })

  it.each([
    ['nonsense\r\n\r\n', '400 Bad Request'],
    [`GET / HTTP/1.1\r\nA: ${'a'.repeat(300_000)}\r\n\r\n`, '431 Request Header Fields Too Large'],
  ])('answers a malformed request as Node does', async (text, status) => {
    const socket = await connected({ answer, prepare: handleSlowClients })
    socket.write(text)
    expect(await textOf(socket)).toBe(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
  })

  it('does not write into a response that has begun', async () => {
    const socket = await connected({
      answer: (_, outgoing) => outgoing.write('begun'),
      prepare: handleSlowClients,
    })
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345')
    const text = await textOf(socket)
    expect(text).toContain('begun')
    expect(text).not.toContain('408')
  })
})

describe('an idle connection', () => {
  const prepare = (server: Server): void => {
    applyLimits(server, patientLimits)
    handleSlowClients(server, { stalledMs: 200 })
  }

  it('keeps the connection of a client that waits for its response', async () => {
    const socket = await connected({
      answer: (_, outgoing) => {
        outgoing.once('timeout', () => setImmediate(() => outgoing.end('at last')))
      },
      prepare,
    })
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(await textOf(socket)).toContain('at last')
  })

  it('keeps the connection of a client that waits for the rest of a response', async () => {
    const socket = await connected({
      answer: (_, outgoing) => {
        outgoing.write('first')
        outgoing.once('timeout', () => setImmediate(() => outgoing.end('then')))
      },
      prepare,
    })
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(await textOf(socket)).toMatch(/first.*then/s)
  })

  it('keeps the connection of a client that has sent its next request already', async () => {
    let release = (): void => {}
    const socket = await connected({
      answer: ({ url }, outgoing) => {
        if (url === '/next') return void outgoing.end('second')
        release = () => outgoing.end('first')
        outgoing.once('timeout', () => setImmediate(release))
      },
      prepare,
    })
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    socket.write('GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(await textOf(socket)).toMatch(/first.*second/s)
  })

  it('closes the connection of a client that sends nothing, or stops sending', async () => {
    for (const text of ['', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345']) {
      const socket = await connected({ answer: (incoming) => incoming.resume(), prepare })
      socket.write(text)
      expect(await textOf(socket)).toBe('')
    }
  })

  it('closes the connection of a client that does not read its response', async () => {
    let closed = (): void => {}
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve
    })
    const socket = await connected({
      answer: (_, outgoing) => {
        outgoing.once('close', closed)
        outgoing.write('x'.repeat(50_000_000))
      },
      prepare,
    })
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await isClosed
  })
})
