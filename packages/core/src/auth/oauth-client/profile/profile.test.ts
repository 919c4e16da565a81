import { describe, expect, it } from 'vitest'
import { mergeClaims, readProfile } from './profile.ts'

describe('a profile', () => {
  it('has a subject, the standard claims, and the raw claims', () => {
    const raw = { id: 7, login: 'maya' }
    expect(readProfile({ subject: 7, claims: { name: 'Maya', x: 1 }, raw })).toEqual({
      subject: '7',
      claims: { name: 'Maya' },
      raw,
    })
  })

  it.each([undefined, null, '', 1.5, 2 ** 53, true, ['7'], { id: 7 }, 'x'.repeat(256)])(
    'is refused with the subject %j',
    (subject) => {
      expect(() => readProfile({ subject, claims: {}, raw: {} })).toThrow(
        'the identity provider did not name the user',
      )
    },
  )

  it('is limited to 64 KiB', () => {
    const raw = (length: number) => ({ x: 'x'.repeat(length) })
    expect(readProfile({ subject: '7', claims: {}, raw: raw(65_000) }).subject).toBe('7')
    expect(() => readProfile({ subject: '7', claims: {}, raw: raw(66_000) })).toThrow(
      expect.objectContaining({ reason: 'OAuthProtocolError' }),
    )
  })
})

describe('claims of an ID token and of the user-info endpoint', () => {
  it('are merged', () => {
    expect(mergeClaims({ sub: '1', iss: 'i' }, { sub: '1', name: 'Maya' })).toEqual({
      sub: '1',
      iss: 'i',
      name: 'Maya',
    })
  })

  it('are those of the token if both have one', () => {
    const merged = mergeClaims({ sub: '1', name: 'Maya' }, { sub: '1', name: 'Mallory' })
    expect(merged).toEqual({ sub: '1', name: 'Maya' })
  })

  it('verify an address only if they contain it', () => {
    const [ours, theirs] = ['maya@a.example', 'mallory@b.example']
    expect(mergeClaims({ email: ours }, { email: theirs, email_verified: true })).toEqual({
      email: ours,
    })
    expect(
      mergeClaims({ email: ours, email_verified: false }, { email: ours, email_verified: true }),
    ).toEqual({ email: ours, email_verified: false })
    expect(mergeClaims({ email: ours }, { email: ours, email_verified: true })).toEqual({
      email: ours,
      email_verified: true,
    })
    expect(mergeClaims({ email_verified: true }, { email: theirs })).toEqual({ email: theirs })
    expect(mergeClaims({}, { email: theirs, email_verified: true })).toEqual({
      email: theirs,
      email_verified: true,
    })
  })
})
