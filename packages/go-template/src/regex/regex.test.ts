import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../test-support/lane.ts'
import { isExpectedError } from '../go-error.ts'
import { checkPattern, compilePattern } from './regex.ts'
import { regexSize } from './regex-size.ts'
import { tokenizeRegex } from './regex-tokens.ts'

function failure(attempt: () => unknown): string | undefined {
  try {
    attempt()
    return undefined
  } catch (error) {
    if (!isExpectedError(error)) throw error
    expect(error).toMatchObject({ kind: 'BadRequest', reason: 'InvalidRegex' })
    return error.message
  }
}

/** The engine alone; `undefined` if it refuses the expression. */
function engineOf(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(`^(?:${source})$`)
  } catch {
    return undefined
  }
}

const pieces = [
  'a',
  'b',
  'é',
  '😀',
  'ab',
  '\n',
  '.',
  '.*',
  '.+',
  '.*?',
  '|',
  '(',
  ')',
  '(?:',
  '(?i)',
  '(?P<n>',
  '(?i:',
  '*',
  '+',
  '?',
  '{2}',
  '{0}',
  '{0,1}',
  '{1,}',
  '{',
  '}',
  '[',
  ']',
  '[ab]',
  '[^a]',
  '[[:alpha:]]',
  '[\\]]',
  '\\.',
  '\\\\',
  '\\n',
  '\\d',
  '\\pL',
  '\\p{L}',
  '\\Q',
  '\\E',
  'a+',
  '^',
  '$',
  '\\x61',
  '\\x{1F600}',
  '\\141',
  '\\b',
  '\\',
  '-',
  ',',
  ':',
  '=',
  '_',
  '\\_',
  '(?s)',
  '(?-s)',
  '\\A',
  '\\z',
] // prettier-ignore

describe('matching of whole texts', () => {
  const source = fc.array(fc.constantFrom(...pieces), { maxLength: 7 }).map((list) => list.join(''))
  const value = fc
    .array(fc.constantFrom('a', 'b', 'ab', 'A', 'é', '😀', '\n', '.', '\\', '1', '|', ''), {
      maxLength: 5,
    })
    .map((list) => list.join(''))

  it('agrees with the engine, even without using it', () => {
    fc.assert(
      fc.property(source, fc.array(value, { minLength: 3, maxLength: 8 }), (text, values) => {
        const engine = engineOf(text)
        const isAccepted = failure(() => compilePattern(text)) === undefined
        expect(isAccepted).toBe(engine !== undefined)
        if (engine === undefined) return
        const pattern = compilePattern(text)
        for (const candidate of [...values, ...(pattern.literals ?? [])]) {
          expect([text, candidate, pattern.test(candidate)]).toEqual([
            text,
            candidate,
            engine.test(candidate),
          ])
          if (!pattern.test(candidate)) continue
          expect(candidate.startsWith(pattern.prefix ?? '')).toBe(true)
          if (pattern.literals !== undefined) expect(pattern.literals).toContain(candidate)
        }
      }),
      { numRuns: runsOf(160) },
    )
  })

  it('tokenizes every expression that the engine accepts, and does not underestimate its size', () => {
    fc.assert(
      fc.property(source, (text) => {
        const engine = engineOf(text)
        if (engine === undefined) return
        const tokens = tokenizeRegex(text)
        expect([text, tokens]).not.toEqual([text, undefined])
        expect([text, regexSize(tokens ?? []) + 8 >= engine.programSize()]).toEqual([text, true])
      }),
      { numRuns: runsOf(150) },
    )
  })
})

describe('the errors of Go', () => {
  it.each([
    ['(', 'missing closing ): `^(?:()$`', 'missing closing ): `(`'],
    [')', 'unexpected ): `^(?:))$`', 'unexpected ): `)`'],
    ['[a-z', 'missing closing ]: `[a-z)$`', 'missing closing ]: `[a-z`'],
    ['*', 'missing argument to repetition operator: `*`', undefined],
    ['a**', 'invalid nested repetition operator: `**`', undefined],
    ['a{2}{3}', 'invalid nested repetition operator: `{2}{3}`', undefined],
    ['a{1001}', 'invalid repeat count: `{1001}`', undefined],
    ['a{2,1}', 'invalid repeat count: `{2,1}`', undefined],
    ['((a{100}){100}){100}', 'invalid repeat count: `{100}`', undefined],
    ['[z-a]', 'invalid character class range: `z-a`', undefined],
    ['[[:foo:]]', 'invalid character class range: `[:foo:]`', undefined],
    ['\\pX', 'invalid character class range: `\\pX`', undefined],
    ['\\1', 'invalid escape sequence: `\\1`', undefined],
    ['\\Z', 'invalid escape sequence: `\\Z`', undefined],
    ['\\C', 'invalid escape sequence: `\\C`', undefined],
    ['a\\', 'missing closing ): `^(?:a\\)$`', 'trailing backslash at end of expression: ``'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`', undefined],
    ['(?>a)', 'invalid or unsupported Perl syntax: `(?>`', undefined],
    ['(?P=n)', 'invalid or unsupported Perl syntax: `(?P`', undefined],
    ['(?P<a b>x)', 'invalid named capture: `(?P<a b>`', undefined],
    ['(?P<n', 'invalid named capture: `(?P<n)$`', 'invalid named capture: `(?P<n`'],
    ['a\ud800', 'invalid UTF-8: `^(?:a\ud800)$`', 'invalid UTF-8: `a\ud800`'],
  ])('%j is refused, anchored and bare', (source, anchored, bare = anchored) => {
    expect(failure(() => compilePattern(source))).toBe(`error parsing regexp: ${anchored}`)
    expect(failure(() => checkPattern(source))).toBe(`error parsing regexp: ${bare}`)
  })

  it('refuses an expression nested more than 1000 deep, but not 900 deep', () => {
    const nested = (depth: number): string => `${'(?:'.repeat(depth)}a${')*'.repeat(depth)}`
    expect(failure(() => checkPattern(nested(1_001)))).toBe(
      `error parsing regexp: expression nests too deeply: \`${nested(1_001)}\``,
    )
    expect(compilePattern(nested(900)).test('aaa')).toBe(true)
  })

  it.each([
    ['counts side by side', 'a{0,1000}'.repeat(100)],
    ['counts in groups', '((ab{30}){30}c)'.repeat(500)],
    ['a long expression of classes', '[ab]'.repeat(30_000)],
    ['a very long group', `(${'a|'.repeat(60_000)}[b])`],
  ])('%s are too large', (_, source) => {
    expect(failure(() => checkPattern(source))).toBe(
      `error parsing regexp: expression too large: \`${source}\``,
    )
  })

  it('allows duplicate group names, as Go does', () => {
    const pattern = compilePattern('(?P<n>a+)[(?P<n>](?P<n>b)')
    expect(pattern.test('aa<b')).toBe(true)
    expect(pattern.test('aab')).toBe(false)
  })
})

describe('the dialect', () => {
  it.each([
    ['a)|(?:b', 'axx', true],
    ['a|b', 'ab', false],
    ['a.c', 'a\nc', false],
    ['(?s)a.c', 'a\nc', true],
    ['.', '😀', true],
    ['a$', 'a\n', false],
    ['(?m)a$\nb', 'a\nb', true],
    ['(?i)straße', 'STRAßE', true],
    ['(?U)a+', 'aaa', true],
    ['(?i:A)b', 'ab', true],
    ['(?i:A)b', 'aB', false],
    ['\\d+', '١', false],
    ['\\p{Greek}+', 'αβγ', true],
    ['\\x{1F600}', '😀', true],
    ['\\Qa.b\\E', 'a.b', true],
    ['(?<n>a)', 'a', true],
  ])('%j and %j', (source, value, isMatch) => {
    expect(compilePattern(source).test(value)).toBe(isMatch)
  })

  it('compares a value with a lone surrogate like any other', () => {
    expect(compilePattern('..').test('\ud800a')).toBe(true)
    expect(compilePattern('a.*').test('a\udc00')).toBe(true)
    expect(compilePattern('a').test('\ud800')).toBe(false)
  })
})

describe('the known facts of a pattern', () => {
  it.each([
    ['', ['']],
    ['api', ['api']],
    ['a|b|a', ['a', 'b']],
    ['^(?:web|db)-\\d', undefined],
    ['^(web|db(-main)?)$', undefined],
    ['^(web|db)-(eu|us)\\.x$', ['web-eu.x', 'web-us.x', 'db-eu.x', 'db-us.x']],
    ['a|', ['a', '']],
    ['(?i)a', undefined],
    ['(a|b|c|d|e|f|g|h)'.repeat(12), undefined],
  ])('the literals of %j', (source, literals) => {
    expect(compilePattern(source).literals).toEqual(literals)
  })

  it.each([
    ['node-[0-9]+', 'node-'],
    ['^node-.*', 'node-'],
    ['ab*', 'a'],
    ['a*b', undefined],
    ['a[x]|b', undefined],
    ['a(x|[y])', 'a'],
    ['(a|b).*', undefined],
    ['a)?(?:[b]', undefined],
  ])('the prefix of %j', (source, prefix) => {
    expect(compilePattern(source).prefix).toBe(prefix)
  })

  it('matches thousands of literals without the engine', () => {
    const hosts = Array.from({ length: 20_000 }, (_, i) => `host-${i}\\.example`)
    const pattern = compilePattern(hosts.join('|'))
    expect(pattern.literals).toHaveLength(20_000)
    expect(pattern.test('host-19999.example')).toBe(true)
    expect(pattern.test('host-19999-example')).toBe(false)
  })
})

describe('hostile input', () => {
  const anyText = fc
    .array(fc.oneof(fc.integer({ max: 0x7f, min: 0 }), fc.integer({ max: 0xffff, min: 0 })))
    .map((units) => String.fromCharCode(...units))

  it.each([
    ['(a+)+b', 'a'.repeat(50_000)],
    ['(a|a)*b', 'a'.repeat(50_000)],
    ['(x+x+)+y', 'x'.repeat(50_000)],
    ['(.*)(.*)(.*)(.*)(.*)x', 'a'.repeat(50_000)],
    ['(?:a|b)*a(?:a|b){16}c', 'ab'.repeat(25_000)],
    ['.*.*=.*', 'a'.repeat(50_000)],
    ['.*a.*', `${'b'.repeat(50_000)}\n`],
  ])('%s does not match 50,000 characters, and returns', (source, value) => {
    expect(compilePattern(source).test(value)).toBe(false)
  })

  it('compiles or refuses any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const isRefused = failure(() => compilePattern(text)) !== undefined
        if (!isRefused) expect(typeof compilePattern(text).test(text)).toBe('boolean')
      }),
    )
  })

  it('compiles an expression again after the cache dropped it', () => {
    const first = compilePattern('[a]0')
    for (let i = 0; i < 1_200; i++) compilePattern(`x${i}`)
    expect(compilePattern('x1199')).toBe(compilePattern('x1199'))
    expect(compilePattern('[a]0')).not.toBe(first)
    expect(compilePattern('[a]0').test('a0')).toBe(true)
  })
})
