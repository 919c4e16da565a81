import { describe, expect, it } from 'vitest'
import { createRepeats } from './repeats.ts'

describe('repeated content', () => {
  it('is not news while it is the same, until its time is over', () => {
    const repeats = createRepeats({ forMs: 100, maxKeys: 10 })
    expect(repeats.isNews('a', 'x', 0)).toBe(true)
    expect(repeats.isNews('a', 'x', 99)).toBe(false)
    expect(repeats.isNews('a', 'x', 100)).toBe(true)
    expect(repeats.isNews('a', 'x', 199)).toBe(false)
  })

  it('is news when it differs from the last content, even if it occurred before, and for another key', () => {
    const repeats = createRepeats({ forMs: 100, maxKeys: 10 })
    repeats.isNews('a', 'x', 0)
    expect(repeats.isNews('b', 'x', 1)).toBe(true)
    expect(repeats.isNews('a', 'y', 2)).toBe(true)
    expect(repeats.isNews('a', 'x', 3)).toBe(true)
  })

  it('is news after it was forgotten', () => {
    const repeats = createRepeats({ forMs: 100, maxKeys: 10 })
    repeats.isNews('a', 'x', 0)
    repeats.forget('a')
    expect(repeats.isNews('a', 'x', 1)).toBe(true)
  })

  it('is known for a bounded number of keys, the most recent ones', () => {
    const repeats = createRepeats({ forMs: 100, maxKeys: 3 })
    for (const key of ['a', 'b', 'c', 'd']) repeats.isNews(key, 'x', 0)
    expect(['b', 'c', 'd'].map((key) => repeats.isNews(key, 'x', 1))).toEqual([false, false, false])
    expect(repeats.isNews('a', 'x', 1)).toBe(true)
  })
})
