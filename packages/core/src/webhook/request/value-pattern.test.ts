import { compilePattern } from '@gatehouse/go-template/regex'
import { describe, expect, it } from 'vitest'
import { matchesPart, matchesWhole } from './value-pattern.ts'

describe('matchesWhole', () => {
  it('requires a match of the whole value', () => {
    expect(matchesWhole(compilePattern('[a-z]+'), 'abc')).toBe(true)
    expect(matchesWhole(compilePattern('[a-z]+'), 'abc1')).toBe(false)
    expect(matchesWhole(compilePattern('(?m)^[a-z]+$'), 'abc\n1')).toBe(false)
    expect(matchesWhole(compilePattern('a|ab'), 'ab')).toBe(true)
    expect(matchesWhole(compilePattern(''), '')).toBe(true)
  })
})

describe('matchesPart', () => {
  it('is undecided for a value that is too long', () => {
    const pattern = compilePattern('[x]+')
    expect(matchesPart(pattern, 'x'.repeat(4096))).toBe(true)
    expect(matchesPart(pattern, 'x'.repeat(4097))).toBeUndefined()
    expect(matchesPart(pattern, 'x'.repeat(9000))).toBeUndefined()
  })

  it('is undecided for a shorter value if the pattern is very large', () => {
    const pattern = compilePattern('[x]{0,1000}[y]{0,1000}')
    expect(matchesPart(pattern, 'x'.repeat(100))).toBe(true)
    expect(matchesPart(pattern, 'x'.repeat(4000))).toBeUndefined()
    expect(matchesWhole(pattern, 'x'.repeat(4000))).toBe(false)
  })
})
