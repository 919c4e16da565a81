import { describe, expect, it } from 'vitest'
import { regexCost } from './regex-cost.ts'

describe('regexCost()', () => {
  it.each([
    'a',
    'a+',
    '[^a]*b',
    '"([^"]*)"',
    '(\\w+)@(\\w+)\\.com',
    '\\s+|,',
    'a|b',
    '(ab)?c',
    '(.*)',
  ])('finds that %s only looks at characters it takes', (source) =>
    expect(regexCost(source).looksAhead).toBe(false),
  )

  it.each(['a*b|a', '(?:a*b)?a', '(?:a.*z)?', '(?:ab*)+c?', 'x(?:a+b)*'])(
    'finds that %s may look further',
    (source) => expect(regexCost(source).looksAhead).toBe(true),
  )

  it('counts instructions', () => {
    expect(regexCost('a').size).toBeLessThan(10)
    expect(regexCost('a{900}').size).toBeGreaterThan(900)
  })
})
