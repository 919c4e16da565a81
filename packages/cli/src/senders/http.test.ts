import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import type { OutgoingMessage } from '@gatehouse/core/auth'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHttpSender } from './http.ts'

const message: OutgoingMessage = {
  kind: 'verification',
  channel: 'sms',
  target: '+14155550132',
  code: '123456',
  text: 'It is 123456.',
  locale: 'en',
  client_id: 'app',
  user_id: null,
  expires_at: Date.parse('2026-03-04T10:00:00Z'),
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/send?secret=x`
}

const senderTo = (url: string, timeoutMs = 5_000) =>
  createHttpSender({ url, token: 'a token', timeoutMs })

describe('createHttpSender()', () => {
  it('posts a message as JSON, with the token', async () => {
    let heard: { headers: IncomingHttpHeaders; body: unknown } | undefined
    const url = await listen(async (request, response) => {
      heard = { headers: request.headers, body: JSON.parse(await readText(request)) }
      response.writeHead(202).end('{}')
    })
    await senderTo(url).send(message)
    expect(heard).toMatchObject({
      headers: { 'content-type': 'application/json', authorization: 'Bearer a token' },
      body: { ...message, expires_at: '2026-03-04T10:00:00.000Z' },
    })
  })

  it.each<[string, RequestListener, RegExp]>([
    [
      'refuses',
      (_, response) => void response.writeHead(500).end('secret'),
      /the response had status 500$/,
    ],
    [
      'redirects it',
      (_, response) => void response.writeHead(307, { location: '/other' }).end(),
      /no response: TypeError$/,
    ],
    ['hangs up', (request) => void request.socket.destroy(), /no response: UND_ERR_SOCKET$/],
  ])('fails if the other side %s, and leaks no secret', async (_, listener, reason) => {
    const failure: unknown = await senderTo(await listen(listener))
      .send(message)
      .catch((error: unknown) => error)
    expect(String(failure)).toMatch(reason)
    expect(String(failure)).not.toMatch(/secret|token|123456/)
  })

  it('times out', async () => {
    const url = await listen(() => undefined)
    await expect(senderTo(url, 50).send(message)).rejects.toThrow('it timed out')
  })

  it('fails if nothing listens at the address', async () => {
    const sender = createHttpSender({
      url: 'http://127.0.0.1:1/',
      token: undefined,
      timeoutMs: 1_000,
    })
    await expect(sender.send(message)).rejects.toThrow(/no response: /)
    sender.close()
  })
})
