import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../../test-support/lane.ts'
import { isGatehouseError } from '../../errors.ts'
import { type Logger, silentLogger } from '../../logger.ts'
import {
  compareMatchers,
  createMatcher,
  formatMatcher,
  formatMatchers,
  type Matcher,
  type MatchOperator,
} from './matcher.ts'
import { type MatcherMode, parseMatcher, parseMatchers } from './matcher-syntax.ts'

interface Outcome {
  matchers?: { name: string; op: string; value: string }[]
  error?: string
}

interface Vector extends Outcome {
  input: string
  sortedString?: string
}

function vectors(file: string): Vector[] {
  const url = new URL(`../../../vectors/alerts/${file}`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8')).cases
}

function outcomeOf(parse: () => readonly Matcher[]): Outcome {
  try {
    return { matchers: parse().map(({ name, operator, value }) => ({ name, op: operator, value })) }
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    expect(error).toMatchObject({ kind: 'BadRequest', reason: 'InvalidMatcher' })
    return { error: error.message }
  }
}

describe.each([
  ['matchers-classic.json', (input: string) => parseMatchers(input, 'classic')],
  ['matchers-utf8.json', (input: string) => parseMatchers(input, 'utf8')],
  ['matchers-fallback-list.json', (input: string) => parseMatchers(input, 'fallback')],
  ['matchers-fallback-single.json', (input: string) => [parseMatcher(input, 'fallback')]],
] as const)('%s', (file, parse) => {
  it.each(vectors(file))('$input', ({ input, sortedString, ...expected }) => {
    expect(outcomeOf(() => parse(input))).toEqual(expected)
    if (sortedString === undefined) return
    expect(formatMatchers([...parse(input)].sort(compareMatchers))).toBe(sortedString)
  })
})

describe('cases that the vectors do not cover', () => {
  const single = (input: string, mode: MatcherMode): Outcome =>
    outcomeOf(() => [parseMatcher(input, mode)])
  const list = (input: string, mode: MatcherMode): Outcome =>
    outcomeOf(() => parseMatchers(input, mode))

  it.each<[string, MatcherMode, string]>([
    ['', 'utf8', 'no matchers'],
    ['a=b,c=d', 'utf8', 'expected 1 matcher, found 2'],
    ['{a=b}', 'utf8', 'unexpected open or close brace: {a=b}'],
    ['a=~"("', 'utf8', 'error parsing regexp: missing closing ): `^(?:()$`'],
    ['a=~(', 'fallback', 'error parsing regexp: missing closing ): `^(?:()$`'],
    ['a=\ud800', 'classic', 'matcher value not valid UTF-8: \ud800'],
    ['a=\ud800', 'utf8', '2:3: \ud800: invalid input: expected label value'],
    ['', 'classic', 'bad matcher format: '],
  ])('%j alone in mode %s: %s', (input, mode, error) => {
    expect(single(input, mode)).toEqual({ error })
  })

  it('a single matcher in classic mode may end with a brace', () => {
    expect(single('a=~b{2}', 'classic').matchers).toEqual([{ name: 'a', op: '=~', value: 'b{2}' }])
  })

  it.each<[string, MatcherMode, string]>([
    ["{a=b}'", 'utf8', "5:6: ': invalid input: expected end of input"],
    ['~', 'utf8', '0:1: ~: invalid input: expected label name'],
    [
      '😀!',
      'utf8',
      "1:2: unexpected end of input, expected one of '=~': expected an operator such as '=', '!=', '=~' or '!~'",
    ],
    ['a=b,~', 'utf8', '4:5: ~: invalid input: expected a matcher or close brace after comma'],
    ['{a=b, ', 'utf8', '0:6: end of input: expected close brace'],
  ])('the list %j in mode %s: %s', (input, mode, error) => {
    expect(list(input, mode)).toEqual({ error })
  }) // prettier-ignore

  it('a comma after a backslash splits a classic list, unless it is quoted', () => {
    expect(list('a=x\\,b=y', 'classic').matchers).toEqual([
      { name: 'a', op: '=', value: 'x\\' },
      { name: 'b', op: '=', value: 'y' },
    ])
    expect(list('a="x\\,",b=y', 'classic').matchers).toEqual([
      { name: 'a', op: '=', value: 'x\\,' },
      { name: 'b', op: '=', value: 'y' },
    ])
  })

  it('names of Object.prototype are valid names', () => {
    expect(single('__proto__=constructor', 'fallback').matchers).toEqual([
      { name: '__proto__', op: '=', value: 'constructor' },
    ])
  })
})

describe('mode fallback', () => {
  const inputPieces = fc.constantFrom(
    'foo',
    'ü',
    '=',
    '!=',
    '=~',
    '!~',
    '!',
    '"',
    '\\',
    '\\n',
    '\\"',
    '{',
    '}',
    ',',
    ' ',
    '\n',
    "'",
    '~',
    '(',
    'a|b',
    '\ud800',
  ) // prettier-ignore
  const input = fc
    .oneof(
      fc.array(inputPieces, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc
        .array(
          fc.tuple(
            fc.constantFrom('a', ' a', 'ü', '"a b"', ''),
            fc.constantFrom('=', '!=', '=~', '!~', ' = '),
            fc.constantFrom('x', '"x"', 'x y', '"\\d"', '"x\\"y"', '"x', "'x'", '', '('),
          ),
          { maxLength: 3 },
        )
        .map((list) => list.map((parts) => parts.join('')).join(',')),
    )
    .map((text) => text)

  it('combines the results of the two grammars by its table', () => {
    fc.assert(
      fc.property(input, (text) => {
        const utf8 = outcomeOf(() => parseMatchers(text, 'utf8'))
        const classic = outcomeOf(() => parseMatchers(text, 'classic'))
        const expected = classic.error !== undefined && utf8.error === undefined ? utf8 : classic
        expect(outcomeOf(() => parseMatchers(text, 'fallback'))).toEqual(expected)
      }),
      { numRuns: runsOf(100) },
    )
  })

  it('refuses braces around a single matcher before any other error', () => {
    fc.assert(
      fc.property(input, (text) => {
        const hasBrace = text.startsWith('{') || text.endsWith('}')
        const { error = '' } = outcomeOf(() => [parseMatcher(text, 'fallback')])
        expect(error.startsWith('unexpected open or close brace: ')).toBe(hasBrace)
      }),
      { numRuns: runsOf(60) },
    )
  })

  it.each([
    ['foo=bar', 0],
    ['"foo"=bar', 0],
    ['foo=a b', 1],
    ['foo="\\t"', 1],
    ['foo', 0],
  ])('logs the disagreement of the grammars on %j %i times', (text, times) => {
    const lines: string[] = []
    const log: Logger = { ...silentLogger, warn: (_, message) => void lines.push(message) }
    outcomeOf(() => parseMatchers(text, 'fallback', log))
    outcomeOf(() => [parseMatcher(text, 'fallback', log)])
    expect(lines).toHaveLength(2 * times)
  })
})

describe('a printed matcher', () => {
  const anyText = fc
    .array(fc.oneof(fc.integer({ min: 1, max: 0x7f }), fc.integer({ min: 1, max: 0x10ffff })), {
      maxLength: 8,
    })
    .map((codes) => String.fromCodePoint(...codes).toWellFormed())
  const operator = fc.constantFrom<MatchOperator>('=', '!=')
  const classicName = fc.constantFrom('a', '_b9', 'constructor', '__proto__')
  const utf8Name = fc.oneof(
    classicName,
    anyText.filter((text) => text !== ''),
  ) // prettier-ignore
  const isSame = (a: Matcher, b: Matcher): boolean => compareMatchers(a, b) === 0

  it.each([
    ['classic', classicName],
    ['utf8', utf8Name],
    ['fallback', utf8Name],
  ] as const)('can be parsed again in mode %s, alone and in a list', (mode, name) => {
    const matcher = fc
      .tuple(name, operator, anyText)
      .map(([label, sign, value]) => createMatcher(label, sign, value))
    fc.assert(
      fc.property(fc.array(matcher, { minLength: 1, maxLength: 4 }), (matchers) => {
        const read = parseMatchers(formatMatchers(matchers), mode)
        expect(read.map(formatMatcher)).toEqual(matchers.map(formatMatcher))
        expect(read.every((one, i) => isSame(one, matchers[i] ?? one))).toBe(true)
        const [first] = matchers
        if (first === undefined) return
        expect(isSame(parseMatcher(formatMatcher(first), mode), first)).toBe(true)
      }),
    )
  })
})

describe('hostile input', () => {
  const modes: readonly MatcherMode[] = ['classic', 'utf8', 'fallback']

  it('with any characters is parsed or refused', () => {
    const units = fc.oneof(
      fc.constantFrom(...'ab=!~",\\{} \n\'`'.split('')).map((character) => character.charCodeAt(0)),
      fc.integer({ min: 0, max: 0xffff }),
    )
    fc.assert(
      fc.property(fc.array(units, { maxLength: 40 }), (list) => {
        const text = String.fromCharCode(...list)
        for (const mode of modes) {
          outcomeOf(() => [parseMatcher(text, mode)])
          outcomeOf(() => parseMatchers(text, mode))
        }
      }),
      { numRuns: runsOf(60) },
    )
  })

  it.each([
    ['blanks', `a=${' '.repeat(200_000)}x`],
    ['endless blanks', `a${' '.repeat(200_000)}`],
    ['backslashes', `a="${'\\'.repeat(200_001)}`],
    ['escapes', `a="${'\\x41'.repeat(50_000)}"`],
    ['quotes', `a=${'"'.repeat(200_000)}`],
    ['commas', ','.repeat(200_000)],
    ['braces', '{'.repeat(200_000)],
    ['names', 'a'.repeat(200_000)],
    ['matchers', 'a=b,'.repeat(50_000)],
  ])('of 200,000 %s gets a result in every mode', (_, text) => {
    for (const mode of modes) {
      const { error, matchers } = outcomeOf(() => parseMatchers(text, mode))
      expect(error === undefined).toBe(matchers !== undefined)
    }
  })
})
