import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../test-support/lane.ts'
import { decodeJson, goJson, goJsonString } from './json.ts'

describe('goJsonString', () => {
  it('escapes the same characters as Go', () => {
    expect(goJsonString('a')).toBe('"a"')
    expect(goJsonString('"\\\n\r\t\b\f\u0000\u001f\u007f')).toBe(
      '"\\"\\\\\\n\\r\\t\\u0008\\u000c\\u0000\\u001f\u007f"',
    )
    expect(goJsonString('<a href="x">&\u2028\u2029</a>')).toBe(
      '"\\u003ca href=\\"x\\"\\u003e\\u0026\\u2028\\u2029\\u003c/a\\u003e"',
    )
    expect(goJsonString('ü☃😀/')).toBe('"ü☃😀/"')
    expect(goJsonString('a\ud800b')).toBe('"a\ufffdb"')
  })

  it('goJson() writes whole values', () => {
    const value = { a: [1, true, null, '<'], b: undefined, '"': {} }
    expect(goJson(value)).toBe('{"a":[1,true,null,"\\u003c"],"\\"":{}}')
  })

  it('parses back to the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(goJsonString(text))).toBe(text.toWellFormed())
      }),
    )
  })
})

describe('decodeJson', () => {
  const failure = (text: string): string => {
    try {
      return `no failure: ${JSON.stringify(decodeJson(text))}`
    } catch (error) {
      return (error as Error).message
    }
  }

  it.each([
    ['{} trailing', {}],
    ['[1]]', [1]],
    [' null,', null],
    ['5 6', 5],
    ['5x', 5],
    ['01', 0],
    ['-0.5e+3,', -500],
    ['"a"b', 'a'],
    ['true}', true],
    ['{"a":[1,{"b":"}"}]}{', { a: [1, { b: '}' }] }],
    [' [ ] x', []],
    ['{ } x', {}],
    ['[ 1 , { "a" : 2 , "b" : [ ] } ] x', [1, { a: 2, b: [] }]],
    ['"\\"\\u00e9\\\\" x', '"é\\'],
  ])('reads the first value of %j', (text, value) => {
    expect(decodeJson(text)).toEqual(value)
  })

  it('finds no value in white space', () => {
    for (const text of ['', ' ', '\n\t \r']) expect(decodeJson(text)).toBeUndefined()
  })

  it.each([
    ['{', 'unexpected EOF'],
    ['[', 'unexpected EOF'],
    ['[1,', 'unexpected EOF'],
    ['{"a"', 'unexpected EOF'],
    ['{"a":', 'unexpected EOF'],
    ['{"a":1', 'unexpected EOF'],
    ['{"a":1,', 'unexpected EOF'],
    ['"a', 'unexpected EOF'],
    ['"a\\', 'unexpected EOF'],
    ['"\\u12', 'unexpected EOF'],
    ['tru', 'unexpected EOF'],
    ['-', 'unexpected EOF'],
    ['1.', 'unexpected EOF'],
    ['1e', 'unexpected EOF'],
    ['x', "invalid character 'x' looking for beginning of value"],
    ["'", "invalid character '\\'' looking for beginning of value"],
    ['ü', "invalid character 'Ã' looking for beginning of value"],
    ['\u0000', "invalid character '\\x00' looking for beginning of value"],
    ['[,]', "invalid character ',' looking for beginning of value"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{"a":}', "invalid character '}' looking for beginning of value"],
    ['{a', "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
    ['{"a":1]', "invalid character ']' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1}', "invalid character '}' after array element"],
    ['[01]', "invalid character '1' after array element"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['-a', "invalid character 'a' in numeric literal"],
    ['1.a', "invalid character 'a' after decimal point in numeric literal"],
    ['1ea', "invalid character 'a' in exponent of numeric literal"],
    ['1e+a', "invalid character 'a' in exponent of numeric literal"],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ['nul ', "invalid character ' ' in literal null (expecting 'l')"],
    ['[fals}', "invalid character '}' in literal false (expecting 'e')"],
  ])("fails for %j with Go's message", (text, message) => {
    expect(failure(text)).toBe(message)
  })

  it('replaces lone surrogates, escaped or not, and keeps pairs', () => {
    expect(decodeJson('"\\ud83d\\ude00 \\ud83d \\ude00 \\\\ud83d \\ud83dx"')).toBe(
      '😀 \ufffd \ufffd \\ud83d \ufffdx',
    )
    expect(decodeJson('"\\ud83d\\ud83d\\ude00"')).toBe('\ufffd😀')
    expect(failure('"\\ud83"')).toContain('in \\u hexadecimal character escape')
  })

  it('accepts 10,000 levels and no more', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(decodeJson(nested(10_000))).toEqual([expect.any(Array)])
    expect(failure(nested(10_001))).toBe('exceeded max depth')
    expect(failure('{"a":'.repeat(1_000_000))).toBe('exceeded max depth')
    expect(decodeJson(`[${'[],'.repeat(20_000)}[]]`)).toHaveLength(20_001)
    expect(decodeJson(JSON.stringify('['.repeat(20_000)))).toHaveLength(20_000)
  })

  it('keeps __proto__ as a plain key', () => {
    expect(Object.entries(decodeJson('{"__proto__":1}x') as object)).toEqual([['__proto__', 1]])
  })

  it('reads every JSON text, whatever follows', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), fc.string(), (json, rest) => {
        const value = JSON.parse(json)
        const text = `${json} ${rest}`
        expect(decodeJson(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('parses or refuses any text', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '1',
      '-',
      'e',
      'true',
      '\\',
      'u',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(token, { maxLength: 30 }), (tokens) => {
        const text = tokens.join('')
        const answer = failure(text)
        try {
          const value = JSON.parse(text)
          expect(answer).toBe(`no failure: ${JSON.stringify(value)}`)
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError)
        }
      }),
      { numRuns: runsOf(100) },
    )
  })
})
