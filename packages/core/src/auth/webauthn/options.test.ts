import { describe, expect, it } from 'vitest'
import { createPasskeys, type PasskeysOptions } from './create-passkeys.ts'

const passkeys = createPasskeys()
const party = {
  rp_id: 'auth.example.com',
  rp_name: 'Example',
  origins: ['https://auth.example.com'],
}
const user = { id: 'd1f4', name: 'maya@example.com', display_name: 'Maya' }
const known = { credential_id: 'AQID', transports: ['hybrid', 'internal'] }
const silent = { credential_id: 'BAUG', transports: [] }

const creation = (id: string) =>
  passkeys.creationOptions(party, { challenge: 'Y2hhbGxlbmdl', user: { ...user, id }, exclude: [] })

describe('the options to create a passkey', () => {
  it('are those of WebAuthn in JSON', () => {
    const request = { challenge: 'Y2hhbGxlbmdl', user, exclude: [known, silent] }
    expect(passkeys.creationOptions(party, request)).toEqual({
      rp: { id: 'auth.example.com', name: 'Example' },
      user: { id: 'ZDFmNA', name: 'maya@example.com', displayName: 'Maya' },
      challenge: 'Y2hhbGxlbmdl',
      pubKeyCredParams: [
        { type: 'public-key', alg: -7 },
        { type: 'public-key', alg: -257 },
      ],
      timeout: 300_000,
      excludeCredentials: [
        { type: 'public-key', id: 'AQID', transports: ['hybrid', 'internal'] },
        { type: 'public-key', id: 'BAUG' },
      ],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      attestation: 'none',
      extensions: { uvm: true, credProps: true },
    })
  })

  it('request the attestation that the host wants', () => {
    const options = createPasskeys({ attestation: 'direct' }).creationOptions(party, {
      challenge: 'Y2hhbGxlbmdl',
      user,
      exclude: [],
    })
    expect(options.attestation).toBe('direct')
  })

  it.each([
    ['', 0],
    ['x'.repeat(65), 65],
    ['é'.repeat(33), 66],
  ])('refuse the user id %j', (id, bytes) => {
    expect(() => creation(id)).toThrow(
      new RangeError(`the id of a user with passkeys must have 1 to 64 bytes, not ${bytes}`),
    )
  })

  it('accept a user id of 64 bytes', () => {
    expect(creation('x'.repeat(64)).user).toMatchObject({
      id: Buffer.from('x'.repeat(64)).toString('base64url'),
    })
  })
})

describe('the options to use a passkey', () => {
  it('leave the choice to the user if no user is known', () => {
    expect(passkeys.requestOptions(party, { challenge: 'Y2hhbGxlbmdl' })).toEqual({
      challenge: 'Y2hhbGxlbmdl',
      timeout: 300_000,
      rpId: 'auth.example.com',
      userVerification: 'preferred',
    })
  })

  it('name the passkeys of a user', () => {
    const options = passkeys.requestOptions(party, { challenge: 'YQ', allow: [silent, known] })
    expect(options.allowCredentials).toEqual([
      { type: 'public-key', id: 'BAUG' },
      { type: 'public-key', id: 'AQID', transports: ['hybrid', 'internal'] },
    ])
  })
})

describe('createPasskeys()', () => {
  it('refuses an unknown attestation', () => {
    const options = { attestation: 'some' } as unknown as PasskeysOptions
    expect(() => createPasskeys(options)).toThrow(
      'options.attestation: expected "none" or "indirect" or "direct" or "enterprise", got "some"',
    )
  })
})
