import { describe, expect, it } from 'vitest'
import { createManualClock } from '../testing/manual-clock.ts'
import { createTimedCache } from './timed-cache.ts'

/** A cache whose values are the number of earlier loads. */
function countingCache(limit = 10) {
  const clock = createManualClock()
  const cache = createTimedCache<number>(clock, limit)
  let loaded = 0
  return {
    clock,
    get: (key: string, maxAgeMs = 1_000) => cache.get(key, maxAgeMs, async () => loaded++),
    fail: (key: string) => cache.get(key, 1_000, () => Promise.reject(new Error('no answer'))),
  }
}

describe('a timed cache', () => {
  it('loads a value again when it is too old for the caller', async () => {
    const { clock, get } = countingCache()
    expect(await get('a')).toBe(0)
    clock.advance(999)
    expect(await get('a')).toBe(0)
    expect(await get('a', 500)).toBe(1)
    clock.advance(1_000)
    expect(await get('a')).toBe(2)
    expect(await get('b')).toBe(3)
  })

  it('loads once for concurrent calls', async () => {
    const { get } = countingCache()
    expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual([0, 0, 0])
  })

  it('does not keep a failure', async () => {
    const { get, fail } = countingCache()
    await expect(fail('a')).rejects.toThrow('no answer')
    expect(await get('a')).toBe(0)
  })

  it('keeps what is loaded while an older load fails', async () => {
    const { clock, get, fail } = countingCache()
    const failing = fail('a')
    clock.advance(1_000)
    const newer = get('a')
    await expect(failing).rejects.toThrow()
    expect([await newer, await get('a')]).toEqual([0, 0])
  })

  it('does not trust an age if the clock was set back', async () => {
    const { clock, get } = countingCache()
    await get('a')
    clock.setTo(0)
    expect(await get('a')).toBe(1)
  })

  it('keeps no more than its limit', async () => {
    const { get } = countingCache(2)
    for (const key of ['a', 'b', 'c']) await get(key)
    expect([await get('c'), await get('b'), await get('a')]).toEqual([2, 1, 3])
  })
})
