import { createAlerts, createSilence, postAlerts } from '@gatehouse/core'
import { fetchHandler } from '@gatehouse/core/adapter'
import { closeAlerts } from '@gatehouse/core/alerts'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type AlertsChange, createAlertsClient, everyItem, type Fetch } from '../src/index.ts'

/** Ends the body with the request, as the `fetch` of platforms does. */
const withSignal = ({ body, status, headers }: Response, { signal }: RequestInit): Response =>
  new Response(body?.pipeThrough(new TransformStream(), signal ? { signal } : {}), {
    status,
    headers,
  })

/** Processes that share a storage, behind one address: the client reaches the last that was started. */
function createWorld() {
  const storage = createMemoryStorage()
  const start = () =>
    createAlerts({ storage, config: 'route: { receiver: team }\nreceivers: [{ name: team }]' })
  const world = { alerts: start(), requests: [] as Request[] }
  const fetch: Fetch = async (url, init) => {
    const request = new Request(url, init)
    world.requests.push(request)
    return withSignal(await fetchHandler(world.alerts.routes)(request), init)
  }
  const client = createAlertsClient({ url: 'http://host', fetch })
  const restart = async (): Promise<void> => {
    await closeAlerts(world.alerts)
    world.alerts = start()
  }
  return { ...client, world, restart }
}

const post = (alerts: ReturnType<typeof createWorld>['world']['alerts'], alertname: string) =>
  postAlerts(alerts, [{ labels: { alertname }, endsAt: Date.now() + 60_000 }])

/** The next changes in short. */
async function read(changes: AsyncGenerator<AlertsChange>, count: number): Promise<string[]> {
  const lines: string[] = []
  while (lines.length < count) {
    const { value } = await changes.next()
    const change = value as AlertsChange | undefined
    if (change?.type === 'alert') lines.push(`alert ${change.data.labels.alertname}`)
    else if (change?.type === 'silence') lines.push(`silence ${change.data.comment}`)
    else lines.push(change?.type ?? 'end')
  }
  return lines
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('following changes', () => {
  it('begins with a reset, and then returns each change', async () => {
    const { changes, world } = createWorld()
    const following = changes({ types: ['alerts', 'silences'], filter: ['alertname=~"a|b"'] })
    expect(await read(following, 1)).toEqual(['reset'])
    await post(world.alerts, 'x')
    await post(world.alerts, 'a')
    expect(await read(following, 1)).toEqual(['alert a'])
    await createSilence(world.alerts, {
      matchers: [{ name: 'alertname', value: 'a', isRegex: false }],
      endsAt: Date.now() + 60_000,
      createdBy: 'maya',
      comment: 'known',
    })
    expect(await read(following, 2)).toEqual(['silence known', 'alert a'])
    await following.return(undefined)
    await expect.poll(() => world.alerts.changes.size).toBe(0)
  })

  it('connects again to another process, and gets what it missed, without a reset', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const { changes, world, restart } = createWorld()
    const following = changes({ types: ['alerts'] })
    await read(following, 1)
    await post(world.alerts, 'a')
    expect(await read(following, 1)).toEqual(['alert a'])
    await restart()
    await post(world.alerts, 'b')
    // Changes around the last position may come again.
    const missed = await read(following, 1)
    expect(missed[0] === 'alert a' ? await read(following, 1) : missed).toEqual(['alert b'])
    expect(world.requests.at(-1)?.headers.get('last-event-id')).toMatch(/^[0-9a-z.]+$/)
    await following.return(undefined)
  })

  it('stops with the reason of its signal', async () => {
    const { changes, world } = createWorld()
    const controller = new AbortController()
    const following = changes({}, { signal: controller.signal })
    await read(following, 1)
    const next = following.next()
    controller.abort(new Error('enough'))
    await expect(next).rejects.toThrow('enough')
    await expect.poll(() => world.alerts.changes.size).toBe(0)
  })

  it('fails if the server refuses it', async () => {
    const { changes } = createWorld()
    await expect(changes({ filter: ['{'] }).next()).rejects.toMatchObject({
      reason: 'InvalidMatcher',
      status: 400,
    })
  })

  it('waits for a server that is overloaded or gone', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(-1)
    const { world } = createWorld()
    let attempts = 0
    const fetch: Fetch = async (url, init) => {
      attempts++
      if (attempts === 1) throw new TypeError('fetch failed')
      if (attempts === 2) return new Response('"busy"\n', { status: 503 })
      return withSignal(await fetchHandler(world.alerts.routes)(new Request(url, init)), init)
    }
    const { changes } = createAlertsClient({ url: 'http://host', fetch })
    const following = changes()
    expect(await read(following, 1)).toEqual(['reset'])
    expect(attempts).toBe(3)
    await following.return(undefined)
  })

  it('returns resets at an interval where streams do not come through, if wanted', async () => {
    const silent = (): Response =>
      new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
    const answers: (() => Response)[] = [
      () => new Response('not found', { status: 404 }),
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      silent,
    ]
    const fetch: Fetch = async (_, init) => withSignal((answers.shift() ?? silent)(), init)
    const { changes } = createAlertsClient({ url: 'http://host', fetch })
    const polling = changes({}, { pollEveryMs: 5 })
    expect(await read(polling, 4)).toEqual(['reset', 'reset', 'reset', 'reset'])
    await polling.return(undefined)
    answers.push(() => new Response('not found', { status: 404 }))
    await expect(changes().next()).rejects.toMatchObject({ reason: 'NotFound' })
    answers.push(() => new Response('<html>', { headers: { 'content-type': 'text/html' } }))
    await expect(changes().next()).rejects.toMatchObject({ reason: 'UnexpectedAnswer' })
  })
})

describe('pages of lists', () => {
  it('reads alerts, groups and silences page by page', async () => {
    const { alerts, silences, world } = createWorld()
    for (const name of ['c', 'a', 'b']) await post(world.alerts, name)
    const query = { sort: '-labels.alertname', limit: 2, fields: ['labels'] }
    const first = await alerts.page(query)
    expect(first).toMatchObject({ total: 3, items: [{ labels: { alertname: 'c' } }, {}] })
    const all: unknown[] = []
    for await (const item of everyItem(alerts.page, query)) all.push(item)
    expect(all).toEqual(['c', 'b', 'a'].map((alertname) => ({ labels: { alertname } })))
    const [group] = (await alerts.groupsPage()).items
    expect(group?.counts).toEqual({ all: 3, active: 3, suppressed: 0 })
    expect((await alerts.page({ group: group?.id ?? '' })).total).toBe(3)
    expect(await silences.page({ limit: 1 })).toEqual({ items: [], total: 0 })
  })
})
