import { describe, expect, it } from 'vitest'
import {
  durationFlag,
  externalUrlFlag,
  integerFlag,
  listenAddressFlag,
  ratioFlag,
} from './flags.ts'

describe('durationFlag()', () => {
  it.each([
    ['120h', 432_000_000],
    ['1.5h', 5_400_000],
    ['1m0s', 60_000],
    ['0', 0],
    ['-1s', -1_000],
    ['5d', 432_000_000],
    ['1w2d', 777_600_000],
  ])('reads %s', (text, ms) => {
    expect(durationFlag(text)).toBe(ms)
  })

  it("reports errors in Go's words", () => {
    expect(() => durationFlag('5x')).toThrow('time: unknown unit "x" in duration "5x"')
    expect(() => durationFlag('')).toThrow('time: invalid duration ""')
  })
})

describe('integerFlag()', () => {
  it('reads whole numbers, including negative ones', () => {
    expect([integerFlag('20'), integerFlag('-1'), integerFlag('+3')]).toEqual([20, -1, 3])
  })

  it.each(['x', '', '1.5', '1e3', '99999999999999999999'])('refuses %j', (text) => {
    expect(() => integerFlag(text)).toThrow(`"${text}" is not a whole number`)
  })
})

describe('ratioFlag()', () => {
  it('reads numbers from 0 to 1', () => {
    expect([ratioFlag('0.9'), ratioFlag('0'), ratioFlag('1')]).toEqual([0.9, 0, 1])
  })

  it.each(['x', '', '1.5', '-1', '1e-1', '.'])('refuses %j', (text) => {
    expect(() => ratioFlag(text)).toThrow(`"${text}" is not a number from 0 to 1`)
  })
})

describe('externalUrlFlag()', () => {
  it('accepts http and https', () => {
    expect(externalUrlFlag('https://example.com/am/')).toBe('https://example.com/am/')
  })

  it.each([
    ['foo', `"foo": invalid "" scheme, only 'http' and 'https' are supported`],
    ['ftp://foo', `"ftp://foo": invalid "ftp" scheme, only 'http' and 'https' are supported`],
    ['http://', '"http://" is not a URL'],
  ])('refuses %s', (text, message) => {
    expect(() => externalUrlFlag(text)).toThrow(message)
  })
})

describe('listenAddressFlag()', () => {
  it('collects addresses in order', () => {
    const first = listenAddressFlag(':9093', undefined)
    expect(listenAddressFlag('[::1]:9094', first)).toEqual([
      { port: 9093 },
      { host: '::1', port: 9094 },
    ])
  })
})
