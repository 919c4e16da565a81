import { describe, expect, it } from 'vitest'
import { createCutoff } from '../alerts/dispatch/pace/cutoff.ts'
import { toAbortSignal } from './abort-signal.ts'

const over = new DOMException('it is over', 'AbortError')

describe('a signal as one of the platform', () => {
  it('is itself if it is one', () => {
    const { signal } = new AbortController()
    expect(toAbortSignal(signal)).toBe(signal)
  })

  it('is aborted with the other, for the same reason', () => {
    const cutoff = createCutoff()
    const signal = toAbortSignal(cutoff.signal)
    expect(signal.aborted).toBe(false)
    cutoff.cut(over)
    expect([signal.aborted, signal.reason]).toEqual([true, over])
  })

  it('is aborted from the start if the other is', () => {
    const cutoff = createCutoff()
    cutoff.cut(over)
    expect(toAbortSignal(cutoff.signal).reason).toBe(over)
  })
})
