import { describe, expect, it, vi } from 'vitest'
import { createPacedStream } from './paced-stream.ts'

const bytes = (length: number): Uint8Array => new Uint8Array(length)

/** Whether a promise has settled after all pending work. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  void promise.then(() => {
    settled = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return settled
}

describe('a paced stream', () => {
  it('returns what was written, in order, and ends', async () => {
    const { stream, write, close } = createPacedStream(100, () => {})
    void write(Uint8Array.of(1, 2))
    void write(Uint8Array.of(3))
    close()
    expect(new Uint8Array(await new Response(stream).arrayBuffer())).toEqual(Uint8Array.of(1, 2, 3))
  })

  it('makes its writers wait until it is read', async () => {
    const { stream, write, hasRoom } = createPacedStream(100, () => {})
    expect(await hasSettled(write(bytes(99)))).toBe(true)
    const [second, third] = [write(bytes(1)), write(bytes(50))]
    expect([await hasSettled(second), hasRoom()]).toEqual([false, false])
    const reader = stream.getReader()
    await reader.read()
    expect(await Promise.all([hasSettled(second), hasSettled(third)])).toEqual([true, true])
    expect(hasRoom()).toBe(true)
  })

  it('reports once that its reader has disconnected, and makes nobody wait', async () => {
    const onGone = vi.fn()
    const { stream, write, hasRoom, close } = createPacedStream(10, onGone)
    const pending = write(bytes(20))
    await stream.cancel()
    expect(await hasSettled(pending)).toBe(true)
    expect(await hasSettled(write(bytes(20)))).toBe(true)
    close()
    expect([hasRoom(), onGone.mock.calls.length]).toEqual([false, 1])
  })

  it('makes nobody wait once it is closed, and drops later writes', async () => {
    const onGone = vi.fn()
    const { stream, write, close } = createPacedStream(10, onGone)
    const pending = write(bytes(20))
    close()
    close()
    await write(bytes(5))
    expect(await hasSettled(pending)).toBe(true)
    expect((await new Response(stream).arrayBuffer()).byteLength).toBe(20)
    expect(onGone).not.toHaveBeenCalled()
  })
})
