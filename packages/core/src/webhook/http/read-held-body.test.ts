import { describe, expect, it } from 'vitest'
import { type BodyBudget, createBodyBudget } from '../body/body-budget.ts'
import { readHeldBody } from './read-held-body.ts'

const kilobyte = 1024

/** A budget that reports how much is held. */
function countingBudget(limit = 64 * kilobyte): BodyBudget & { held(): number } {
  const budget = createBodyBudget(() => limit)
  const sizes: number[] = []
  return {
    held: () => sizes.reduce((sum, size) => sum + size, 0),
    open() {
      const hold = budget.open()
      const at = sizes.push(0) - 1
      const resize = (bytes: number): boolean => {
        const hasRoom = hold.resize(bytes)
        if (hasRoom) sizes[at] = bytes
        return hasRoom
      }
      return { resize, release: () => void resize(0) }
    },
  }
}

function post(
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  headers: Record<string, string> = {},
): Request {
  const init = { method: 'POST', body, headers, duplex: 'half' }
  return new Request('http://localhost/webhook', init as RequestInit)
}

function chunks(list: readonly Uint8Array[], end?: Error): ReadableStream<Uint8Array> {
  const left = [...list]
  return new ReadableStream({
    pull(controller) {
      const chunk = left.shift()
      if (chunk !== undefined) controller.enqueue(chunk)
      else if (end !== undefined) controller.error(end)
      else controller.close()
    },
  })
}

const bytes = (length: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, index) => index % 251)

describe('a body', () => {
  it.each([
    ['with a length and short', 100, { 'content-length': '100' }],
    ['with a length and long', 40_000, { 'content-length': '40000' }],
    ['without a length', 40_000, {}],
    ['with an invalid length', 100, { 'content-length': 'many' }],
    ['of nothing', 0, { 'content-length': '0' }],
  ])('%s is read completely, and held until it is released', async (_, length, headers) => {
    const budget = countingBudget()
    const body = length === 0 ? null : bytes(length)
    const held = await readHeldBody(post(body, headers), { maxBytes: 50_000, budget })
    expect(held.bytes).toEqual(bytes(length))
    expect(budget.held()).toBe(length)
    held.hold.release()
    held.hold.release()
    expect(budget.held()).toBe(0)
  })

  it('is assembled from any number of pieces', async () => {
    const budget = countingBudget()
    const all = bytes(30_000)
    const pieces = Array.from(all, (byte) => Uint8Array.of(byte))
    const held = await readHeldBody(post(chunks(pieces)), { maxBytes: 30_000, budget })
    expect(held.bytes).toEqual(all)
    expect(budget.held()).toBe(30_000)
  })

  it('that is declared too large is refused before it is read', async () => {
    const budget = countingBudget()
    let pulled = 0
    const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 })
    const request = post(body, { 'content-length': '50001' })
    await expect(readHeldBody(request, { maxBytes: 50_000, budget })).rejects.toMatchObject({
      reason: 'body_too_large',
    })
    expect([pulled, budget.held()]).toEqual([0, 0])
  })

  it('that grows too large is refused at that moment, and its stream is canceled', async () => {
    const budget = countingBudget()
    let isCancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes(10_000)),
      cancel() {
        isCancelled = true
      },
    })
    await expect(readHeldBody(post(body), { maxBytes: 50_000, budget })).rejects.toMatchObject({
      reason: 'body_too_large',
    })
    expect([isCancelled, budget.held()]).toEqual([true, 0])
  })

  it('that breaks off leaves nothing held', async () => {
    const budget = countingBudget()
    const body = chunks([bytes(20_000)], new Error('gone'))
    await expect(readHeldBody(post(body), { maxBytes: 50_000, budget })).rejects.toMatchObject({
      reason: 'invalid_request',
      message: expect.not.stringContaining('gone'),
    })
    expect(budget.held()).toBe(0)
  })

  it('that declared much and sent nothing yet holds nothing', async () => {
    const budget = countingBudget()
    const silent = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) })
    const request = post(silent, { 'content-length': '50000' })
    void readHeldBody(request, { maxBytes: 50_000, budget })
    await Promise.resolve()
    expect(budget.held()).toBe(0)
  })

  it('is refused if others hold too much', async () => {
    const budget = countingBudget(20_000)
    const first = await readHeldBody(post(bytes(15_000)), { maxBytes: 50_000, budget })
    for (const headers of [{}, { 'content-length': '6000' }]) {
      const request = post(bytes(6_000), headers)
      await expect(readHeldBody(request, { maxBytes: 50_000, budget })).rejects.toMatchObject({
        reason: 'overloaded',
      })
    }
    first.hold.release()
    expect(budget.held()).toBe(0)
    const later = await readHeldBody(post(bytes(15_000)), { maxBytes: 50_000, budget })
    expect(later.bytes).toHaveLength(15_000)
  })
})
