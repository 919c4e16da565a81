import { describe, expect, it } from 'vitest'
import { labelSetFromObject } from '../alert/label-set.ts'
import {
  compareMatchers,
  createMatcher,
  formatMatcher,
  formatMatchers,
  type MatchOperator,
  matches,
  matchesAll,
  matchesEmpty,
} from './matcher.ts'

describe('a matcher', () => {
  it.each<[MatchOperator, string, string, boolean]>([
    ['=', 'a', 'a', true],
    ['=', 'a', 'A', false],
    ['=', '\u00e9', 'e\u0301', false],
    ['=', '', '', true],
    ['!=', 'a', 'b', true],
    ['!=', 'a', 'a', false],
    ['!=', 'a', '', true],
    ['=~', 'a|b', 'b', true],
    ['=~', 'a|b', 'ab', false],
    ['=~', 'a.*', 'xa', false],
    ['=~', '.*', '', true],
    ['=~', '.+', '', false],
    ['!~', 'a.*', 'b', true],
    ['!~', 'a.*', 'abc', false],
  ])('%s %j, value %j: %s', (operator, pattern, value, expected) => {
    expect(matches(createMatcher('x', operator, pattern), value)).toBe(expected)
  })

  it('keeps its compiled pattern', () => {
    expect(createMatcher('x', '=~', 'a|b').pattern?.literals).toEqual(['a', 'b'])
    expect(createMatcher('x', '=', 'a|b').pattern).toBeUndefined()
  })

  it('with an invalid pattern is not created', () => {
    expect(() => createMatcher('x', '!~', '(')).toThrow(
      expect.objectContaining({
        kind: 'BadRequest',
        reason: 'InvalidMatcher',
        message: 'error parsing regexp: missing closing ): `^(?:()$`',
      }),
    )
  })
})

describe('matchers together', () => {
  const labels = labelSetFromObject(JSON.parse('{"a":"1","__proto__":"p"}'))

  it('match when all of them match; an empty list matches anything', () => {
    const one = createMatcher('a', '=', '1')
    const two = createMatcher('a', '=', '2')
    expect(matchesAll([one], labels)).toBe(true)
    expect(matchesAll([one, two], labels)).toBe(false)
    expect(matchesAll([], labels)).toBe(true)
  })

  it('treat a missing label as an empty value, also for names of object properties', () => {
    expect(matchesAll([createMatcher('b', '=', '')], labels)).toBe(true)
    expect(matchesAll([createMatcher('constructor', '=', '')], labels)).toBe(true)
    expect(matchesAll([createMatcher('toString', '!~', '.+')], labels)).toBe(true)
    expect(matchesAll([createMatcher('__proto__', '=', 'p')], labels)).toBe(true)
  })
})

it.each<[MatchOperator, string, boolean]>([
  ['=', '', true],
  ['=', 'a', false],
  ['=~', '', true],
  ['=~', '.*', true],
  ['=~', 'x*', true],
  ['=~', '(x)?', true],
  ['=~', 'a|', true],
  ['=~', '^', true],
  ['=~', '.+', false],
  ['!=', '', false],
  ['!=', 'a', false],
  ['!~', '.*', false],
  ['!~', 'a', false],
])('x%s%j counts as matching the empty text: %s', (operator, value, expected) => {
  expect(matchesEmpty(createMatcher('x', operator, value))).toBe(expected)
})

it.each([
  ['a', 'b', 'a="b"'],
  ['a', 'say "x"\\\n\t', 'a="say \\"x\\"\\\\\\n\t"'],
  ['a.b-c:d', '\u200b', 'a.b-c:d="\u200b"'],
  ['ü', '', 'ü=""'],
  ['a b', 'c\n\u200b', '"a b"="c\\n\\u200b"'],
  ['a\u3000b', 'c', '"a\\u3000b"="c"'],
  ["it's", 'c', '"it\'s"="c"'],
  ['a=b', 'c', '"a=b"="c"'],
  ['`~{},!\\"', 'c', '"`~{},!\\\\\\""="c"'],
])('the name %j with the value %j is formatted as %s', (name, value, text) => {
  expect(formatMatcher(createMatcher(name, '=', value))).toBe(text)
})

it('a list is formatted in its order, and sorted by name, value and operator', () => {
  const list = [
    createMatcher('b', '=', '1'),
    createMatcher('a', '!~', '2'),
    createMatcher('a', '=~', '2'),
    createMatcher('a', '!=', '2'),
    createMatcher('a', '=', '2'),
    createMatcher('a', '!~', '1'),
    createMatcher('A', '=', '9'),
  ]
  expect(formatMatchers(list.slice(0, 2))).toBe('{b="1",a!~"2"}')
  expect(formatMatchers([])).toBe('{}')
  expect(formatMatchers(list.sort(compareMatchers))).toBe(
    '{A="9",a!~"1",a="2",a!="2",a=~"2",a!~"2",b="1"}',
  )
})
