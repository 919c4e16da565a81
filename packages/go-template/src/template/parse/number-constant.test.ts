import { describe, expect, it } from 'vitest'
import { parseCharacter, parseNumber } from './number-constant.ts'

describe('parseNumber()', () => {
  it.each([
    ['0', 0n],
    ['-0', 0n],
    ['+7', 7n],
    ['1_000', 1000n],
    ['0x_1F', 31n],
    ['0b1_01', 5n],
    ['0o17', 15n],
    ['017', 15n],
    ['1e3', 1000n],
    ['0x1p4', 16n],
    ['-9223372036854775808', -9223372036854775808n],
  ])('reads the whole number %s', (text, integer) => {
    expect(parseNumber(text)).toMatchObject({ integer, float: Number(integer) })
  })

  it.each([
    ['.5', 0.5],
    ['5.', 5],
    ['1.5e-3', 0.0015],
    ['1_0.2_5', 10.25],
    ['0x1.8p1', 3],
    ['-0x.8p0', -0.5],
  ])('reads the float %s', (text, float) => expect(parseNumber(text).float).toBe(float))

  it('knows the types for which a number is too large', () => {
    expect(parseNumber('18446744073709551615')).toEqual({
      unsigned: 18446744073709551615n,
      float: 2 ** 64,
    })
    expect(parseNumber('-1')).toEqual({ integer: -1n, float: -1 })
    expect(parseNumber('1.5')).toEqual({ float: 1.5 })
  })

  it.each(['1__0', '1_', '0x', '0b2', '1e', '1e999', '-', '0x1.8', '1'.repeat(401), '1i'])(
    'refuses %s',
    (text) => expect(() => parseNumber(text)).toThrow('illegal number syntax: "'),
  )

  it.each(['99999999999999999999', '08', '18446744073709551616'])('finds %s too large', (text) => {
    expect(() => parseNumber(text)).toThrow(`integer overflow: "${text}"`)
  })
})

describe('parseCharacter()', () => {
  it.each([
    ["'a'", 97n],
    ["'é'", 233n],
    ["'😀'", 0x1f600n],
    ["'\\n'", 10n],
    ["'\\''", 39n],
    ["'\\x41'", 65n],
    ["'\\101'", 65n],
    ["'\\u00e9'", 233n],
    ["'\\U0001F600'", 0x1f600n],
  ])('reads %s', (text, integer) => expect(parseCharacter(text)).toMatchObject({ integer }))

  it.each([`''`, `'\\z'`, `'\\ud800'`, `'\\U00110000'`, `'\\"'`])('refuses %s', (text) => {
    expect(() => parseCharacter(text)).toThrow('invalid syntax')
  })

  it('refuses two characters', () => {
    expect(() => parseCharacter(`'ab'`)).toThrow(`malformed character constant: 'ab'`)
  })
})
