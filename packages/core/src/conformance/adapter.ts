import { afterEach, describe, expect, it } from 'vitest'
import type { Route } from '../http/route.ts'
import {
  answerOf,
  echo,
  endless,
  plainRoute,
  standardRoute,
  type TestRow,
} from './adapter-routes.ts'

/** A running server. */
export interface RunningServer {
  /** The base URL of the routes, without a trailing slash. It may have a path. */
  readonly url: string
  close(): Promise<void>
}

/** Starts a server on a free port of 127.0.0.1 that serves the routes through the adapter. */
export type AdapterServe = (routes: readonly Route[]) => Promise<RunningServer>

const megabyte = 1024 * 1024

/** A promise and its resolve function. */
function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** Tests the promises of `Route` and `RequestInfo` for an adapter, through a real server. */
export function describeAdapter(name: string, serve: AdapterServe): void {
  describe(`the adapter ${name}`, () => {
    const servers: RunningServer[] = []
    afterEach(async () => {
      await Promise.all(servers.splice(0).map((server) => server.close()))
    })
    const start = async (routes: readonly Route[]): Promise<string> => {
      const server = await serve(routes)
      servers.push(server)
      return server.url
    }

    describe.each<[string, (row: TestRow) => Route]>([
      ['that use standard requests', standardRoute],
      ['that use plain requests', plainRoute],
    ])('with routes %s', (_, made) => {
      const startedAt: Start = (...rows) => start(rows.map(made))
      describeMatching(startedAt)
      describeRequests(startedAt)
      describeResponses(startedAt)
      describeFailures(startedAt)
    })
  })
}

type Start = (...rows: readonly TestRow[]) => Promise<string>

function describeMatching(start: Start): void {
  it('passes a handler the path, the mount path, the query and the client', async () => {
    const url = await start(echo('GET', '/things/:id'))
    const mountPath = new URL(url).pathname.replace(/\/$/, '')
    const response = await fetch(`${url}/things/a%2Fb%20%C3%BC?q=%20+&q=2`)
    expect(await response.json()).toEqual({
      row: 'GET /things/:id',
      url: `${mountPath}/things/a%2Fb%20%C3%BC?q=%20+&q=2`,
      params: { id: 'a/b ü' },
      path: '/things/a%2Fb%20%C3%BC',
      mountPath,
      query: 'q=%20+&q=2',
      secure: false,
      address: expect.stringMatching(/^(::ffff:)?127\.0\.0\.1$/),
    })
  })

  it('routes a request to the most specific row, and to * if no other row matches', async () => {
    const url = await start(
      echo('*', '/api/*'),
      echo('GET', '/api/:name'),
      echo('GET', '/api/literal'),
    )
    const row = async (method: string, path: string): Promise<unknown> => {
      const answer: unknown = await (await fetch(url + path, { method })).json()
      return Object(answer).row
    }
    expect(await row('GET', '/api/literal')).toBe('GET /api/literal')
    expect(await row('GET', '/api/other')).toBe('GET /api/:name')
    expect(await row('GET', '/api/other/')).toBe('* /api/*')
    expect(await row('GET', '/api/')).toBe('* /api/*')
    expect(await row('PUT', '/api/literal')).toBe('* /api/*')
    expect(await row('OPTIONS', '/api/x/y')).toBe('* /api/*')
  })

  it('compares paths by case and by their trailing slash, and leaves the rest alone', async () => {
    const url = await start(echo('GET', '/thing'))
    expect((await fetch(`${url}/thing`)).status).toBe(200)
    for (const path of ['/Thing', '/thing/', '/thing/more', '/%74hing']) {
      expect((await fetch(url + path)).status).toBe(404)
    }
    expect((await fetch(`${url}/thing`, { method: 'POST' })).status).toBe(404)
  })

  it('does not match HEAD with a GET row, but with a HEAD row or a * row', async () => {
    const answer = (row: string) => (): Promise<Response> =>
      answerOf(row, { headers: { 'x-row': row, 'content-type': 'text/plain' } })
    const url = await start(
      { method: 'GET', path: '/get', handle: answer('get') },
      { method: 'GET', path: '/both', handle: answer('get') },
      { method: 'HEAD', path: '/both', handle: answer('head') },
      { method: '*', path: '/any', handle: answer('any') },
    )
    const head = async (path: string): Promise<unknown[]> => {
      const response = await fetch(url + path, { method: 'HEAD' })
      return [response.status, response.headers.get('x-row'), await response.text()]
    }
    expect(await head('/get')).toEqual([404, null, ''])
    expect(await head('/both')).toEqual([200, 'head', ''])
    expect(await head('/any')).toEqual([200, 'any', ''])
  })
}

function describeRequests(start: Start): void {
  it('passes a handler the body byte by byte', async () => {
    const sent = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256)
    const handle = async (request: Request): Promise<Response> =>
      new Response(await request.arrayBuffer())
    const url = await start({ method: 'POST', path: '/', handle })
    const init = { method: 'POST', headers: { 'content-type': 'application/octet-stream' } }
    const response = await fetch(`${url}/`, { ...init, body: sent })
    // As texts, because to compare so many numbers one by one takes long.
    expect(new Uint8Array(await response.arrayBuffer()).join()).toBe(sent.join())
  })

  it('passes a handler JSON as it was sent', async () => {
    const handle = async (request: Request): Promise<Response> =>
      answerOf(`${request.headers.get('content-type')} ${await request.text()}`)
    const url = await start({ method: 'POST', path: '/', handle })
    const body = '[{"labels":{"a":"ü","b":"<>"}}]'
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/`, { method: 'POST', body, headers })
    expect(await response.text()).toBe(`application/json ${body}`)
  })

  it('passes a handler a chunked body as a stream', async () => {
    const handle = async ({ body }: Request): Promise<Response> => {
      let length = 0
      const reader = body?.getReader()
      for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
        length += read.value.length
      }
      return answerOf(`${length}`)
    }
    const url = await start({ method: 'POST', path: '/', handle })
    let left = 40
    const body = new ReadableStream({
      pull(controller) {
        if (left-- > 0) controller.enqueue(new Uint8Array(megabyte / 4))
        else controller.close()
      },
    })
    const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'x/y' } }
    const response = await fetch(`${url}/`, init as RequestInit)
    expect(await response.text()).toBe(`${10 * megabyte}`)
  })

  it('passes an empty body for a POST without a body', async () => {
    const handle = async (request: Request): Promise<Response> =>
      answerOf(`${(await request.arrayBuffer()).byteLength}`)
    const url = await start({ method: 'POST', path: '/', handle })
    expect(await (await fetch(`${url}/`, { method: 'POST' })).text()).toBe('0')
  })

  it('joins repeated request headers', async () => {
    const handle = async (request: Request): Promise<Response> =>
      answerOf(`${request.headers.get('x-tag')}`)
    const url = await start({ method: 'GET', path: '/', handle })
    const headers = new Headers([
      ['x-tag', 'a'],
      ['x-tag', 'b'],
    ])
    expect(await (await fetch(`${url}/`, { headers })).text()).toBe('a, b')
  })

  it('aborts the signal of a handler when its client disconnects', async () => {
    const begun = deferred<void>()
    const gone = deferred<string>()
    const handle = async (request: Request): Promise<Response> => {
      request.signal.addEventListener('abort', () => gone.resolve('gone'))
      begun.resolve()
      await gone.promise
      return answerOf('late')
    }
    const url = await start({ method: 'GET', path: '/', handle })
    const client = new AbortController()
    const request = fetch(`${url}/`, { signal: client.signal }).catch(() => 'aborted')
    await begun.promise
    client.abort()
    expect(await gone.promise).toBe('gone')
    expect(await request).toBe('aborted')
  })

  it('fails only the read when a body breaks off', async () => {
    const outcome = deferred<string>()
    const handle = async (request: Request): Promise<Response> => {
      const read = await request.arrayBuffer().then(
        () => 'whole',
        () => 'broken off',
      )
      outcome.resolve(read)
      return answerOf(read)
    }
    const url = await start({ method: 'POST', path: '/', handle }, echo('GET', '/'))
    let pulled = 0
    const body = new ReadableStream({
      pull(controller) {
        pulled += 1
        if (pulled > 2) controller.error(new Error('enough'))
        else controller.enqueue(new Uint8Array(1_000))
      },
    })
    const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'x/y' } }
    await expect(fetch(`${url}/`, init as RequestInit)).rejects.toThrow()
    expect(await outcome.promise).toBe('broken off')
    expect((await fetch(`${url}/`)).status).toBe(200)
  })
}

function describeResponses(start: Start): void {
  it('returns status, headers and body', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    const url = await start(
      {
        method: 'GET',
        path: '/text',
        handle: () =>
          answerOf('grüße', { status: 418, headers: { 'content-type': 'text/x', vary: 'A' } }),
      },
      { method: 'GET', path: '/bytes', handle: () => answerOf(bytes) },
      {
        method: 'GET',
        path: '/none',
        handle: async () => new Response(null, { headers: { 'content-length': '0' } }),
      },
      { method: 'GET', path: '/204', handle: async () => new Response(null, { status: 204 }) },
    )
    const answered = await fetch(`${url}/text`)
    expect(answered.status).toBe(418)
    expect(answered.headers.get('content-type')).toBe('text/x')
    expect(answered.headers.get('vary')).toContain('A')
    expect(await answered.text()).toBe('grüße')
    const binary = await fetch(`${url}/bytes`)
    expect(new Uint8Array(await binary.arrayBuffer())).toEqual(bytes)
    const none = await fetch(`${url}/none`)
    expect([
      none.status,
      none.headers.get('content-length'),
      none.headers.get('content-type'),
    ]).toEqual([200, '0', null])
    expect((await fetch(`${url}/204`)).status).toBe(204)
  })

  it('returns repeated headers', async () => {
    const headers = new Headers({ 'content-type': 'text/plain' })
    for (const value of ['Origin', 'X-A', 'X-B']) headers.append('vary', value)
    for (const cookie of ['a=1; Path=/', 'b=2']) headers.append('set-cookie', cookie)
    const handle = (): Promise<Response> => answerOf('', { headers })
    const response = await fetch(`${await start({ method: 'GET', path: '/', handle })}/`)
    expect(response.headers.get('vary')).toBe('Origin, X-A, X-B')
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2'])
  })

  it('sends a complete stream of 10 MB', async () => {
    let left = 160
    const handle = async (): Promise<Response> => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (left === 0) controller.close()
          else controller.enqueue(new Uint8Array(65_536).fill(left--))
        },
      })
      return new Response(body, { headers: { 'content-type': 'x/y' } })
    }
    const url = await start({ method: 'GET', path: '/', handle })
    const bytes = new Uint8Array(await (await fetch(`${url}/`)).arrayBuffer())
    expect(bytes.length).toBe(10 * megabyte)
    expect([bytes[0], bytes[65_536], bytes.at(-1)]).toEqual([160, 159, 1])
  })

  it('sends the headers of a stream before its first chunk', async () => {
    const seen = deferred<void>()
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        await seen.promise
        controller.enqueue(new TextEncoder().encode('after it'))
        controller.close()
      },
    })
    const handle = async (): Promise<Response> =>
      new Response(body, { status: 203, headers: { 'content-type': 'x/y' } })
    const response = await fetch(`${await start({ method: 'GET', path: '/', handle })}/`)
    expect(response.status).toBe(203)
    seen.resolve()
    expect(await response.text()).toBe('after it')
  })

  it('cancels a stream when its client disconnects', async () => {
    const canceled = deferred<string>()
    const handle = async (): Promise<Response> =>
      new Response(endless(() => canceled.resolve('canceled')))
    const url = await start({ method: 'GET', path: '/', handle })
    const client = new AbortController()
    const response = await fetch(`${url}/`, { signal: client.signal })
    await response.body?.getReader().read()
    client.abort()
    expect(await canceled.promise).toBe('canceled')
  })
}

function describeFailures(start: Start): void {
  it('returns 500 when a handler rejects, and goes on', async () => {
    const handle = (): Promise<Response> => Promise.reject(new Error('a failure of the test'))
    const url = await start({ method: 'GET', path: '/fails', handle }, echo('GET', '/works'))
    expect((await fetch(`${url}/fails`)).status).toBe(500)
    expect((await fetch(`${url}/works`)).status).toBe(200)
  })

  it('throws for two rows with the same method and path', async () => {
    await expect(start(echo('GET', '/a'), echo('GET', '/a'))).rejects.toThrow(TypeError)
  })
}
