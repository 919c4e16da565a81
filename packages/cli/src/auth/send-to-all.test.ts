import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { type AuthEvent, verifyEventSignature } from '@gatehouse/core/auth'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sendToAll } from './send-to-all.ts'

const eventOf = (id: string): AuthEvent => ({
  id,
  seq: 1,
  type: 'user.created',
  payload: {},
  context: {
    timestamp: Date.parse('2026-03-04T10:00:00Z'),
    user_id: null,
    triggered_by: 'user',
    client_id: null,
    ip_address: null,
    user_agent: null,
    app_id: 'test',
    preferred_languages: ['en'],
    language: 'en',
    oauth: {},
    authentication_flow: null,
  },
})

/** A webhook receiver that answers with `status`. */
interface Receiver {
  readonly url: string
  status: number
  readonly heard: { readonly headers: IncomingHttpHeaders; readonly body: string }[]
}

async function startReceiver(): Promise<Receiver> {
  const heard: Receiver['heard'] = []
  const server = createServer(async (request, response) => {
    heard.push({ headers: request.headers, body: await readText(request) })
    response.writeHead(receiver.status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = { url: `http://127.0.0.1:${port}/?key=s3cret`, status: 204, heard }
  return receiver
}

const target = ({ url }: Pick<Receiver, 'url'>, secret = 'a secret') => ({
  url,
  secret,
  allowHttp: true,
})

describe('sendToAll()', () => {
  it('sends to all webhooks, each with a signature by its own secret', async () => {
    const [one, other] = [await startReceiver(), await startReceiver()]
    await sendToAll([target(one, 'one'), target(other, 'other')])(eventOf('a'))
    for (const [{ heard }, secret] of [
      [one, 'one'],
      [other, 'other'],
    ] as const) {
      expect(heard).toHaveLength(1)
      const { body = '', headers } = heard[0] ?? {}
      expect(JSON.parse(body)).toMatchObject({ id: 'a', seq: 1, type: 'user.created' })
      const signature = String(headers?.['x-gatehouse-signature'])
      expect(verifyEventSignature({ body, signature }, { secret })).toBe(true)
    }
  })

  it('retries an event only at webhooks that refused it', async () => {
    const [one, other] = [await startReceiver(), await startReceiver()]
    const send = sendToAll([target(one), target(other)])
    other.status = 500
    await expect(send(eventOf('a'))).rejects.toThrow('events[1]: the answer has the status 500')
    await expect(send(eventOf('a'))).rejects.toThrow('events[1]: ')
    other.status = 200
    await send(eventOf('a'))
    expect([one.heard.length, other.heard.length]).toEqual([1, 3])
    // All webhooks accepted it, so it is forgotten and sent to all again.
    await send(eventOf('a'))
    expect([one.heard.length, other.heard.length]).toEqual([2, 4])
  })

  it('forgets the oldest partial deliveries above its limit', async () => {
    const one = await startReceiver()
    const gone = { url: 'http://127.0.0.1:1/' }
    const send = sendToAll([target(one), target(gone)])
    const refused = async (id: string) => expect(send(eventOf(id))).rejects.toThrow('events[1]')
    await refused('first')
    for (let count = 0; count < 1_000; count++) await refused(`e${count}`)
    one.heard.splice(0)
    await refused('e999')
    expect(one.heard).toHaveLength(0)
    await refused('first')
    expect(one.heard).toHaveLength(1)
  })

  it('reports which webhooks failed and why, without secrets', async () => {
    const one = await startReceiver()
    one.status = 302
    const gone = { url: 'http://127.0.0.1:1/?key=s3cret' }
    const failure: unknown = await sendToAll([target(one), target(gone)])(eventOf('a')).catch(
      (error: unknown) => error,
    )
    expect(String(failure)).toMatch(
      /^Error: events\[0\]: the answer has the status 302; events\[1\]: the server could not be reached/,
    )
    expect(String(failure)).not.toMatch(/s3cret|a secret/)
  })
})
