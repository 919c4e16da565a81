import { describe, expect, it, vi } from 'vitest'
import * as crypto from '../../crypto/crypto.ts'
import { createTokenCheck, dummyTokenCheck } from './token.ts'

const { hashText } = crypto
const hexOf = (algorithm: 'sha1' | 'sha256', text: string): string =>
  hashText(algorithm, text).toString('hex')

describe('createTokenCheck', () => {
  it('accepts any of several tokens, each in its forms', () => {
    const check = createTokenCheck(['old', `sha1:${hexOf('sha1', 'stored')}`, 'new'], 'any')
    for (const token of ['old', 'new', hexOf('sha1', 'new'), 'stored']) {
      expect(check.accepts(token)).toBe(true)
    }
    for (const token of ['', 'ol', hexOf('sha1', 'stored'), `sha1:${hexOf('sha1', 'stored')}`]) {
      expect(check.accepts(token)).toBe(false)
    }
  })

  it('accepts only the plain token of a stored digest, whatever the format', () => {
    for (const format of ['any', 'plain', 'sha1', 'sha256'] as const) {
      const check = createTokenCheck([`SHA256:${hexOf('sha256', 't').toUpperCase()}`], format)
      expect(check.accepts('t')).toBe(true)
      expect(check.accepts('T')).toBe(false)
      expect(check.accepts(hexOf('sha256', 't'))).toBe(false)
      expect(check.accepts(hexOf('sha1', 't'))).toBe(false)
    }
  })

  it('treats a text that only resembles a digest as the token itself', () => {
    for (const token of ['sha256:abc', `sha1:${'a'.repeat(64)}`, `md5:${'a'.repeat(32)}`]) {
      expect(createTokenCheck([token], 'any').accepts(token)).toBe(true)
    }
  })

  it('accepts capitals only in hex digits', () => {
    expect(createTokenCheck(['Abc'], 'any').accepts('abc')).toBe(false)
    expect(createTokenCheck(['abc'], 'any').accepts('ABC')).toBe(false)
    expect(createTokenCheck(['abc'], 'sha256').accepts(hexOf('sha256', 'abc').toUpperCase())).toBe(
      true,
    )
  })

  it('accepts nothing without a configured token', () => {
    expect(createTokenCheck([], 'any').accepts('')).toBe(false)
  })

  it('compares with every candidate, even after a match', () => {
    const compare = vi.spyOn(crypto, 'timingSafeEqual')
    const check = createTokenCheck(['a', 'b', 'c'], 'any')
    for (const received of ['a', 'c', 'x', 'a much longer text']) {
      compare.mockClear()
      check.accepts(received)
      expect(compare).toHaveBeenCalledTimes(6)
    }
    compare.mockRestore()
  })
})

describe('dummyTokenCheck', () => {
  it('accepts nothing', () => {
    for (const token of ['', hexOf('sha1', ''), '0', 'x']) {
      expect(dummyTokenCheck.accepts(token)).toBe(false)
    }
  })
})
