import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Route } from '@gatehouse/core'
import type { Answer } from '@gatehouse/core/adapter'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeAdapter } from '../src/index.ts'

const long = JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, name: 'grüße' })))
const json = { 'content-type': 'application/json' }

const text = (body: string, headers: Answer['headers'] = json, status = 200): Answer => ({
  status,
  headers,
  body,
  byteLength: Buffer.byteLength(body),
})

const of = (path: string, answer: Answer, isCompressible = true, method = 'GET'): Route => ({
  method,
  path,
  isCompressible,
  answer: async () => answer,
})

describe('a Node server that compresses', () => {
  const closings: (() => void)[] = []
  afterEach(() => {
    for (const close of closings.splice(0)) close()
  })

  const start = async (routes: readonly Route[], compress = true) => {
    const server = createServer(nodeAdapter(routes, { compress }))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closings.push(() => void server.close().closeAllConnections())
    const { port } = server.address() as AddressInfo
    return (path: string, accepted = 'gzip, br', method = 'GET', more = {}) =>
      new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: Buffer }>(
        (resolve, reject) => {
          const headers = { 'accept-encoding': accepted, ...more }
          request({ port, path, method, headers, agent: false }, (incoming) => {
            const chunks: Buffer[] = []
            incoming.on('data', (chunk) => chunks.push(chunk))
            incoming.on('end', () =>
              resolve({
                status: incoming.statusCode,
                headers: incoming.headers,
                body: Buffer.concat(chunks),
              }),
            )
          })
            .on('error', reject)
            .end()
        },
      )
  }

  it('sends a text with gzip, and a long one with Brotli where the client takes it', async () => {
    const bytes = new TextEncoder().encode(long.repeat(20))
    const ask = await start([
      of('/text', text(long)),
      of('/bytes', { status: 200, headers: json, body: bytes, byteLength: bytes.length }),
    ])
    const short = await ask('/text')
    expect(short.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': `${short.body.length}`,
      vary: 'Accept-Encoding',
    })
    expect(gunzipSync(short.body).toString()).toBe(long)
    const [brotli, again, zipped] = [
      await ask('/bytes'),
      await ask('/bytes'),
      await ask('/bytes', 'gzip, br;q=0'),
    ]
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.body).equals(bytes)).toBe(true)
    expect(again.body.equals(brotli.body)).toBe(true)
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(zipped.body).equals(bytes)).toBe(true)
  })

  it('says that the answer depends on the encoding, also to a client without one', async () => {
    const ask = await start([of('/', text(long, { ...json, vary: 'Origin', etag: '"a"' }))])
    const plain = await ask('/', 'identity')
    expect(plain.headers).toMatchObject({ vary: 'Origin, Accept-Encoding', etag: '"a"' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.body.toString()).toBe(long)
    expect((await ask('/')).headers.etag).toBe('W/"a"')
  })

  it('answers HEAD with the headers of GET, and 304 with the tag that the client has', async () => {
    const { headers, byteLength } = text(long, { ...json, etag: '"a"', 'content-length': '9999' })
    const ask = await start([
      of('/', { status: 200, headers, body: null, byteLength }, true, 'HEAD'),
      of('/', { status: 304, headers: { etag: '"a"' }, body: null, byteLength: 0 }),
    ])
    const head = await ask('/', 'gzip', 'HEAD')
    expect(head.headers).toMatchObject({ 'content-encoding': 'gzip', etag: 'W/"a"' })
    expect(head.headers['content-length']).toBeUndefined()
    const unchanged = await ask('/', 'gzip', 'GET', { 'if-none-match': 'W/"a"' })
    expect(unchanged.status).toBe(304)
    expect(unchanged.headers).toMatchObject({ vary: 'Accept-Encoding', etag: 'W/"a"' })
    expect((await ask('/', 'identity')).headers.etag).toBe('"a"')
  })

  it('leaves alone what is short, binary, a range, a stream, encoded, or not to be changed', async () => {
    const stream = new Response(long).body
    const ask = await start([
      of('/short', text('{}')),
      of('/binary', text(long, { 'content-type': 'image/png' })),
      of('/range', text(long, json, 206)),
      of('/stream', { status: 200, headers: json, body: stream, byteLength: 0 }),
      of('/encoded', text(long, { ...json, 'content-encoding': 'zstd' })),
      of('/kept', text(long, { ...json, 'cache-control': 'private, no-transform' })),
      of('/chosen', text(long, { ...json, vary: 'accept-encoding', etag: '"a"' })),
    ])
    const paths = ['/short', '/binary', '/range', '/stream', '/encoded', '/kept', '/chosen']
    const answers = await Promise.all(paths.map((path) => ask(path)))
    expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'zstd',
      undefined,
      undefined,
    ])
    expect(answers.slice(1).every(({ body }) => body.toString() === long)).toBe(true)
    expect(answers.at(-1)?.headers.etag).toBe('"a"')
  })

  it('compresses nothing of a route that does not allow it, or unless it is switched on', async () => {
    const secret = await start([of('/', text(long), false)])
    const plain = await start([of('/', text(long))], false)
    for (const ask of [secret, plain]) {
      const { headers, body } = await ask('/')
      expect(headers['content-encoding']).toBeUndefined()
      expect(headers.vary).toBeUndefined()
      expect(body.toString()).toBe(long)
    }
  })
})
