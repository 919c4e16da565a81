import { describe, expect, it } from 'vitest'
import { eventBytes } from '../http/event-stream.ts'
import { silentLogger } from '../logger.ts'
import { createMetricsRegistry } from '../metrics/metrics.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import type { Change, ChangeFilter, ChangeSource } from './change.ts'
import { createChangeHub } from './change-hub.ts'

type Topic = 'odd' | 'even'

/** A source of numbered changes, whose positions are their count. */
function createSource() {
  let waiting: Change<Topic>[] = []
  let count = 0
  const state = { rested: 0, missed: undefined as readonly Change<Topic>[] | undefined }
  const changeOf = (key: string, size = 0): Change<Topic> => ({
    topic: count % 2 === 0 ? 'even' : 'odd',
    key,
    bytes: eventBytes('number', `"${key} ${count}${'.'.repeat(size)}"`),
    subject: undefined,
  })
  const source: ChangeSource<Topic> = {
    async look() {
      const changes = waiting
      waiting = []
      return { changes, position: `p${count}` }
    },
    async since() {
      return state.missed
    },
    rest() {
      state.rested++
    },
  }
  const add = (key: string, size?: number): void => {
    count++
    waiting.push(changeOf(key, size))
  }
  return { source, state, add, changeOf }
}

const filterOf = (...topics: Topic[]): ChangeFilter<Topic> => ({
  topics: new Set(topics),
  id: topics.join(),
  wants: ({ topic }) => topics.includes(topic),
})
const all = filterOf('odd', 'even')

/** A hub over a source, with a clock that stands still. */
function createWorld({ limit = 100 } = {}) {
  const clock = createManualClock()
  const metrics = createMetricsRegistry()
  const given = createSource()
  const hub = createChangeHub({
    ...{ source: given.source, clock, metrics, limit },
    logger: silentLogger,
    name: 'test',
  })
  /** Lets a look happen. */
  const pass = async (ms = 500): Promise<void> => {
    clock.advance(ms)
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  const metric = async (name: string): Promise<string | undefined> =>
    (await metrics.expose(null)).body.split('\n').find((line) => line.startsWith(name))
  return { ...given, clock, hub, pass, metric }
}

/** What was written to a stream until now, one text for each chunk. */
function readerOf(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader()
  const next = async (): Promise<string | undefined> => {
    const { done, value } = await reader.read()
    return done ? undefined : new TextDecoder().decode(value)
  }
  return { next, raw: () => reader.read(), cancel: () => reader.cancel() }
}

const ready = (position: string): string =>
  `event: ready\ndata: {"resumed":false}\n\nid: ${position}\n\n`

describe('a hub of changes', () => {
  it('sends the changes after a listener came, and at their end the position', async () => {
    const { hub, add, pass } = createWorld()
    add('before')
    const one = readerOf(await hub.listen(all))
    expect(await one.next()).toBe(ready('p1'))
    add('a')
    add('b')
    await pass()
    expect(await one.next()).toBe(
      'event: number\ndata: "a 2"\n\nevent: number\ndata: "b 3"\n\nid: p3\n\n',
    )
  })

  it('joins the bytes once for all listeners with the same filter', async () => {
    const { hub, add, pass } = createWorld()
    const [one, two, odd] = [
      readerOf(await hub.listen(all)),
      readerOf(await hub.listen(all)),
      readerOf(await hub.listen(filterOf('odd'))),
    ]
    for (const reader of [one, two, odd]) await reader.next()
    add('a')
    add('b')
    await pass()
    const [first, second] = [await one.raw(), await two.raw()]
    expect(first.value).toBe(second.value)
    expect(await odd.next()).toBe('event: number\ndata: "a 1"\n\nid: p2\n\n')
  })

  it('looks soon after it was woken, and at most every 50 ms', async () => {
    const { hub, add, pass } = createWorld()
    const one = readerOf(await hub.listen(all))
    await one.next()
    add('a')
    hub.wake()
    hub.wake()
    await pass(49)
    add('b')
    await pass(1)
    expect(await one.next()).toContain('"a 1"\n\nevent: number\ndata: "b 2"')
  })

  it('sends only the latest change of each key to a listener that lags behind', async () => {
    const { hub, add, pass } = createWorld()
    const slow = readerOf(await hub.listen(all))
    add('big', 300_000)
    await pass()
    for (const key of ['a', 'b', 'a', 'c', 'a']) {
      add(key)
      await pass()
    }
    expect(await slow.next()).toBe(ready('p0'))
    expect(await slow.next()).toContain('"big 1')
    expect(await slow.next()).toBe(
      'event: number\ndata: "b 3"\n\nevent: number\ndata: "c 5"\n\nevent: number\ndata: "a 6"\n\nid: p6\n\n',
    )
    add('d')
    await pass()
    expect(await slow.next()).toBe('event: number\ndata: "d 7"\n\nid: p7\n\n')
  })

  it('resets a listener for which too much waits', async () => {
    const { hub, add, pass, metric } = createWorld()
    const slow = readerOf(await hub.listen(all))
    for (let index = 0; index < 12; index++) {
      add(`big ${index}`, 300_000)
      await pass()
    }
    await slow.next()
    await slow.next()
    expect(await slow.next()).toBe('event: reset\ndata: {}\n\nid: p12\n\n')
    expect(await metric('test_slow_listeners_total{outcome="reset"}')).toMatch(/ 1$/)
  })

  it('resets all listeners instead of sending very much at once', async () => {
    const { hub, add, pass } = createWorld()
    const one = readerOf(await hub.listen(all))
    await one.next()
    for (let index = 0; index < 8; index++) add(`big ${index}`, 300_000)
    await pass()
    expect(await one.next()).toBe('event: reset\ndata: {}\n\nid: p8\n\n')
  })

  it('disconnects a listener that reads nothing for a minute, with the reason', async () => {
    const { hub, add, pass, metric } = createWorld()
    const slow = readerOf(await hub.listen(all))
    add('big', 300_000)
    await pass()
    add('a')
    await pass()
    for (let seconds = 0; seconds < 76; seconds++) await pass(1_000)
    expect(hub.size).toBe(0)
    await slow.next()
    await slow.next()
    expect(await slow.next()).toBe('event: end\ndata: {"reason":"slow"}\n\n')
    expect(await slow.next()).toBeUndefined()
    expect(await metric('test_slow_listeners_total{outcome="closed"}')).toMatch(/ 1$/)
  })

  it('ends a stream after its time, so that its reader comes back', async () => {
    const { hub, pass, metric } = createWorld()
    const bounded = readerOf(await hub.listen(all, undefined, 60_000))
    const unbounded = readerOf(await hub.listen(all))
    for (const reader of [bounded, unbounded]) await reader.next()
    for (let ms = 0; ms < 60_000; ms += 500) await pass()
    const read: (string | undefined)[] = []
    while (read.at(-1) !== undefined || read.length === 0) read.push(await bounded.next())
    expect(read.slice(-2)).toEqual(['event: end\ndata: {"reason":"renew"}\n\n', undefined])
    expect(await metric('test_slow_listeners_total{outcome="closed"}')).toMatch(/ 0$/)
    expect(hub.size).toBe(1)
  })

  it('shows every 15 s that it lives, with the position', async () => {
    const { hub, pass, add } = createWorld()
    const even = readerOf(await hub.listen(filterOf('even')))
    expect(await even.next()).toBe(ready('p0'))
    add('a')
    for (let seconds = 0; seconds < 15; seconds++) await pass(1_000)
    expect(await even.next()).toBe(': still here\n\nid: p1\n\n')
  })

  it('sends what a listener missed, or tells it that this is not known', async () => {
    const { hub, state, changeOf } = createWorld()
    state.missed = [changeOf('missed')]
    const one = readerOf(await hub.listen(all, 'p0'))
    expect(await one.next()).toBe('event: ready\ndata: {"resumed":true}\n\n')
    expect(await one.next()).toBe('event: number\ndata: "missed 0"\n\nid: p0\n\n')
    state.missed = []
    const two = readerOf(await hub.listen(all, 'p0'))
    expect(await two.next()).toBe('event: ready\ndata: {"resumed":true}\n\n')
    expect(await two.next()).toBe('id: p0\n\n')
    state.missed = undefined
    expect(await readerOf(await hub.listen(all, 'old')).next()).toBe(ready('p0'))
  })

  it('accepts only so many listeners, and others once one has left', async () => {
    const { hub, metric } = createWorld({ limit: 2 })
    const [one] = [readerOf(await hub.listen(all)), await hub.listen(all)]
    await expect(hub.listen(all)).rejects.toMatchObject({ reason: 'TooManyListeners' })
    expect(await metric('test_listeners')).toBe('test_listeners 2')
    await one.cancel()
    await hub.listen(all)
    expect(hub.size).toBe(2)
  })

  it('does nothing without listeners, and keeps no timer', async () => {
    const { hub, clock, state, pass } = createWorld()
    const [one, two] = [readerOf(await hub.listen(all)), readerOf(await hub.listen(all))]
    expect(clock.pendingTimers).toBe(1)
    hub.wake()
    await one.cancel()
    expect(state.rested).toBe(0)
    await two.cancel()
    await pass(0)
    expect([clock.pendingTimers, state.rested]).toEqual([0, 1])
    hub.wake()
    expect(clock.pendingTimers).toBe(0)
  })

  it('keeps listening after the source has failed', async () => {
    const { hub, source, add, pass } = createWorld()
    const one = readerOf(await hub.listen(all))
    await one.next()
    const { look } = source
    source.look = () => Promise.reject(new Error('no storage'))
    add('a')
    await pass()
    source.look = look
    await pass()
    expect(await one.next()).toContain('"a 1"')
  })

  it('ends all streams when it closes, and accepts no others', async () => {
    const { hub, clock } = createWorld()
    const one = readerOf(await hub.listen(all))
    hub.close()
    await one.next()
    expect(await one.next()).toBe('event: end\ndata: {"reason":"closing"}\n\n')
    expect(await one.next()).toBeUndefined()
    expect(clock.pendingTimers).toBe(0)
    await expect(hub.listen(all)).rejects.toMatchObject({ reason: 'ServiceClosing' })
  })
})
