import { describe, expect, it } from 'vitest'
import { decodeUtf8, readBody } from './read-body.ts'

const post = (body: string | ReadableStream | null, headers: Record<string, string> = {}) =>
  new Request('http://host/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)

const chunks = (...texts: string[]) =>
  new ReadableStream({
    start(controller) {
      for (const text of texts) controller.enqueue(new TextEncoder().encode(text))
      controller.close()
    },
  })

const text = async (request: Request, maxBytes = 10) => {
  const bytes = await readBody(request, maxBytes)
  return bytes && decodeUtf8(bytes)
}

describe('readBody', () => {
  it('reads a body with or without a length', async () => {
    expect(await text(post('[1]', { 'content-length': '3' }))).toBe('[1]')
    expect(await text(post(chunks('[', '1', ']')))).toBe('[1]')
    expect(await text(post(chunks('[', '1]'), { 'transfer-encoding': 'chunked' }))).toBe('[1]')
  })

  it('returns undefined without a body', async () => {
    expect(await text(post(null))).toBeUndefined()
    expect(await text(post(null, { 'content-length': '0' }))).toBeUndefined()
    expect(await text(post(chunks()))).toBeUndefined()
  })

  it('accepts as many bytes as allowed and not one more', async () => {
    const ten = '0123456789'
    expect(await text(post(ten, { 'content-length': '10' }))).toBe(ten)
    expect(await text(post(chunks('01234', '56789')))).toBe(ten)
    for (const request of [
      post('x', { 'content-length': '11' }),
      post(`${ten}x`, { 'content-length': '3' }),
      post(chunks('01234', '56789', 'x')),
    ]) {
      await expect(readBody(request, 10)).rejects.toMatchObject({
        kind: 'TooLarge',
        reason: 'BodyTooLarge',
        info: { maxBytes: 10 },
      })
    }
  })

  it('stops reading a stream that grows too long', async () => {
    let pulled = 0
    let canceled = false
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(4))
      },
      cancel() {
        canceled = true
      },
    })
    await expect(readBody(post(endless), 10)).rejects.toMatchObject({ reason: 'BodyTooLarge' })
    expect(pulled).toBeLessThan(6)
    expect(canceled).toBe(true)
  })

  it('reports that a body broke off', async () => {
    const broken = () =>
      new ReadableStream({
        pull(controller) {
          controller.error(new Error('gone'))
        },
      })
    for (const headers of [{}, { 'content-length': '5' }]) {
      await expect(readBody(post(broken(), headers), 10)).rejects.toMatchObject({
        kind: 'BadRequest',
        reason: 'BodyUnreadable',
      })
    }
  })

  it('replaces bytes that are not UTF-8 and keeps a byte order mark', () => {
    expect(decodeUtf8(new Uint8Array([0x61, 0xff, 0xc3, 0x62]))).toBe('a\ufffd\ufffdb')
    expect(decodeUtf8(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))).toBe('\ufeffa')
  })
})
