import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../../test-support/cpu-time.ts'
import { jsonTextOf, memberText, parseJsonText } from './json-text.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('parseJsonText', () => {
  it('accepts nesting up to the limit and no deeper', () => {
    expect(parseJsonText(nested(64), 64).text).toHaveLength(128)
    expect(() => parseJsonText(nested(65), 64)).toThrow('nested more than 64 deep')
    expect(parseJsonText('7', 0).value).toBe(7)
    expect(() => parseJsonText('{}', 0)).toThrow('nested')
  })

  it('ignores brackets inside of strings', () => {
    const text = JSON.stringify(['[[[{{{', '"[[[', '\\', ']]'])
    expect(parseJsonText(text, 1).value).toEqual(['[[[{{{', '"[[[', '\\', ']]'])
  })

  it.each([
    ['', 'the body is empty'],
    [' \n\t', 'the body is empty'],
    ['{"a":1', 'unexpected EOF'],
    ['{"a":1}}', 'unexpected text after its end'],
    ['nul', 'unexpected EOF'],
    ["{'a':1}", 'looking for beginning of object key string'],
    ['\ufeff{}', 'looking for beginning of value'],
  ])('refuses %j with a reason', (text, problem) => {
    expect(() => parseJsonText(text, 64)).toThrow(
      expect.objectContaining({
        reason: 'invalid_json',
        kind: 'BadRequest',
        message: expect.stringContaining(problem),
      }),
    )
  })

  it('quotes nothing but the wrong character', () => {
    expect(() => parseJsonText('{"token":"s3cret"x}', 64)).toThrow(/^(?!.*s3cret)/)
  })

  it('refuses a hostile depth before the parser sees it', () => {
    const begin = cpuMs()
    expect(() => parseJsonText('['.repeat(4_000_000), 64)).toThrow('nested')
    expect(() => parseJsonText('{"a":'.repeat(800_000), 64)).toThrow('nested')
    expect(cpuMs() - begin).toBeLessThan(4_000)
  })
})

describe('jsonTextOf', () => {
  it('keeps a value unchanged', () => {
    const value = { list: [1] }
    const json = jsonTextOf(value)
    value.list.push(2)
    expect(json).toEqual({ text: '{"list":[1]}', value: { list: [1] } })
  })
})

describe('memberText', () => {
  const textAt = (text: string, ...path: string[]): string | undefined =>
    memberText(parseJsonText(text, 64), path)?.text

  it('keeps every digit of a number at any place', () => {
    expect(textAt('{"a": 9007199254740993}', 'a')).toBe('9007199254740993')
    expect(textAt('[0, -0.0 ,1E+3]', '1')).toBe('-0.0')
    expect(textAt('{"a":[1.10,{"b":1e400}]}', 'a')).toBe('[1.10,{"b":1e400}]')
    expect(textAt(' 1.0 ')).toBe('1.0')
  })

  it('drops white space, except inside of strings', () => {
    const text = '\n{ "a b" :\t[ 1 , { } , [ ] , " x " , null ] }\r\n'
    expect(textAt(text)).toBe('{"a b":[1,{},[]," x ",null]}')
  })

  it('keeps the order of members, even of those that resemble numbers', () => {
    expect(textAt('{"b":1,"2":0,"a":2,"1":0}')).toBe('{"b":1,"2":0,"a":2,"1":0}')
  })

  it('keeps the last value of a repeated member, at its last place', () => {
    expect(textAt('{"a":1,"b":2,"a":3}')).toBe('{"b":2,"a":3}')
    expect(textAt('{"a":1,"a":2,"a":3}')).toBe('{"a":3}')
    expect(textAt('{"a":1,"\\u0061":2}')).toBe('{"a":2}')
    expect(textAt('{"o":{"x":{"a":1 ,"a":2},"y":1,"x" : {"b":1, "b":2}}}', 'o')).toBe(
      '{"y":1,"x":{"b":2}}',
    )
    expect(textAt('{"a":{"v":1},"a":{"v":2.0}}', 'a', 'v')).toBe('2.0')
    expect(textAt('{"a":{"v":1},"a":{}}', 'a', 'v')).toBeUndefined()
  })

  it('normalizes escapes', () => {
    expect(textAt('["\\u0041\\/\\u00e9","\\ud83d\\ude00","\\ud800","\\u0000\\n"]')).toBe(
      '["A/é","😀","\\ud800","\\u0000\\n"]',
    )
  })

  it('finds only own members', () => {
    expect(textAt('{"__proto__":{"a":1.50}}', '__proto__', 'a')).toBe('1.50')
    expect(textAt('{}', '__proto__')).toBeUndefined()
    expect(textAt('{}', 'constructor')).toBeUndefined()
    expect(textAt('[1]', 'length')).toBeUndefined()
    expect(textAt('[1,2]', '01')).toBeUndefined()
    expect(textAt('[1,2]', '2')).toBeUndefined()
    expect(textAt('"text"', '0')).toBeUndefined()
  })

  it('distinguishes null from a missing member', () => {
    expect(memberText(parseJsonText('{"a":null}', 64), ['a'])).toEqual({
      text: 'null',
      value: null,
    })
  })

  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), (value, indent) => {
        const compact = textAt(JSON.stringify(value, null, indent))
        expect(compact).toBe(JSON.stringify(value))
      }),
    )
  })

  it('gives the same result when repeated', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const once = textAt(text) ?? ''
        expect(textAt(once)).toBe(once)
      }),
    )
  })

  it('keeps the last of any repeated members, in order', () => {
    const name = fc.constantFrom('a', 'b', '1', '__proto__', 'é')
    const members = fc.array(fc.tuple(name, fc.json(), fc.constantFrom('', ' ', '\n')))
    fc.assert(
      fc.property(members, (list) => {
        const written = list.map(
          ([key, value, blank]) => `${blank}"${key}"${blank}:${value}${blank}`,
        )
        const last = new Map<string, string | undefined>()
        for (const [key, value] of list) {
          last.delete(key)
          last.set(key, textAt(value))
        }
        const expected = Array.from(last, ([key, value]) => `"${key}":${value}`)
        expect(textAt(`{${written.join(',')}}`)).toBe(`{${expected.join(',')}}`)
        for (const [key, value] of last) expect(textAt(`{${written.join(',')}}`, key)).toBe(value)
      }),
    )
  })

  it('takes linear time for any text', () => {
    const size = 1_000_000
    const texts = [
      `{"a":[${'1,'.repeat(size)}1]}`,
      `{"a":"${'\\\\'.repeat(size)}"}`,
      `{"a":[${'"",'.repeat(size)}""]}`,
      `{${'"x":[] ,'.repeat(size / 4)}"a":1}`,
      `{${'"\\u0078":1,'.repeat(size / 4)}"a":1}`,
      `{"a":${'['.repeat(60)}${' '.repeat(2 * size)}${']'.repeat(60)}}`,
      `{"a":{${Array.from({ length: size / 8 }, (_, index) => `"${index}": 1`).join(',')}}}`,
    ]
    for (const text of texts) {
      const json = parseJsonText(text, 64)
      const begin = cpuMs()
      expect(memberText(json, ['a'])).toBeDefined()
      expect(memberText(json, [])).toBeDefined()
      expect(cpuMs() - begin).toBeLessThan(6_000)
    }
  })
})
