import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { Route } from '@gatehouse/core'
import { fetchRoute, textAnswer } from '@gatehouse/core/adapter'
import { afterEach, describe, expect, it } from 'vitest'
import { type Listening, type ListenOptions, listen } from './listen.ts'
import { isAddress, type ListenPlace } from './server/listen-address.ts'

const running: Listening[] = []
afterEach(async () => {
  for (const listening of running.splice(0)) await listening.stop(0)
})

type Handler = (request: Request) => Response | Promise<Response>

const everywhere = (handler: Handler): readonly Route[] => [fetchRoute('*', '/*', handler)]

async function serve(
  handler: Handler,
  options: Partial<ListenOptions> = {},
): Promise<Listening & { url: string; port: number }> {
  const routes = everywhere(handler)
  const listening = await listen({ routes, places: [{ host: '127.0.0.1', port: 0 }], ...options })
  running.push(listening)
  const port = portOf(listening.places[0])
  return { ...listening, port, url: `http://127.0.0.1:${port}` }
}

function portOf(place: ListenPlace | undefined): number {
  if (place === undefined || !isAddress(place)) throw new Error('it does not listen at a port')
  return place.port
}

/** A handler that reports when it was called, and answers when released. */
function heldHandler(): { fetch: Handler; reached: Promise<void>; release: () => void } {
  let reach = (): void => {}
  let release = (): void => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const fetch = async (): Promise<Response> => {
    reach()
    await released
    return new Response('late')
  }
  return { fetch, reached, release: () => release() }
}

describe('listen()', () => {
  it('listens at every address, with the port that the machine chose', async () => {
    const listening = await listen({
      routes: everywhere(() => new Response('here')),
      places: [
        { host: '127.0.0.1', port: 0 },
        { host: '127.0.0.1', port: 0 },
      ],
    })
    running.push(listening)
    const ports = listening.places.map(portOf)
    expect(new Set(ports).size).toBe(2)
    for (const port of ports) {
      expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here')
    }
  })

  it('reads the client from the headers of trusted proxies, and of none by default', async () => {
    const tellsClient: Route = {
      method: 'GET',
      path: '/client',
      answer: async (_request, { peer, secure }) =>
        textAnswer(200, `${peer?.address} ${secure}`, {}),
    }
    const routes = [tellsClient]
    const headers = { 'x-forwarded-for': '6.6.6.6, 192.0.2.1', 'x-forwarded-proto': 'https' }
    const asked = async (options: Partial<ListenOptions>): Promise<string> => {
      const { url } = await serve(() => new Response(''), { routes, ...options })
      return (await fetch(`${url}/client`, { headers })).text()
    }
    expect(await asked({})).toBe('127.0.0.1 false')
    expect(await asked({ trustedProxies: ['10.0.0.0/8'] })).toBe('127.0.0.1 false')
    expect(await asked({ trustedProxies: ['::ffff:127.0.0.1'] })).toBe('192.0.2.1 true')
  })

  it('reports a taken address in one line and leaves nothing listening', async () => {
    const { port } = await serve(() => new Response(''))
    const taken = { host: '127.0.0.1', port }
    await expect(listen({ routes: [], places: [taken] })).rejects.toThrow(
      `cannot listen on 127.0.0.1:${taken.port}: the address is already in use`,
    )
  })

  it('answers requests in flight before stop() resolves, and accepts no new ones', async () => {
    const { fetch: handler, reached, release } = heldHandler()
    const { url, stop } = await serve(handler)
    const answer = fetch(url)
    await reached
    const stopped = stop(10_000)
    await expect(fetch(url)).rejects.toThrow()
    release()
    expect(await (await answer).text()).toBe('late')
    expect(await stopped).toBe(true)
  })

  it('drops requests still in flight when the time is over', async () => {
    const { fetch: handler, reached } = heldHandler()
    const { url, stop } = await serve(handler)
    const answer = fetch(url).catch((error: unknown) => String(error))
    await reached
    expect(await stop(50)).toBe(false)
    expect(await answer).toContain('fetch failed')
  })

  it('does not wait for idle connections', async () => {
    const { port, stop } = await serve(() => new Response('here'))
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    expect(await stop(10_000)).toBe(true)
    socket.destroy()
  })

  it('answers HTTP/1.0 clients that send no Host header', async () => {
    const { port } = await serve((request) => new Response(new URL(request.url).pathname))
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /-/healthy HTTP/1.0\r\n\r\n')
    let answer = ''
    for await (const chunk of socket) answer += chunk
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\/-\/healthy$/s)
  })

  it('accepts a request line of 100 kB, which long filters need', async () => {
    const { url } = await serve((request) => new Response(String(request.url.length)))
    const response = await fetch(`${url}/?filter=${'a'.repeat(100_000)}`)
    expect(Number(await response.text())).toBeGreaterThan(100_000)
  })
})

/** The server's answer to this head and, once it asks for more, to the body. */
async function continued(port: number, head: readonly string[], body: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${[...head, 'Host: x', 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`)
  let said = ''
  for await (const chunk of socket) {
    said += chunk
    if (said === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body)
  }
  return said
}

it('answers 400 to a request with a malformed URL, and reports no error', async () => {
  const errors: unknown[] = []
  const { port } = await serve(() => new Response(), { onError: (error) => errors.push(error) })
  for (const [target, host] of [
    ['/', 'a b'],
    ['*', 'x'],
  ]) {
    const socket = connect(port, '127.0.0.1')
    socket.write(`OPTIONS ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    let said = ''
    for await (const chunk of socket) said += chunk
    expect(said).toMatch(/^HTTP\/1\.1 400 /)
  }
  expect(errors).toEqual([])
})

describe('a request that is answered before its body has arrived', () => {
  it.each(['', 'Connection: close\r\n'])(
    'lets a client that sends the whole body first read the answer %#',
    async (header) => {
      const { port } = await serve(
        () => new Response('too large', { status: 413, headers: { connection: 'close' } }),
      )
      const socket = connect(port, '127.0.0.1')
      const length = 16 * 1024 * 1024
      const head = `POST / HTTP/1.1\r\nHost: x\r\n${header}Content-Length: ${length}\r\n\r\n`
      await new Promise((sent) =>
        socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(length)]), sent),
      )
      let said = ''
      for await (const chunk of socket) said += chunk
      expect(said).toMatch(/^HTTP\/1\.1 413 .*too large/s)
    },
  )

  it('lets it go on sending after this process stood still for longer than a client may pause, and is closed if the body does not end', async () => {
    const { port } = await serve(
      () => new Response('too large', { status: 413, headers: { connection: 'close' } }),
    )
    const silent = connect(port, '127.0.0.1')
    silent.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{')
    let said = ''
    silent.on('data', (chunk) => {
      said += chunk
    })
    const closed = once(silent, 'close')
    await expect.poll(() => said).toMatch(/^HTTP\/1\.1 413 .*too large/s)
    const client = new Worker(
      `const { connect } = require('node:net')
       const { parentPort } = require('node:worker_threads')
       const socket = connect(${port}, '127.0.0.1')
       const piece = Buffer.alloc(64 * 1024)
       let sent = 0
       const send = () => sent < 64 && socket.write(piece, () => setTimeout(send, 100, sent++))
       socket.write('POST / HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: ' + 64 * piece.length + '\\r\\n\\r\\n', send)
       socket.on('error', (error) => parentPort.postMessage(error.code))
       socket.on('close', () => parentPort.postMessage(sent))
       socket.once('data', () => parentPort.postMessage('answered')).resume()`,
      { eval: true },
    )
    const messages: unknown[] = []
    client.on('message', (message) => messages.push(message))
    await expect.poll(() => messages).toEqual(['answered'])
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_500)
    await closed
    await expect.poll(() => messages).toEqual(['answered', 64])
    await client.terminate()
  })
})

describe('Expect: 100-continue', () => {
  const close = { connection: 'close' }
  const routes: readonly Route[] = [
    {
      method: 'POST',
      path: '/whole',
      async answer(request) {
        const length = Number(request.headers.get('content-length'))
        if (length > 5) return textAnswer(413, 'too large', close)
        return textAnswer(200, Buffer.from(await request.arrayBuffer()).toString(), close)
      },
    },
    fetchRoute(
      'POST',
      '/stream',
      async (request) => new Response(await request.text(), { headers: close }),
    ),
  ]

  it.each(['whole', 'stream'])('is answered with 100 once the body is read (%s)', async (path) => {
    const { port } = await serve(() => new Response(), { routes })
    const head = [`POST /${path} HTTP/1.1`, 'Content-Length: 5']
    const said = await continued(port, head, 'hello')
    expect(said).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n.*hello/s)
    expect(said.match(/100 Continue/g)).toHaveLength(1)
  })

  it.each([
    ['413', 'whole', 'HTTP/1.1 413 Payload Too Large'],
    ['404', 'nowhere', 'HTTP/1.1 404 Not Found'],
  ])('is answered with %s alone if the body is not wanted', async (_, path, status) => {
    const { port } = await serve(() => new Response(), { routes })
    const head = [`POST /${path} HTTP/1.1`, 'Content-Length: 6']
    const said = await continued(port, head, 'hello!')
    expect(said.split('\r\n')[0]).toBe(status)
    expect(said).not.toContain('100 Continue')
  })
})

/** A body that the test writes, with callbacks for its end. */
function streamed(): {
  readonly fetch: Handler
  readonly write: (text: string) => void
  readonly end: () => void
  readonly canceled: Promise<unknown>
} {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let cancel = (_reason: unknown): void => {}
  const canceled = new Promise<unknown>((resolve) => {
    cancel = resolve
  })
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
    cancel: (reason) => cancel(reason),
  })
  return {
    fetch: async () => new Response(body, { headers: { 'Content-Type': 'text/plain' } }),
    write: (text) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => controller?.close(),
    canceled,
  }
}

describe('a streamed response', () => {
  it('begins before anything is written, and goes out piece by piece', async () => {
    const { fetch: handler, write, end } = streamed()
    const { url } = await serve(handler)
    const answer = await fetch(url)
    expect(answer.status).toBe(200)
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    for (const text of ['one', 'two']) {
      write(text)
      expect((await reader?.read())?.value).toBe(text)
    }
    end()
    expect((await reader?.read())?.done).toBe(true)
  })

  it('that fails is logged, and its client disconnected without the text of the error', async () => {
    const errors: unknown[] = []
    let pulls = 0
    const body = new ReadableStream({
      pull(controller) {
        if (pulls++ === 0) controller.enqueue(new TextEncoder().encode('begun'))
        else controller.error(new Error('of the storage'))
      },
    })
    const { port } = await serve(() => new Response(body), {
      onError: (error) => errors.push(error),
    })
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    let said = ''
    socket.on('data', (chunk) => {
      said += chunk
    })
    await new Promise((closed) => socket.once('close', closed))
    expect(errors).toEqual([new Error('of the storage')])
    expect(said).not.toContain('storage')
    expect(said).not.toMatch(/\r\n0\r\n\r\n$/)
  })

  it('is canceled when its client disconnects', async () => {
    const { fetch: handler, write, canceled } = streamed()
    const { url } = await serve(handler)
    const gone = new AbortController()
    await fetch(url, { signal: gone.signal })
    write('unheard')
    gone.abort()
    await canceled
  })

  it('is read no faster than its client reads', async () => {
    let pulled = 0
    const chunk = new Uint8Array(64 * 1024)
    const body = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        pull(controller) {
          pulled++
          controller.enqueue(chunk)
        },
      })
    const { port } = await serve(() => new Response(body()))
    const socket = connect(port, '127.0.0.1')
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    let before = -1
    await expect
      .poll(
        () => {
          const stands = pulled > 0 && pulled === before
          before = pulled
          return stands
        },
        { interval: 200 },
      )
      .toBe(true)
    // The system may buffer some megabytes for a loopback connection.
    expect(pulled * chunk.length).toBeLessThan(32 * 1024 * 1024)
    socket.destroy()
  })
})
