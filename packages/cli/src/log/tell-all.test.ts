import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { type AuthEvent, verifyEventSignature } from '@gatehouse/core/auth'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tellAll } from './tell-all.ts'

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
    language: 'en',
    oauth: {},
    authentication_flow: null,
  },
})

/** A program that takes events as long as `status` says so. */
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

describe('tellAll()', () => {
  it('tells everybody, each with a signature by its own secret', async () => {
    const [one, other] = [await startReceiver(), await startReceiver()]
    await tellAll([target(one, 'one'), target(other, 'other')])(eventOf('a'))
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

  it('tells an event again to who refused it, and not to who took it', async () => {
    const [one, other] = [await startReceiver(), await startReceiver()]
    const tell = tellAll([target(one), target(other)])
    other.status = 500
    await expect(tell(eventOf('a'))).rejects.toThrow('events[1]: the answer has the status 500')
    await expect(tell(eventOf('a'))).rejects.toThrow('events[1]: ')
    other.status = 200
    await tell(eventOf('a'))
    expect([one.heard.length, other.heard.length]).toEqual([1, 3])
    // It was taken by all: told once more, it is new to them.
    await tell(eventOf('a'))
    expect([one.heard.length, other.heard.length]).toEqual([2, 4])
  })

  it('forgets who took what when too much of it was refused', async () => {
    const one = await startReceiver()
    const gone = { url: 'http://127.0.0.1:1/' }
    const tell = tellAll([target(one), target(gone)])
    const refused = async (id: string) => expect(tell(eventOf(id))).rejects.toThrow('events[1]')
    await refused('first')
    for (let count = 0; count < 1_000; count++) await refused(`e${count}`)
    one.heard.splice(0)
    await refused('e999')
    expect(one.heard).toHaveLength(0)
    await refused('first')
    expect(one.heard).toHaveLength(1)
  })

  it('says who failed and why, and no secret', async () => {
    const one = await startReceiver()
    one.status = 302
    const gone = { url: 'http://127.0.0.1:1/?key=s3cret' }
    const failure: unknown = await tellAll([target(one), target(gone)])(eventOf('a')).catch(
      (error: unknown) => error,
    )
    expect(String(failure)).toMatch(
      /^Error: events\[0\]: the answer has the status 302; events\[1\]: the server could not be reached/,
    )
    expect(String(failure)).not.toMatch(/s3cret|a secret/)
  })
})
