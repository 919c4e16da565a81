import { describe, expect, it } from 'vitest'
import { readAnswer } from './read-answer.ts'

const signal = new AbortController().signal
const encoder = new TextEncoder()

function answerOf(body: ReadableStream<Uint8Array> | null): Parameters<typeof readAnswer>[0] {
  return { status: 200, headers: [['x-a', 'b']], body }
}

describe('readAnswer', () => {
  it('reads status, headers and body', async () => {
    const answer = await readAnswer(
      new Response('öl', { status: 201, headers: { a: 'b' } }),
      signal,
    )
    expect([answer.status, answer.headers.get('a'), answer.body]).toEqual([201, 'b', 'öl'])
  })

  it('reads a missing body as empty', async () => {
    expect((await readAnswer(answerOf(null), signal)).body).toBe('')
  })

  it('stops after 64 KiB, between two characters, and cancels the rest', async () => {
    let pulls = 0
    let isGivenUp = false
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(encoder.encode(pulls++ === 0 ? 'x' : 'é'.repeat(5_000)))
      },
      cancel() {
        isGivenUp = true
      },
    })
    const answer = await readAnswer(answerOf(body), signal)
    expect(answer.body).toBe(`x${'é'.repeat(32_767)}`)
    expect(isGivenUp).toBe(true)
    expect(pulls).toBeLessThan(12)
  })

  it('returns what has arrived when the signal aborts', async () => {
    const controller = new AbortController()
    let isGivenUp = false
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(encoder.encode('begun')),
      pull: () => controller.abort(),
      cancel() {
        isGivenUp = true
      },
    })
    const answer = await readAnswer(answerOf(body), controller.signal)
    expect([answer.status, answer.body, isGivenUp]).toEqual([200, 'begun', true])
  })

  it('returns what has arrived when the body breaks off', async () => {
    let isBegun = false
    const body = new ReadableStream<Uint8Array>({
      pull(stream) {
        if (isBegun) stream.error(new TypeError('terminated'))
        else stream.enqueue(encoder.encode('begun'))
        isBegun = true
      },
    })
    expect((await readAnswer(answerOf(body), signal)).body).toBe('begun')
  })

  it('reads as much as its caller wants', async () => {
    const body = (): ReadableStream<Uint8Array> =>
      new Response('x'.repeat(70_000)).body ?? new ReadableStream()
    const read = async (most: number): Promise<number> =>
      (await readAnswer(answerOf(body()), signal, most)).body.length
    expect([await read(69_999), await read(100_000)]).toEqual([69_999, 70_000])
  })

  it('tolerates a body that cannot be canceled', async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(encoder.encode('x'.repeat(70_000))),
      cancel: () => Promise.reject(new Error('no')),
    })
    expect((await readAnswer(answerOf(body), signal)).body.length).toBe(65_536)
  })
})
