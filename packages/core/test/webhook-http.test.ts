import { request } from 'node:http'
import { connect } from 'node:net'
import { createWebhooks, listRuns, type Run, type WebhooksContext } from '@gatehouse/core'
import type { WebhookDefinition } from '@gatehouse/core/webhook'
import { closeWebhooks } from '@gatehouse/core/webhook'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isWide } from '../../../test-support/lane.ts'
import { exchange, type ReceivedResponse } from './exchange.ts'
import { adapters, type SwitchingServer, startServer } from './servers.ts'

const mebibyte = 1024 * 1024

/**
 * Sends bytes unchanged, and collects the response until the connection ends. A client that `leaves` ends its side once it knows
 * that its body is too large; otherwise the server waits 5 s for the rest of it.
 */
function sendRaw(port: number, bytes: string, { leaves = false } = {}): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (leaves && received.includes('body_too_large')) socket.end()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
    socket.write(bytes, 'latin1')
  })
}

/** A chunk of a chunked body. */
const chunkOf = (length: number): Buffer =>
  Buffer.from(`${length.toString(16)}\r\n${' '.repeat(length)}\r\n`)

/** Sends everything before it reads a response, as simple clients do. */
async function sendThenRead(port: number, bytes: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await new Promise((resolve) => socket.write(bytes, resolve))
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  await new Promise((resolve) => socket.on('close', resolve).on('end', resolve))
  socket.destroy()
  return received
}

/** Reads a response until it satisfies a condition, then disconnects. */
function readUntil(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  isEnough: (text: string) => boolean,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port, path, headers, method: 'POST', agent: false }
    const outgoing = request(target, (incoming) => {
      let text = ''
      const finish = (): void => {
        outgoing.destroy()
        resolve(text)
      }
      incoming.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        if (isEnough(text)) finish()
      })
      incoming.on('end', finish)
      incoming.on('error', finish)
    })
    outgoing.on('error', reject)
    outgoing.end('{}')
  })
}

for (const adapter of adapters) {
  describe(`webhooks through a server of ${adapter}`, () => {
    let server: SwitchingServer
    let webhooks: WebhooksContext
    beforeAll(async () => {
      server = await startServer(adapter)
    })
    afterEach(() => closeWebhooks(webhooks, { graceMs: 0, killGraceMs: 100 }))
    afterAll(() => server.close())

    function serve(
      webhook: Partial<WebhookDefinition> & Pick<WebhookDefinition, 'execute_command'>,
    ): void {
      const whole = { id: 'w', token: 's3cret', workdir: '', include_output: true, ...webhook }
      webhooks = createWebhooks({
        storage: createMemoryStorage(),
        config: { webhooks: [whole] },
        environment: { PATH: process.env.PATH },
        workdir: '/',
      })
      server.serve([...webhooks.routes, ...webhooks.fallbackRoutes])
    }

    const post = (headers: Record<string, string> = {}): Promise<ReceivedResponse> =>
      exchange(server.port, {
        method: 'POST',
        path: '/webhook/w',
        headers: { authorization: 'Bearer s3cret', ...headers },
        body: '{}',
      })

    /** Waits for the next run to end. */
    const nextEnd = (): Promise<Run> =>
      new Promise((resolve) => {
        const stop = webhooks.events.on('run.finished', (run) => {
          stop()
          resolve(run)
        })
      })

    const headers = { authorization: 'Bearer s3cret', 'content-type': 'application/json' }

    it('serves the path of a webhook for its methods, and nothing else', async () => {
      const word = { source: 'data.v', format: 'value' as const }
      const settings = { path: '/hooks/aäb', methods: ['GET' as const] }
      serve({ execute_command: 'echo', ...settings, command_arguments: [word] })
      const path = '/hooks/a%C3%A4b'
      const send = (method: string, at: string) =>
        exchange(server.port, { method, path: at, headers: { authorization: 'Bearer s3cret' } })
      const got = await send('GET', `${path}?v=%24%28id%29`)
      expect([got.status, JSON.parse(got.text).stdout]).toEqual([200, '$(id)\n'])
      const posted = await send('POST', path)
      expect([posted.status, posted.header('allow')]).toEqual([405, 'GET'])
      expect((await send('GET', `${path}x`)).status).toBe(404)
    })

    it('sends the output of a command while it runs', async () => {
      serve({ execute_command: 'echo one; exec sleep 30', mode: 'stream' })
      const ended = nextEnd()
      const text = await readUntil(server.port, '/webhook/w', headers, (read) =>
        read.includes('one'),
      )
      expect(text).toBe('one\n')
      const [run] = (await listRuns(webhooks)).runs
      expect(run?.status).toBe('running')
      await closeWebhooks(webhooks, { graceMs: 0 })
      expect(await ended).toMatchObject({ status: 'canceled', reason: 'shutdown' })
    })

    it('sends the whole of a large output, as text and as events', async () => {
      serve({
        execute_command: 'head -c 3000000 /dev/zero | tr "\\0" x; echo end >&2',
        mode: 'stream',
      })
      const text = await post()
      expect([text.status, text.header('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
      expect(text.text.replaceAll('x', '').trim()).toBe('end')
      expect(text.text.length).toBe(3_000_004)
      const { text: events } = await post({ accept: 'text/event-stream' })
      expect(events.match(/^event: \w+$/gm)?.filter((line) => !line.endsWith('stdout'))).toEqual([
        'event: start',
        'event: stderr',
        'event: end',
      ])
      expect(events).toMatch(/event: end\ndata: .*"status":"succeeded","exit_code":0/)
    })

    it('cancels the run of a client that disconnects, if so configured', async () => {
      serve({ execute_command: 'yes', mode: 'stream', on_disconnect: 'cancel' })
      const ended = nextEnd()
      await readUntil(server.port, '/webhook/w', headers, (read) => read.length > 100_000)
      expect(await ended).toMatchObject({ status: 'canceled', reason: 'disconnect' })
    })

    it('lets a command go on when its client disconnects', async () => {
      serve({ execute_command: 'head -c 3000000 /dev/zero', mode: 'stream' })
      const ended = nextEnd()
      await readUntil(server.port, '/webhook/w', headers, (read) => read.length > 1_000)
      expect(await ended).toMatchObject({ status: 'succeeded', stdout_bytes: 3_000_000 })
    })

    it('cancels a run whose caller disconnects while it waits', async () => {
      serve({ execute_command: 'sleep 30', on_disconnect: 'cancel' })
      const [started, ended] = [nextStart(webhooks), nextEnd()]
      const target = { host: '127.0.0.1', port: server.port, path: '/webhook/w', headers }
      const outgoing = request({ ...target, method: 'POST', agent: false })
      outgoing.on('error', () => {})
      outgoing.end('{}')
      await started
      outgoing.destroy()
      expect(await ended).toMatchObject({ status: 'canceled', reason: 'disconnect' })
    })

    it('keeps no memory for bodies that break off or never arrive', async () => {
      serve({ execute_command: 'true' })
      const head = (length: number): string =>
        `POST /webhook/w HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer s3cret\r\nContent-Length: ${length}\r\n\r\n`
      const isHeld = (): boolean => {
        const hold = webhooks.bodies.open()
        const hasRoom = hold.resize(64 * mebibyte)
        hold.resize(0)
        return !hasRoom
      }
      for (const bytes of [`${head(100)}{"a"`, `${head(4_000_000)}${' '.repeat(100_000)}`]) {
        const socket = connect(server.port, '127.0.0.1')
        socket.on('error', () => {})
        socket.write(bytes)
        await expect.poll(isHeld).toBe(true)
        socket.destroy()
        await expect.poll(isHeld).toBe(false)
      }
    })

    it('refuses a body by its headers, and closes the connection', async () => {
      serve({ execute_command: 'true' })
      const start = 'POST /webhook HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
      // The wait for the rest of the body is the same with every adapter.
      const leaves = !isWide && adapter !== adapters[0]
      const head = `${start}Content-Length: 400000000\r\n\r\n`
      const measured = await sendRaw(server.port, `${head}{`, { leaves })
      expect(measured).toMatch(/^HTTP\/1\.1 413 .*"code":"body_too_large"/s)
      expect(measured.toLowerCase()).toContain('connection: close')
      const chunks = `${chunkOf(mebibyte)}`.repeat(5)
      const chunked = await sendRaw(
        server.port,
        `${start}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
      )
      expect(chunked).toMatch(/^HTTP\/1\.1 413 /)
      expect((await post()).status).toBe(200)
    })

    it.each([
      ['said', `Content-Length: ${16 * mebibyte}`, [Buffer.alloc(16 * mebibyte, ' ')]],
      [
        'not said',
        'Transfer-Encoding: chunked',
        [...Array(16).fill(chunkOf(mebibyte)), Buffer.from('0\r\n\r\n')],
      ],
    ])(
      'sends the reason for refusing a body to a client that sends all of it first, its length %s',
      async (_, framing, body) => {
        serve({ execute_command: 'true' })
        const head = `POST /webhook HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`
        const answer = await sendThenRead(server.port, Buffer.concat([Buffer.from(head), ...body]))
        expect(answer).toMatch(/^HTTP\/1\.1 413 /)
      },
    )

    it('sends no body for a status without one', async () => {
      serve({ execute_command: 'true', success_status: 204 })
      const response = await post()
      expect([response.status, response.text, response.header('content-length')]).toEqual([
        204,
        '',
        undefined,
      ])
    })

    it('answers HEAD with the length of GET', async () => {
      serve({ execute_command: 'true' })
      const [get, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => exchange(server.port, { method, path: '/healthz' })),
      )
      expect([head?.status, head?.text]).toEqual([200, ''])
      expect(head?.header('content-length')).toBe(get?.header('content-length'))
    })
  })
}

function nextStart(webhooks: WebhooksContext): Promise<Run> {
  return new Promise((resolve) => {
    const stop = webhooks.events.on('run.started', (run) => {
      stop()
      resolve(run)
    })
  })
}
