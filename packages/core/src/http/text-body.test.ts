import { describe, expect, it } from 'vitest'
import { textBody } from './text-body.ts'

describe('textBody', () => {
  it('joins short texts', () => {
    expect(textBody(['["', 'ü', '"]\n'])).toEqual({ body: '["ü"]\n', byteLength: 7 })
    expect(textBody([])).toEqual({ body: '', byteLength: 0 })
  })

  it('streams long texts in few chunks, without loss', async () => {
    const pieces = Array.from({ length: 1_000 }, (_, index) => `${index}ü`.repeat(200))
    const { body, byteLength } = textBody(pieces)
    expect(body).toBeInstanceOf(ReadableStream)
    const chunks: string[] = []
    const decoder = new TextDecoder('utf-8', { fatal: true })
    for await (const chunk of body as ReadableStream<Uint8Array>) chunks.push(decoder.decode(chunk))
    expect(chunks.join('')).toBe(pieces.join(''))
    expect(Buffer.byteLength(pieces.join(''))).toBe(byteLength)
    expect(chunks.length).toBeLessThan(20)
  })

  it('accepts encoded pieces among the others', async () => {
    const bytes = new TextEncoder().encode('ü'.repeat(200_000))
    expect(textBody(['["', new TextEncoder().encode('ü'), '"]']).body).toBe('["ü"]')
    const { body, byteLength } = textBody(['["', bytes, '"]'])
    expect(await new Response(body).text()).toBe(`["${'ü'.repeat(200_000)}"]`)
    expect(byteLength).toBe(400_004)
  })

  it('encodes nothing before it is read', async () => {
    const { body } = textBody(['x'.repeat(300_000), 'y'.repeat(300_000)])
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    expect((await reader.read()).value).toHaveLength(300_000)
    await reader.cancel()
    expect((await reader.read()).done).toBe(true)
  })
})
