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
  it('calls the function once for each text', () => {
    const { ask, asked } = counted(10)
    expect(['a', 'b', 'a', 'b', 'a'].map(ask)).toEqual(['A', 'B', 'A', 'B', 'A'])
    expect(asked).toEqual(['a', 'b'])
  })

  it('keeps the latest texts, and those that are used repeatedly', () => {
    const { ask, asked } = counted(2)
    for (const text of ['a', 'b', 'c', 'a', 'd', 'e', 'a']) ask(text)
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('drops a text that was unused while twice the limit of others were used', () => {
    const { ask, asked } = counted(2)
    for (const text of ['a', 'b', 'c', 'd', 'e', 'a']) ask(text)
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'a'])
  })

  it('does not keep texts that are too long', () => {
    const { ask, asked } = counted(10, 2)
    for (const text of ['ab', 'abc', 'ab', 'abc']) expect(ask(text)).toBe(text.toUpperCase())
    expect(asked).toEqual(['ab', 'abc', 'abc'])
  })
})
