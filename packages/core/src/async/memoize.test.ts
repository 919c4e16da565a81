import { describe, expect, it } from 'vitest'
import { memoize } from './memoize.ts'

function counted(
  limit: number,
  longest?: number,
): { ask: (text: string) => string; asked: readonly string[] } {
  const asked: string[] = []
  const ask = memoize(
    (text) => {
      asked.push(text)
      return text.toUpperCase()
    },
    limit,
    longest,
  )
  return { ask, asked }
}

describe('memoize', () => {
  it('asks once for each text', () => {
    const { ask, asked } = counted(10)
    expect(['a', 'b', 'a', 'b', 'a'].map(ask)).toEqual(['A', 'B', 'A', 'B', 'A'])
    expect(asked).toEqual(['a', 'b'])
  })

  it('remembers the last texts, and what is asked for again and again', () => {
    const { ask, asked } = counted(2)
    for (const text of ['a', 'b', 'c', 'a', 'd', 'e', 'a']) ask(text)
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('forgets what was not asked for since twice as many others were', () => {
    const { ask, asked } = counted(2)
    for (const text of ['a', 'b', 'c', 'd', 'e', 'a']) ask(text)
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'a'])
  })

  it('remembers no text that is too long', () => {
    const { ask, asked } = counted(10, 2)
    for (const text of ['ab', 'abc', 'ab', 'abc']) expect(ask(text)).toBe(text.toUpperCase())
    expect(asked).toEqual(['ab', 'abc', 'abc'])
  })
})
