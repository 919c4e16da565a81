import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { textAnswer, toResponse } from './answer.ts'
import { drainBody, lingering, type UnreadRequest } from './lingering.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

class Incoming extends EventEmitter implements UnreadRequest {
  complete = false
  readonly httpVersion: string = '1.1'
  readonly headers: UnreadRequest['headers'] = {}
  resumed = 0
  resume(): void {
    this.resumed++
  }
}

const refusal = textAnswer(413, 'too large', { connection: 'close' })

/** A response that waits for its request, with its first piece read. */
async function begun(incoming: Incoming): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const response = toResponse(lingering(refusal, incoming))
  expect([response.status, response.headers.get('content-length')]).toEqual([413, '9'])
  const reader = response.body?.getReader() ?? expect.fail('it has no body')
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('too large')
  return reader
}

it.each(['end', 'close'])(
  'ends after its text once the body of the request has its "%s"',
  async (event) => {
    const incoming = new Incoming()
    incoming.on('data', () => {})
    const reader = await begun(incoming)
    const last = reader.read()
    await vi.waitFor(() => expect(incoming.resumed).toBe(1))
    expect(incoming.listenerCount('data')).toBe(1)
    incoming.emit(event)
    expect((await last).done).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  },
)

it('ends after thirty seconds, even if the client sends on', async () => {
  const incoming = new Incoming()
  const reader = await begun(incoming)
  let isDone = false
  const last = reader.read().then(({ done }) => {
    isDone = done
  })
  await vi.waitFor(() => expect(incoming.resumed).toBe(1))
  for (let second = 4; second < 30; second += 4) {
    await vi.advanceTimersByTimeAsync(4_000)
    expect(isDone).toBe(false)
    incoming.emit('data')
  }
  await vi.advanceTimersByTimeAsync(2_000)
  expect(isDone).toBe(true)
  await last
})

it('drains a body once, whoever waits for its end', async () => {
  const incoming = new Incoming()
  let given = 0
  void drainBody(incoming).then(() => {
    given++
  })
  const reader = await begun(incoming)
  const last = reader.read()
  for (let second = 0; second < 12; second += 4) {
    await vi.advanceTimersByTimeAsync(4_000)
    incoming.emit('data')
  }
  expect([given, incoming.listenerCount('data')]).toEqual([0, 1])
  incoming.emit('end')
  expect((await last).done).toBe(true)
  expect(given).toBe(1)
})

it('ends once the client pauses for five seconds', async () => {
  const incoming = new Incoming()
  const reader = await begun(incoming)
  const last = reader.read()
  await vi.waitFor(() => expect(incoming.resumed).toBe(1))
  await vi.advanceTimersByTimeAsync(5_001)
  expect((await last).done).toBe(true)
})

it('lingers for clients that close the connection themselves', () => {
  const open = textAnswer(401, 'no', {})
  const closing = Object.assign(new Incoming(), { headers: { connection: 'Close' } })
  const old = Object.assign(new Incoming(), { httpVersion: '1.0' })
  for (const incoming of [closing, old]) {
    expect(lingering(open, incoming).body).toBeInstanceOf(ReadableStream)
  }
  expect(lingering(open, new Incoming())).toBe(open)
})

it('leaves an answer alone if its request has arrived, or its client waits before it sends', () => {
  const complete = Object.assign(new Incoming(), { complete: true })
  const waiting = Object.assign(new Incoming(), { headers: { expect: '100-continue' } })
  for (const incoming of [complete, waiting]) expect(lingering(refusal, incoming)).toBe(refusal)
})
