import { describe, expect, it } from 'vitest'
import type { Socket, SocketHandler } from '../../http/route.ts'
import { approveLink } from '../flows/approve-link.ts'
import { type TestAuth, testAuth } from '../service.fixture.ts'
import { closeAuth } from '../start/close-auth.ts'
import {
  createRouteClient,
  flowsPath,
  type RouteClient,
  type SentRequest,
} from './routes.fixture.ts'

const lena = 'lena.ortiz@harborlight.example'
const message = '{"type":"refresh","kind":"refresh"}'
const unknownChannel = `ws_${'0'.repeat(32)}`

interface World extends TestAuth, RouteClient {
  /** The path of the feed for this link. */
  readonly path: string
  approve(): Promise<void>
}

/** A sign-up that waits for its link. */
async function createWorld(): Promise<World> {
  const world = testAuth({ verification: { claims: { email: { otp_form: 'link' } } } })
  const client = createRouteClient(world.auth)
  const input = { identification: 'email', login_id: lena }
  const { body } = await client.post(flowsPath, { type: 'signup', name: 'default', input })
  const url = new URL(String(body.result?.action.data.websocket_url))
  expect(url.protocol).toBe('wss:')
  const approve = async (): Promise<void> => {
    await approveLink(world.auth, world.codeTo(lena))
    await world.auth.listeners.look()
  }
  return { ...world, ...client, path: url.pathname + url.search, approve }
}

/** Opens a socket and records its calls. */
async function open(world: World, path = world.path): Promise<{ done: string[]; end: () => void }> {
  const handler = (await world.connect(path)) as SocketHandler
  const done: string[] = []
  const socket: Socket = {
    send: (text) => done.push(text),
    ping: () => done.push('ping'),
    close: (code, reason) => done.push(`${code} ${reason}`),
  }
  const end = handler(socket)
  await world.auth.listeners.look()
  return { done, end }
}

const asEvents: SentRequest = { headers: { accept: 'text/event-stream' } }

describe('a listener for the approval of a link', () => {
  it('is notified on approval, and so is every other one', async () => {
    const world = await createWorld()
    const [one, two] = [await open(world), await open(world)]
    expect([one.done, two.done]).toEqual([[], []])
    await world.approve()
    expect([one.done, two.done]).toEqual([[message], [message]])
  })

  it('is notified at once if the link is already approved', async () => {
    const world = await createWorld()
    await world.approve()
    expect((await open(world)).done).toEqual([message])
  })

  it('is notified within a second of an approval in another process', async () => {
    const world = await createWorld()
    const waiting = await open(world)
    const other = testAuth({}, { storage: world.storage })
    await approveLink(other.auth, world.codeTo(lena))
    expect(waiting.done).toEqual([])
    world.clock.advance(1_000)
    await world.auth.listeners.look()
    expect(waiting.done).toEqual([message])
  })

  it('is pinged, and disconnected when the code expires', async () => {
    const world = await createWorld()
    const { done } = await open(world)
    world.clock.advance(30_000)
    expect(done).toEqual(['ping'])
    world.clock.advance(20 * 60_000)
    expect(done.at(-1)).toBe('1000 expired')
    expect([world.auth.listeners.size, world.clock.pendingTimers]).toEqual([0, 0])
  })

  it('is removed when the connection ends', async () => {
    const world = await createWorld()
    const { done, end } = await open(world)
    expect(world.auth.listeners.size).toBe(1)
    end()
    expect([world.auth.listeners.size, world.clock.pendingTimers]).toEqual([0, 0])
    await world.approve()
    expect(done).toEqual([])
  })

  it('is disconnected when the service closes, and no new one is accepted', async () => {
    const world = await createWorld()
    const { done } = await open(world)
    const handler = (await world.connect(world.path)) as SocketHandler
    await closeAuth(world.auth)
    expect(done).toEqual(['1001 closing'])
    const late: string[] = []
    handler({ send() {}, ping() {}, close: (code) => late.push(`${code}`) })()
    expect(late).toEqual(['1013'])
    expect(await world.connect(world.path)).toHaveProperty('status', 429)
  })

  it('can use server-sent events', async () => {
    const world = await createWorld()
    const answer = await world.send(world.path, asEvents)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const reader = answer.body?.getReader()
    const next = async () => new TextDecoder().decode((await reader?.read())?.value)
    expect(await next()).toBe(': waiting\n\n')
    await world.approve()
    expect(await next()).toBe(`data: ${message}\n\n`)
    world.clock.advance(30_000)
    expect(await next()).toBe(': ping\n\n')
    await reader?.cancel()
    expect(world.auth.listeners.size).toBe(0)
  })

  it('sees the end of server-sent events', async () => {
    const world = await createWorld()
    const answer = await world.send(world.path, asEvents)
    await closeAuth(world.auth)
    expect(await answer.text()).toBe(': waiting\n\n')
  })

  it.each(['https://evil.example', 'null'])('must not be a page of %s', async (origin) => {
    const world = await createWorld()
    const headers = { origin }
    expect(await world.connect(world.path, { headers })).toHaveProperty('status', 403)
    const answer = await world.send(world.path, { headers: { ...asEvents.headers, origin } })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null])
  })

  it('can be a page of the service', async () => {
    const world = await createWorld()
    const headers = { origin: 'https://auth.example.com' }
    expect(await world.connect(world.path, { headers })).toBeTypeOf('function')
  })

  it.each(['', '?channel=', '?channel=ws_', '?channel=ws_lower', `?channel=ws_${'I'.repeat(32)}`])(
    'must name a channel, not %j',
    async (query) => {
      const { connect } = await createWorld()
      expect(await connect(`${flowsPath}/ws${query}`)).toHaveProperty('status', 400)
    },
  )

  it('can wait on an unknown channel, and is never notified', async () => {
    const world = await createWorld()
    const { done } = await open(world, `${flowsPath}/ws?channel=${unknownChannel}`)
    await world.approve()
    expect(done).toEqual([])
  })

  it('is refused above the limit', async () => {
    const world = await createWorld()
    for (let count = 0; count < 20; count++) await open(world)
    expect(await world.connect(world.path)).toHaveProperty('status', 429)
    expect((await world.send(world.path, asEvents)).status).toBe(429)
  })

  it('must request a WebSocket or server-sent events', async () => {
    const world = await createWorld()
    for (const headers of [
      {},
      { accept: '' },
      { accept: 'application/json' },
      { upgrade: 'websocket' },
    ]) {
      const answer = await world.send(world.path, { headers: headers as Record<string, string> })
      expect(answer.status).toBe(400)
    }
  })
})
