import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskEmail, maskPhone } from './mask.ts'

describe('a masked email address', () => {
  it.each([
    ['user@example.com', 'us**@example.com'],
    ['a@x.io', '*@x.io'],
    ['lena.ortiz@harborlight.example', 'lena.*****@harborlight.example'],
    ['abc@x.io', 'a**@x.io'],
    ['😀😀😀😀@x.io', '😀😀**@x.io'],
    ['no-address', 'no-ad*****'],
  ])('of %s is %s', (address, masked) => {
    expect(maskEmail(address)).toBe(masked)
  })

  it('is as long as the address, keeps its domain and hides at least half of the rest', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        const masked = maskEmail(address)
        const [local = '', domain] = address.split('@')
        expect(masked).toHaveLength(address.length)
        expect(masked.split('@')[1]).toBe(domain)
        const hidden = Math.ceil(local.length / 2)
        expect(masked.slice(local.length - hidden, local.length)).toBe('*'.repeat(hidden))
      }),
    )
  })
})

describe('a masked phone number', () => {
  it.each([
    ['+85251000000', '+8525100****'],
    ['+6591234567', '+659123****'],
    ['+12125551234', '+121255*****'],
    ['+9991234567', '+99912*****'],
  ])('of %s is %s', (number, masked) => {
    expect(maskPhone(number)).toBe(masked)
  })
})
