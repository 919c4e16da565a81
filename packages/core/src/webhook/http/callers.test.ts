import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createScriptedRun } from '../board/run-handle.fixture.ts'
import { sampleWebhook } from '../webhook.fixture.ts'
import { createCallers } from './callers.ts'

function setUp() {
  const clock = createManualClock()
  return { clock, callers: createCallers(clock), run: createScriptedRun(sampleWebhook()) }
}

describe('a caller', () => {
  it('waits until the run has ended', async () => {
    const { callers, clock, run } = setUp()
    const waiting = callers.wait(run.handle, { waitMs: 1_000, signal: undefined })
    run.end()
    expect(await waiting).toBe(true)
    expect(clock.pendingTimers).toBe(0)
  })

  it('waits no longer than its limit', async () => {
    const { callers, clock, run } = setUp()
    const waiting = callers.wait(run.handle, { waitMs: 1_000, signal: undefined })
    clock.advance(1_000)
    expect(await waiting).toBe(false)
    expect(run.cancels).toEqual([])
  })

  it('that disconnects cancels the run if nobody else waits for it', async () => {
    const { callers, run } = setUp()
    const [a, b] = [new AbortController(), new AbortController()]
    const both = [a, b].map(({ signal }) => callers.wait(run.handle, { waitMs: undefined, signal }))
    a.abort()
    expect(run.cancels).toEqual([])
    b.abort()
    expect(run.cancels).toEqual(['disconnect'])
    run.end({ status: 'canceled' })
    expect(await Promise.all(both)).toEqual([true, true])
  })

  it('that had disconnected before cancels the run too', async () => {
    const { callers, run } = setUp()
    void callers.wait(run.handle, { waitMs: undefined, signal: AbortSignal.abort() })
    expect(run.cancels).toEqual(['disconnect'])
  })

  it('that has its answer cancels nothing by disconnecting', async () => {
    const { callers, clock, run } = setUp()
    const client = new AbortController()
    const waiting = callers.wait(run.handle, { waitMs: 10, signal: client.signal })
    clock.advance(10)
    await waiting
    client.abort()
    expect(run.cancels).toEqual([])
  })

  it('counts until it leaves, and leaves only once', () => {
    const { callers, run } = setUp()
    const [first, second] = [callers.join(run.handle), callers.join(run.handle)]
    first(true)
    first(true)
    expect(run.cancels).toEqual([])
    second(true)
    expect(run.cancels).toEqual(['disconnect'])
  })
})
