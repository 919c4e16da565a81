import fc from 'fast-check'
import { Secret, TOTP, URI } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { decodeBase32, encodeBase32 } from '../../secrets/base32.ts'
import { matchTotp, otpauthUri, totpCode, totpSecretBytes } from './totp.ts'

const secret = new TextEncoder().encode('12345678901234567890')
const now = Date.UTC(2026, 2, 4, 10)
const step = now / 30_000

describe('a TOTP code', () => {
  it('agrees with the vectors of RFC 4226', () => {
    const codes = Array.from({ length: 10 }, (_, counter) => totpCode(secret, counter))
    expect(codes).toEqual(
      '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' '),
    )
  })

  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('agrees with RFC 6238 at %d s', (seconds, code) => {
    expect(totpCode(secret, Math.floor(seconds / 30))).toBe(code)
    expect(matchTotp(secret, code, seconds * 1_000)).toBe(Math.floor(seconds / 30))
  })

  it('agrees with another implementation', () => {
    const times = fc.integer({ min: 0, max: 2 ** 43 })
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), times, (key, timestamp) => {
        const other = new TOTP({ secret: new Secret({ buffer: Uint8Array.from(key).buffer }) })
        const code = other.generate({ timestamp })
        expect(totpCode(key, Math.floor(timestamp / 30_000))).toBe(code)
        expect(matchTotp(key, code, timestamp)).toBeDefined()
      }),
    )
  })
})

describe('matchTotp', () => {
  it('accepts the codes of the current, the previous and the next step', () => {
    const matched = [-2, -1, 0, 1, 2].map((skew) =>
      matchTotp(secret, totpCode(secret, step + skew), now),
    )
    expect(matched).toEqual([undefined, step - 1, step, step + 1, undefined])
  })

  it('changes its result exactly at the ends of a step', () => {
    const code = totpCode(secret, step)
    expect(matchTotp(secret, code, now - 30_001)).toBeUndefined()
    expect(matchTotp(secret, code, now - 30_000)).toBe(step)
    expect(matchTotp(secret, code, now + 59_999)).toBe(step)
    expect(matchTotp(secret, code, now + 60_000)).toBeUndefined()
  })

  it('accepts more or fewer steps if configured', () => {
    const code = totpCode(secret, step + 2)
    expect(matchTotp(secret, code, now, { skewSteps: 2 })).toBe(step + 2)
    expect(matchTotp(secret, totpCode(secret, step - 1), now, { skewSteps: 0 })).toBeUndefined()
  })

  it('accepts no code of the last step or an earlier one', () => {
    const after = [-1, 0, 1].map((skew) =>
      matchTotp(secret, totpCode(secret, step + skew), now, { lastStep: step }),
    )
    expect(after).toEqual([undefined, undefined, step + 1])
    expect(matchTotp(secret, totpCode(secret, step), now, { lastStep: null })).toBe(step)
  })

  it('accepts a code that two steps share for the later one when the earlier is used up', () => {
    const key = new TextEncoder().encode('key-608486')
    expect(totpCode(key, 1)).toBe(totpCode(key, 0))
    const code = totpCode(key, 0)
    expect(matchTotp(key, code, 0)).toBe(0)
    expect(matchTotp(key, code, 0, { lastStep: 0 })).toBe(1)
    expect(matchTotp(key, code, 0, { lastStep: 1 })).toBeUndefined()
  })

  it('ignores spaces', () => {
    const code = totpCode(secret, step)
    expect(matchTotp(secret, ` ${code.slice(0, 3)}\u00a0${code.slice(3)}\n`, now)).toBe(step)
  })

  it('accepts only six digits', () => {
    const code = totpCode(secret, step)
    const fullWidth = [...code].map((digit) => String.fromCodePoint(digit.charCodeAt(0) + 0xfee0))
    for (const text of [
      '',
      code.slice(1),
      `0${code}`,
      `${code}x`,
      `-${code}`,
      fullWidth.join(''),
    ]) {
      expect(matchTotp(secret, text, now)).toBeUndefined()
    }
  })

  it('ignores steps before the first', () => {
    expect(matchTotp(secret, totpCode(secret, 0), 0)).toBe(0)
    expect(matchTotp(secret, '000000', 0)).toBeUndefined()
  })
})

describe('otpauthUri', () => {
  const issuer = 'https://auth.example.com'
  const text = encodeBase32(new Uint8Array(totpSecretBytes).fill(7))

  it('has the form that authenticator apps expect, with parameters in alphabetical order', () => {
    expect(
      otpauthUri({
        account: 'maya@harborlight.example',
        issuer,
        secret: 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN',
      }),
    ).toBe(
      'otpauth://totp/maya@harborlight.example?algorithm=SHA1&digits=6&issuer=https%3A%2F%2Fauth.example.com&period=30&secret=K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN',
    )
  })

  it.each([
    ['+6591234567', '+6591234567'],
    ['a/b?c#d%e f', 'a%2Fb%3Fc%23d%25e%20f'],
    ["o'brien(1)!*", 'o%27brien%281%29%21%2A'],
    ['$&+:=@', '$&+:=@'],
    ['münchen', 'm%C3%BCnchen'],
    ['\ud800', '%EF%BF%BD'],
  ])('escapes the account %j as a path segment', (account, path) => {
    expect(otpauthUri({ account, issuer, secret: text })).toContain(`//totp/${path}?`)
  })

  it('is understood by another implementation', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9.+_-]{1,20}@[a-z0-9-]{1,20}\.example$/), (account) => {
        const parsed = URI.parse(otpauthUri({ account, issuer, secret: text }))
        expect(parsed).toMatchObject({
          label: account,
          issuer,
          digits: 6,
          period: 30,
          algorithm: 'SHA1',
        })
        expect(decodeBase32(parsed.secret.base32)).toEqual(decodeBase32(text))
      }),
    )
  })
})
