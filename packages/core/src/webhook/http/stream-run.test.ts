import { describe, expect, it, vi } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createScriptedRun } from '../board/run-handle.fixture.ts'
import { sampleWebhook } from '../webhook.fixture.ts'
import { type StreamRunOptions, streamRun } from './stream-run.ts'

const both = ['stdout', 'stderr'] as const

/** A started run, and the stream of its output. */
function follow(options: Partial<StreamRunOptions> = {}) {
  const clock = createManualClock()
  const run = createScriptedRun(sampleWebhook())
  run.start()
  const stream = streamRun(run.handle, { clock, format: 'text', streams: both, ...options })
  return { clock, run, stream, text: () => new Response(stream).text() }
}

interface StreamedEvent {
  readonly event: string
  readonly data: Record<string, unknown>
}

/** The events of a stream; a comment is an event without a name. */
function eventsOf(text: string): StreamedEvent[] {
  expect(text.endsWith('\n\n')).toBe(true)
  return text
    .slice(0, -2)
    .split('\n\n')
    .map((block) => {
      const [, event = '', data = '{}'] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
      return { event, data: JSON.parse(data) }
    })
}

describe('output as text', () => {
  it('is both streams as they arrive, and nothing else', async () => {
    const { run, text } = follow()
    await run.write('stdout', 'a')
    await run.write('stderr', 'b')
    await run.write('stdout', Uint8Array.of(0xff))
    run.end()
    expect(Buffer.from(await text())).toEqual(Buffer.from('ab\ufffd'))
  })

  it('can be one of the streams', async () => {
    const { run, text } = follow({ streams: ['stderr'] })
    await run.write('stdout', 'a')
    await run.write('stderr', 'b')
    run.end()
    expect(await text()).toBe('b')
  })

  it('has no comments', async () => {
    const { clock, run, text } = follow()
    expect(clock.pendingTimers).toBe(0)
    run.end()
    expect(await text()).toBe('')
  })
})

describe('output as events', () => {
  it('is between an event for the start and one for the end', async () => {
    const { run, text } = follow({ format: 'events' })
    await run.write('stdout', 'a\n\ndata: b')
    await run.write('stderr', 'c')
    run.end()
    expect(eventsOf(await text())).toMatchObject([
      { event: 'start', data: { id: 'deploy', status: 'running', exit_code: null } },
      { event: 'stdout', data: { text: 'a\n\ndata: b' } },
      { event: 'stderr', data: { text: 'c' } },
      { event: 'end', data: { id: 'deploy', status: 'succeeded', exit_code: 0, duration_ms: 412 } },
    ])
  })

  it('never splits a character, and loses none', async () => {
    const { run, text } = follow({ format: 'events' })
    const [first = 0, ...others] = new TextEncoder().encode('€')
    await run.write('stdout', Uint8Array.of(first))
    await run.write('stderr', 'between')
    await run.write('stdout', Uint8Array.from(others))
    await run.write('stdout', Uint8Array.of(first))
    run.end()
    const texts = eventsOf(await text()).map(({ event, data }) => [event, data.text])
    expect(texts.slice(1, -1)).toEqual([
      ['stderr', 'between'],
      ['stdout', '€'],
      ['stdout', '\ufffd'],
    ])
  })

  it('has a comment every fifteen seconds, until the end', async () => {
    const { clock, run, text } = follow({ format: 'events' })
    clock.advance(14_999)
    await run.write('stdout', 'a')
    clock.advance(1)
    clock.advance(15_000)
    run.end()
    const read = await text()
    expect(eventsOf(read).map(({ event }) => event)).toEqual(['start', 'stdout', '', '', 'end'])
    expect(clock.pendingTimers).toBe(0)
  })

  it('has no comments while a client has data to read', async () => {
    const { clock, run, text } = follow({ format: 'events' })
    void run.write('stdout', 'x'.repeat(2_000_000))
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(60_000)
    const read = text()
    run.end()
    expect((await read).includes(': still')).toBe(false)
  })
})

describe('a client', () => {
  it.each(['text', 'events'] as const)(
    'that does not read makes the command wait, and holds less than 1 MiB (%s)',
    async (format) => {
      const { run, stream } = follow({ format })
      let written = 0
      const write = async (): Promise<void> => {
        for (; written < 400; written++) await run.write('stdout', '\u0000'.repeat(16_384))
      }
      const writing = write()
      await new Promise((resolve) => setImmediate(resolve))
      const held = written
      expect(held * 16_384).toBeLessThan(format === 'text' ? 400_000 : 100_000)
      const reading = new Response(stream).arrayBuffer()
      await writing
      run.end()
      expect((await reading).byteLength).toBeGreaterThanOrEqual(400 * 16_384)
    },
  )

  it('that disconnects stops following, and keeps no timer', async () => {
    const onGone = vi.fn()
    const { clock, run, stream } = follow({ format: 'events', onGone })
    await stream.cancel()
    expect([run.isFollowed(), clock.pendingTimers, onGone.mock.calls.length]).toEqual([false, 0, 1])
    run.end()
    await run.handle.ended
    expect(run.cancels).toEqual([])
  })
})
