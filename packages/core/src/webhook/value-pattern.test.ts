import { describe, expect, it } from 'vitest'
import { matchesPart, matchesWhole } from './value-pattern.ts'

describe('matchesWhole', () => {
  it('wants the whole value, also of a pattern without anchors', () => {
    expect(matchesWhole(/[a-z]+/u, 'abc')).toBe(true)
    expect(matchesWhole(/[a-z]+/u, 'abc1')).toBe(false)
    expect(matchesWhole(/^[a-z]+$/mu, 'abc\n1')).toBe(false)
    expect(matchesWhole(/^(?:a|ab)$/u, 'ab')).toBe(true)
    expect(matchesWhole(/^(?:)$/u, '')).toBe(true)
  })
})

describe('matchesPart', () => {
  it('looks anywhere', () => {
    expect(matchesPart(/b/u, 'abc')).toBe(true)
    expect(matchesPart(/^b/u, 'abc')).toBe(false)
  })

  it('says nothing about a value that is too long', () => {
    expect(matchesPart(/x/u, 'x'.repeat(4096))).toBe(true)
    expect(matchesPart(/x/u, 'x'.repeat(4097))).toBeUndefined()
    expect(matchesPart(/x/u, 'x'.repeat(9000))).toBeUndefined()
  })
})
