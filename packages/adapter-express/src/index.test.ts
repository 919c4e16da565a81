import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createWebhooks, type Route } from '@gatehouse/core'
import { fetchRoute } from '@gatehouse/core/adapter'
import { closeWebhooks } from '@gatehouse/core/webhook'
import { createMemoryStorage } from '@gatehouse/store-memory'
import express, { type Express } from 'express4'
import { afterEach, describe, expect, it } from 'vitest'
import { expressAdapter } from './index.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function listen(app: Express): Promise<number> {
  app.set('env', 'test')
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

/** Sends a request with a target and method that fetch() refuses. */
function send(port: number, method: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, method, path, agent: false },
      (incoming) => {
        let text = ''
        incoming.on('data', (chunk) => {
          text += chunk
        })
        incoming.on('end', () => resolve(`${incoming.statusCode} ${text}`))
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
}

const echo = (method: string, path: string): Route =>
  fetchRoute(method, path, async (asked, info) => {
    const { method: verb, headers } = asked
    const body = await asked.text()
    const encoding = headers.get('content-encoding')
    const length = headers.get('content-length')
    return Response.json({ verb, info, body, encoding, length })
  })

const ask = async (port: number, path: string, init?: RequestInit) =>
  JSON.parse(await (await fetch(`http://127.0.0.1:${port}${path}`, init)).text())

describe('expressAdapter', () => {
  it('passes a path without a route to the next middleware', async () => {
    const app = express()
    app.use(expressAdapter([echo('GET', '/a')]))
    app.get('/b', (_, response) => void response.send('own'))
    expect(await send(await listen(app), 'GET', '/b')).toBe('200 own')
  })

  it('knows its mount path in nested routers', async () => {
    const inner = express.Router()
    inner.use('/y', expressAdapter([echo('GET', '/'), echo('GET', '/a/:id')]))
    const app = express()
    app.use('/x/:tenant', inner)
    const port = await listen(app)
    expect((await ask(port, '/x/%C3%BC/y/a/1?q=1')).info).toMatchObject({
      path: '/a/1',
      mountPath: '/x/%C3%BC/y',
      query: 'q=1',
      params: { id: '1' },
    })
    expect((await ask(port, '/x/t/y')).info).toMatchObject({ path: '/', mountPath: '/x/t/y' })
  })

  it('trusts proxies like the app does', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' }
    const seen = async (trust: boolean) => {
      const app = express()
      app.set('trust proxy', trust)
      app.use(expressAdapter([echo('GET', '/')]))
      const { peer, secure } = (await ask(await listen(app), '/', { headers })).info
      return [peer.address, typeof peer.port, secure]
    }
    expect(await seen(false)).toEqual(['127.0.0.1', 'number', false])
    expect(await seen(true)).toEqual(['192.0.2.1', 'undefined', true])
  })

  it('prefers raw bytes that a program kept to a parsed body', async () => {
    const app = express()
    app.use(
      express.json({
        verify: (incoming, _, bytes) => {
          Object.assign(incoming, { rawBody: bytes })
        },
      }),
    )
    app.use(expressAdapter([echo('POST', '/')]))
    const headers = { 'content-type': 'application/json' }
    const body = '{ "n": 1.0 }'
    const answer = await ask(await listen(app), '/', { method: 'POST', headers, body })
    expect(answer.body).toBe(body)
  })

  it('passes on a parsed body, with headers that fit it', async () => {
    const app = express()
    app.use(express.json(), express.text(), expressAdapter([echo('POST', '/')]))
    const port = await listen(app)
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const body = gzipSync('{ "a": "ü" }')
    expect(await ask(port, '/', { method: 'POST', headers, body })).toMatchObject({
      body: '{"a":"ü"}',
      encoding: null,
      length: '10',
    })
    const text = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'ü' }
    expect(await ask(port, '/', text)).toMatchObject({ body: 'ü', length: '2' })
  })

  it('lets webhooks report that a parser kept no bytes to verify a signature', async () => {
    const lines: unknown[] = []
    const log = (fields: object): void => void lines.push(fields)
    const logger = { debug() {}, info: log, warn: log, error: log }
    const deploy = {
      id: 'deploy',
      token: 'not-used',
      signature: { scheme: 'github', secret: 's' },
      execute_command: 'true',
      workdir: '',
    } as const
    const webhooks = createWebhooks({
      storage: createMemoryStorage(),
      config: { webhooks: [deploy] },
      environment: process.env,
      logger,
    })
    const keepBytes = (incoming: IncomingMessage, _: unknown, bytes: Buffer): void => {
      Object.assign(incoming, { rawBody: bytes })
    }
    const parsing = express()
    parsing.use(express.json(), expressAdapter(webhooks.routes))
    const keeping = express()
    keeping.use(express.json({ verify: keepBytes }), expressAdapter(webhooks.routes))
    const [parsed, kept] = [await listen(parsing), await listen(keeping)]
    const post = async (port: number, headers: Record<string, string>): Promise<unknown> => {
      const response = await fetch(`http://127.0.0.1:${port}/webhook/deploy`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-request-id': 'r1', ...headers },
        body: signed,
      })
      return { ...JSON.parse(await response.text()), status: response.status }
    }
    const signed = '{ "n": 1.0 }'
    const digest = createHmac('sha256', 's').update(signed).digest('hex')
    const right = { 'x-hub-signature-256': `sha256=${digest}` }

    expect(await post(parsed, right)).toMatchObject({
      status: 401,
      code: 'invalid_signature',
      message:
        'the signature cannot be verified: a body parser before the webhooks kept no raw bytes',
    })
    expect(lines).toContainEqual({ webhook: 'deploy', request_id: 'r1', reason: 'body_was_parsed' })
    expect(await post(kept, right)).toMatchObject({ status: 200 })
    const plain = { code: 'invalid_signature', message: 'invalid signature' }
    const missing = { code: 'invalid_signature', message: 'the request has no signature' }
    expect(await post(parsed, {})).toMatchObject(missing)
    const wrong = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }
    expect(await post(kept, wrong)).toMatchObject(plain)
    await closeWebhooks(webhooks, { graceMs: 0 })
  })

  it('reports a body that was read and not kept', async () => {
    const app = express()
    app.use((incoming, _, next) => {
      incoming.resume().on('end', next)
    })
    const read = async (asked: Request) => new Response(await asked.text().catch(String))
    app.use(expressAdapter([fetchRoute('POST', '/', read)]))
    const port = await listen(app)
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x' })
    expect(await response.text()).toContain('read by another middleware')
  })

  it('accepts targets and methods that a standard Request refuses', async () => {
    const app = express()
    app.use(expressAdapter([echo('TRACE', '/a'), echo('GET', '/a'), echo('GET', '/c/d')]))
    const port = await listen(app)
    expect(await send(port, 'TRACE', '/a')).toContain('200 {"verb":"TRACE"')
    expect(await send(port, 'GET', 'http://elsewhere/a?b')).toContain('"query":"b"')
    expect(await send(port, 'GET', '/c/./x/../d')).toContain('"path":"/c/d"')
    expect(await send(port, 'OPTIONS', '*')).toContain('404')
  })

  it('passes an error of a handler, or of a body, to the error handler of the app', async () => {
    const broken = new ReadableStream({
      pull(controller) {
        controller.error(new Error('broke off'))
      },
    })
    const seen: string[] = []
    const app = express()
    app.use(
      expressAdapter([
        fetchRoute('GET', '/fails', () => Promise.reject(new Error('failed'))),
        {
          method: 'GET',
          path: '/throws',
          answer: () => {
            throw new Error('threw')
          },
        },
        fetchRoute('GET', '/breaks', () => new Response(broken)),
      ]),
    )
    app.use(
      (
        error: Error,
        _: express.Request,
        response: express.Response,
        next: express.NextFunction,
      ) => {
        seen.push(error.message)
        if (response.headersSent) next(error)
        else response.status(500).send(error.message)
      },
    )
    const port = await listen(app)
    expect(await send(port, 'GET', '/fails')).toBe('500 failed')
    expect(await send(port, 'GET', '/throws')).toBe('500 threw')
    await expect(ask(port, '/breaks')).rejects.toThrow()
    expect(seen).toEqual(['failed', 'threw', 'broke off'])
  })
})
