import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AddressRange, isInRanges, parseAddressRange } from './ip-address.ts'

function rangesOf(...texts: string[]): readonly AddressRange[] {
  return texts.map((text) => {
    const range = parseAddressRange(text)
    if (range === undefined) throw new TypeError(`${text} must be a range`)
    return range
  })
}

describe('parseAddressRange', () => {
  it.each([
    '0.0.0.0',
    '255.255.255.255',
    '10.0.0.0/8',
    '10.1.2.3/8',
    '0.0.0.0/0',
    '::',
    '::1',
    '1::',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    'FE80::abcd',
    '2001:db8::/32',
    '::ffff:1.2.3.4',
    '64:ff9b::1.2.3.4',
    '1:2:3:4:5:6:1.2.3.4',
    '::/0',
    '::1/128',
  ])('accepts %s', (text) => {
    expect(parseAddressRange(text)).toBeDefined()
  })

  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.4 ',
    ' 1.2.3.4',
    '1.2.3.-4',
    '1.2.3.0x4',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/08',
    '1.2.3.4/8/8',
    '1.2.3.4/+8',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '::1:2:3:4:5:6:7:8',
    '12345::',
    'g::',
    '::1.2.3',
    '1.2.3.4::',
    '::1.2.3.4:5',
    '::1%eth0',
    '[::1]',
    '::/129',
    '1:2:3:4:5:6:7:1.2.3.4',
    'localhost',
    '1'.repeat(100_000),
  ])('rejects %s', (text) => {
    expect(parseAddressRange(text)).toBeUndefined()
  })

  it('ignores the bits after the prefix', () => {
    expect(isInRanges('10.0.0.1', rangesOf('10.9.8.7/9'))).toBe(true)
    expect(isInRanges('2001:db8:8000::', rangesOf('2001:db8:ffff::1/33'))).toBe(true)
    expect(isInRanges('2001:db8:7fff::', rangesOf('2001:db8:ffff::1/33'))).toBe(false)
    expect(parseAddressRange('::ffff:10.0.0.0/104')).toEqual(parseAddressRange('10.0.0.0/8'))
    expect(isInRanges('10.0.0.1', rangesOf('::ffff:1.2.3.4/80'))).toBe(true)
  })
})

describe('isInRanges', () => {
  it('knows the first and the last address of a range', () => {
    const ranges = rangesOf('10.0.0.64/26', '2001:db8::/33')
    for (const inside of ['10.0.0.64', '10.0.0.127', '2001:db8::', '2001:db8:7fff:ffff::ffff']) {
      expect(isInRanges(inside, ranges)).toBe(true)
    }
    for (const outside of ['10.0.0.63', '10.0.0.128', '2001:db8:8000::', '2001:db7:ffff::', '::']) {
      expect(isInRanges(outside, ranges)).toBe(false)
    }
  })

  it('treats a mapped address as IPv4', () => {
    expect(isInRanges('::ffff:10.0.0.1', rangesOf('10.0.0.0/8'))).toBe(true)
    expect(isInRanges('::FFFF:a00:1', rangesOf('10.0.0.0/8'))).toBe(true)
    expect(isInRanges('10.0.0.1', rangesOf('::ffff:a00:0/104'))).toBe(true)
    expect(isInRanges('::10.0.0.1', rangesOf('10.0.0.0/8'))).toBe(false)
  })

  it('ignores the zone of a link-local address', () => {
    expect(isInRanges('fe80::1%eth0', rangesOf('fe80::/10'))).toBe(true)
  })

  it('returns false for a text that is not an address', () => {
    for (const text of ['', 'unknown', '10.0.0.1:80', '010.0.0.1']) {
      expect(isInRanges(text, rangesOf('::/0', '0.0.0.0/0'))).toBe(false)
    }
    expect(isInRanges('10.0.0.1', [])).toBe(false)
  })

  it('agrees with arithmetic', () => {
    const address = fc.nat(0xffffffff)
    const dotted = (value: number): string =>
      [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.')
    fc.assert(
      fc.property(address, address, fc.nat(32), (one, two, length) => {
        const size = 2 ** (32 - length)
        const isSame = Math.floor(one / size) === Math.floor(two / size)
        expect(isInRanges(dotted(one), rangesOf(`${dotted(two)}/${length}`))).toBe(isSame)
      }),
    )
  })
})
