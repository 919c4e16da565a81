import { createServer, type RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { BatchedResponse } from './batched-response.ts'

/** A server of batched answers, and so many connections to it that have sent a request each. */
async function asked(listener: RequestListener, count: number): Promise<Socket[]> {
  const server = createServer({ ServerResponse: BatchedResponse }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const sockets = Array.from({ length: count }, (_, index) => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    socket.on('error', () => {})
    socket.write(`GET /${index} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    return socket
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
    server.closeAllConnections()
  })
  return sockets
}

async function textOf(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

/** Hands over answers once so many requests are there. */
function together(count: number, answer: (outgoing: BatchedResponse, url: string) => void) {
  const waiting: (() => void)[] = []
  const listener: RequestListener = ({ url = '' }, outgoing) => {
    waiting.push(() => answer(outgoing as BatchedResponse, url))
    if (waiting.length === count) for (const go of waiting.splice(0)) go()
  }
  return listener
}

it('sends the answers of a turn at its end, each whole', async () => {
  const sent: string[] = []
  const listener = together(5, (outgoing, url) => {
    const text = `answer to ${url}`
    outgoing.writeHead(200, { 'x-url': url, 'content-length': text.length })
    outgoing.end(text, () => sent.push(url))
    if (outgoing.writableEnded) sent.push('at once')
  })
  const answers = await Promise.all((await asked(listener, 5)).map(textOf))
  for (const [index, answer] of answers.entries()) {
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toContain(`\r\nx-url: /${index}\r\n`)
    expect(answer.endsWith(`\r\n\r\nanswer to /${index}`)).toBe(true)
  }
  expect(sent.sort()).toEqual(['/0', '/1', '/2', '/3', '/4'])
})

it('keeps what was written before it was ended', async () => {
  const listener = together(2, (outgoing) => {
    outgoing.write('one, ')
    outgoing.end('two')
  })
  for (const answer of await Promise.all((await asked(listener, 2)).map(textOf))) {
    expect(answer).toMatch(/one, .*two/s)
  }
})

it('sends an answer that is destroyed behind its end', async () => {
  const listener = together(2, (outgoing) => {
    outgoing.writeHead(400, { 'content-length': 3 }).end('why')
    outgoing.destroy()
  })
  for (const answer of await Promise.all((await asked(listener, 2)).map(textOf))) {
    expect(answer.endsWith('why')).toBe(true)
  }
})

it('refuses a second end, as Node.js does', async () => {
  const problems: unknown[] = []
  const listener = together(2, (outgoing) => {
    outgoing.on('error', (error) => problems.push(Reflect.get(error, 'code')))
    outgoing.writeHead(200, { 'content-length': 5 }).end('first')
    outgoing.end('second')
  })
  for (const answer of await Promise.all((await asked(listener, 2)).map(textOf))) {
    expect(answer.endsWith('first')).toBe(true)
  }
  expect(problems).toEqual(['ERR_STREAM_WRITE_AFTER_END', 'ERR_STREAM_WRITE_AFTER_END'])
})

it.each([
  ['a piece that is none', (outgoing: BatchedResponse) => outgoing.writeHead(200).end(42)],
  [
    'a header that cannot be sent',
    (outgoing: BatchedResponse) => {
      outgoing.statusMessage = '\0'
      outgoing.end('x')
    },
  ],
])('throws at once for %s', async (_, end) => {
  const thrown: unknown[] = []
  const listener = together(2, (outgoing) => {
    try {
      end(outgoing)
    } catch (error) {
      thrown.push(Reflect.get(Object(error), 'code'))
      outgoing.destroy()
    }
  })
  await Promise.all((await asked(listener, 2)).map((socket) => textOf(socket).catch(() => '')))
  expect(thrown).toEqual([
    expect.stringMatching(/^ERR_INVALID_/),
    expect.stringMatching(/^ERR_INVALID_/),
  ])
})
