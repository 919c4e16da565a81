import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createPasskeys } from './create-passkeys.ts'
import type { PasskeyParty, StoredPasskey } from './passkeys.ts'
import {
  createSoftwareAuthenticator,
  type SoftwareAssertion,
  type SoftwareAuthenticator,
  type SoftwareCreation,
} from './software-authenticator.fixture.ts'

const passkeys = createPasskeys()
const rpId = 'auth.example.com'
const origin = 'https://auth.example.com'
const party: PasskeyParty = { rp_id: rpId, rp_name: 'Example', origins: ['https://a', origin] }
const user = { id: 'user-1', name: 'maya@example.com', display_name: 'Maya' }
const challenge = 'Y2hhbGxlbmdl'

function askToCreate(device: SoftwareAuthenticator): SoftwareCreation {
  return device.create(passkeys.creationOptions(party, { challenge, user, exclude: [] }))
}

function askToGet(device: SoftwareAuthenticator): SoftwareAssertion {
  return device.get(passkeys.requestOptions(party, { challenge }))
}

/** A device with a registered passkey. */
async function registered(
  options: { isUserVerified?: boolean; isCounting?: boolean } = {},
): Promise<{ device: SoftwareAuthenticator; passkey: StoredPasskey }> {
  const device = createSoftwareAuthenticator({ origin, rpId, ...options })
  const made = await passkeys.verifyCreation(party, { challenge, response: askToCreate(device) })
  if (made === undefined) throw new Error('the passkey was refused')
  return { device, passkey: made.passkey }
}

/** Flips the bits of a byte in a base64url text. */
function altered(text: string, at: number): string {
  const bytes = Buffer.from(text, 'base64url')
  bytes[at] = 0xff - (bytes[at] ?? 0)
  return bytes.toString('base64url')
}

/** The same assertion, signed with another key. */
function signedBy(key: KeyObject, { response, ...rest }: SoftwareAssertion): SoftwareAssertion {
  const data = Buffer.concat([
    Buffer.from(response.authenticatorData, 'base64url'),
    createHash('sha256').update(Buffer.from(response.clientDataJSON, 'base64url')).digest(),
  ])
  const signature = sign('sha256', data, key).toString('base64url')
  return { ...rest, response: { ...response, signature } }
}

const withClientData = (text: string, change: object): string =>
  Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(text, 'base64url').toString()), ...change }),
  ).toString('base64url')

describe('a new passkey', () => {
  it('is stored with everything needed to verify its use', async () => {
    const response = askToCreate(createSoftwareAuthenticator({ origin, rpId }))
    expect(await passkeys.verifyCreation(party, { challenge, response })).toEqual({
      passkey: {
        credential_id: response.id,
        public_key: expect.stringMatching(/^pQECAyYgASFYI[\w-]{90}$/),
        sign_count: 1,
        transports: ['internal'],
        aaguid: '00000000-0000-0000-0000-000000000000',
        is_backed_up: false,
      },
      is_user_verified: true,
    })
  })

  it('needs no user verification', async () => {
    const device = createSoftwareAuthenticator({ origin, rpId, isUserVerified: false })
    const response = askToCreate(device)
    expect(await passkeys.verifyCreation(party, { challenge, response })).toMatchObject({
      is_user_verified: false,
    })
  })

  it('has no transports if the browser names none', async () => {
    const created = askToCreate(createSoftwareAuthenticator({ origin, rpId }))
    const { attestationObject, clientDataJSON } = created.response
    const response = { ...created, response: { attestationObject, clientDataJSON } }
    expect(await passkeys.verifyCreation(party, { challenge, response })).toMatchObject({
      passkey: { transports: [] },
    })
  })

  it('is not checked for an attestation that was not requested', async () => {
    const created = askToCreate(createSoftwareAuthenticator({ origin, rpId }))
    const response = {
      ...created,
      response: {
        ...created.response,
        // "fmt": "none" becomes "fmt": "nope", an unknown format.
        attestationObject: Buffer.from(
          Buffer.from(created.response.attestationObject, 'base64url')
            .toString('latin1')
            .replace('none', 'nope'),
          'latin1',
        ).toString('base64url'),
      },
    }
    expect(await passkeys.verifyCreation(party, { challenge, response })).toMatchObject({
      passkey: { credential_id: created.id },
    })
    const strict = createPasskeys({ attestation: 'direct' })
    expect(await strict.verifyCreation(party, { challenge, response })).toBeUndefined()
    expect(await strict.verifyCreation(party, { challenge, response: created })).toMatchObject({
      passkey: { credential_id: created.id },
    })
  })
})

describe('a new passkey is refused', () => {
  const device = createSoftwareAuthenticator({ origin, rpId })
  const good = askToCreate(device)
  const { response } = good
  const inside = (change: object): object => ({ ...good, response: { ...response, ...change } })
  const said = (change: object): object =>
    inside({ clientDataJSON: withClientData(response.clientDataJSON, change) })

  it.each([
    ['with an assertion response', askToGet(device)],
    ['of another type', { ...good, type: 'password' }],
    ['with two ids', { ...good, rawId: altered(good.id, 0) }],
    ['with another id than the authenticator gave', { ...good, id: 'AQID', rawId: 'AQID' }],
    ['without an id', { ...good, id: '', rawId: '' }],
    ['with an id that is too long', { ...good, id: 'A'.repeat(1365), rawId: 'A'.repeat(1365) }],
    ['with an id in base64', { ...good, id: `${good.id}=`, rawId: `${good.id}=` }],
    ['from another origin', said({ origin: 'https://evil.example' })],
    [
      'in a frame of a foreign page',
      said({ crossOrigin: true, topOrigin: 'https://evil.example' }),
    ],
    ['for another challenge', said({ challenge: 'b3RoZXI' })],
    ['for another ceremony', said({ type: 'webauthn.get' })],
    ['without client data', inside({ clientDataJSON: undefined })],
    ['without an attestation', inside({ attestationObject: undefined })],
    ['with malformed CBOR', inside({ attestationObject: '____' })],
    ['with endless nesting', inside({ attestationObject: 'gYGB'.repeat(16_000) })],
    ['with oversized data', inside({ attestationObject: 'A'.repeat(65_537) })],
    ['with transports of another type', inside({ transports: [7] })],
    ['with malformed transports', inside({ transports: ['<script>'] })],
    ['with too many transports', inside({ transports: Array(17).fill('usb') })],
  ])('%s', async (_, changed) => {
    const given = { challenge, response: JSON.parse(JSON.stringify(changed)) }
    expect(await passkeys.verifyCreation(party, given)).toBeUndefined()
  })

  it('for another relying party', async () => {
    const elsewhere = createSoftwareAuthenticator({ origin, rpId: 'evil.example' })
    const given = { challenge, response: askToCreate(elsewhere) }
    expect(await passkeys.verifyCreation(party, given)).toBeUndefined()
  })

  /** Changes a byte of the attestation, at an offset after a sequence that occurs once. */
  const attested = (hex: string, behind: number, was: number, is: number): object => {
    const bytes = Buffer.from(response.attestationObject, 'base64url')
    const at = bytes.indexOf(Buffer.from(hex, 'hex')) + hex.length / 2 + behind
    expect(bytes[at]).toBe(was)
    bytes[at] = is
    return inside({ attestationObject: bytes.toString('base64url') })
  }
  const authData = Buffer.from('authData').toString('hex')

  it.each([
    // The flags follow three bytes with the length, and the hash of the relying party.
    ['without user presence', attested(authData, 3 + 32, 0x45, 0x44)],
    ['with a backup of a passkey that cannot have one', attested(authData, 3 + 32, 0x45, 0x55)],
    ['with a key of another algorithm', attested('a5010203', 0, 0x26, 0x27)],
  ])('%s', async (_, changed) => {
    const given = { challenge, response: JSON.parse(JSON.stringify(changed)) }
    expect(await passkeys.verifyCreation(party, given)).toBeUndefined()
  })
})

describe('a use of a passkey', () => {
  it('raises the count', async () => {
    const { device, passkey } = await registered()
    const first = await passkeys.verifyAssertion(party, {
      challenge,
      response: askToGet(device),
      passkey,
    })
    expect(first).toEqual({ sign_count: 2, is_user_verified: true })
    const again = { ...passkey, sign_count: first?.sign_count ?? 0 }
    expect(
      await passkeys.verifyAssertion(party, {
        challenge,
        response: askToGet(device),
        passkey: again,
      }),
    ).toEqual({ sign_count: 3, is_user_verified: true })
  })

  it('reports user verification', async () => {
    const { device, passkey } = await registered({ isUserVerified: false })
    const given = { challenge, response: askToGet(device), passkey }
    expect(await passkeys.verifyAssertion(party, given)).toEqual({
      sign_count: 2,
      is_user_verified: false,
    })
  })

  it('may always have the count 0', async () => {
    const { device, passkey } = await registered({ isCounting: false })
    expect(passkey.sign_count).toBe(0)
    const given = { challenge, response: askToGet(device), passkey }
    expect(await passkeys.verifyAssertion(party, given)).toEqual({
      sign_count: 0,
      is_user_verified: true,
    })
  })

  it('may start to count, but not stop', async () => {
    const { device, passkey } = await registered({ isCounting: false })
    const given = { challenge, response: askToGet(device) }
    const counted = { ...passkey, sign_count: 1 }
    expect(await passkeys.verifyAssertion(party, { ...given, passkey: counted })).toBeUndefined()
    const counting = await registered()
    const fresh = { ...counting.passkey, sign_count: 0 }
    expect(
      await passkeys.verifyAssertion(party, {
        challenge,
        response: askToGet(counting.device),
        passkey: fresh,
      }),
    ).toMatchObject({ sign_count: 2 })
  })

  it('is refused if its response comes twice', async () => {
    const { device, passkey } = await registered()
    const given = { challenge, response: askToGet(device) }
    const first = await passkeys.verifyAssertion(party, { ...given, passkey })
    const used = { ...passkey, sign_count: first?.sign_count ?? 0 }
    expect(used.sign_count).toBe(2)
    expect(await passkeys.verifyAssertion(party, { ...given, passkey: used })).toBeUndefined()
    const ahead = { ...passkey, sign_count: 9 }
    expect(await passkeys.verifyAssertion(party, { ...given, passkey: ahead })).toBeUndefined()
  })
})

describe('a passkey with an RSA key', () => {
  it('works like any other', async () => {
    const { device, passkey } = await registered()
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const { n = '' } = publicKey.export({ format: 'jwk' })
    // { 1: 3 (RSA), 3: -257 (RS256), -1: n of 256 bytes, -2: 65537 }
    const public_key = Buffer.concat([
      Buffer.from('a401030339010020590100', 'hex'),
      Buffer.from(n, 'base64url'),
      Buffer.from('2143010001', 'hex'),
    ]).toString('base64url')
    const response = signedBy(privateKey, askToGet(device))
    const given = { challenge, response, passkey: { ...passkey, public_key } }
    expect(await passkeys.verifyAssertion(party, given)).toMatchObject({ sign_count: 2 })
    expect(await passkeys.verifyAssertion(party, { ...given, passkey })).toBeUndefined()
  })
})

describe('a use of a passkey is refused', async () => {
  const { device, passkey } = await registered()
  const good = askToGet(device)
  const stranger = await registered()
  const { response } = good
  const inside = (change: object): object => ({ ...good, response: { ...response, ...change } })
  const said = (change: object): object =>
    inside({ clientDataJSON: withClientData(response.clientDataJSON, change) })

  it.each([
    ['with a creation response', askToCreate(createSoftwareAuthenticator({ origin, rpId }))],
    ['with the id of another passkey', { ...good, id: stranger.passkey.credential_id }],
    ['of another type', { ...good, type: 'password' }],
    ['from another origin', said({ origin: 'https://evil.example' })],
    ['in a frame of a foreign page', said({ crossOrigin: true })],
    ['for another challenge', said({ challenge: 'b3RoZXI' })],
    ['for another ceremony', said({ type: 'webauthn.create' })],
    ['with a word more than was signed', said({ more: 1 })],
    ['with another signature', inside({ signature: altered(response.signature, 20) })],
    ['with an empty signature', inside({ signature: '' })],
    ['with a malformed signature', inside({ signature: 'AAAA' })],
    ['with another count', inside({ authenticatorData: altered(response.authenticatorData, 36) })],
    ['with other flags', inside({ authenticatorData: altered(response.authenticatorData, 32) })],
    [
      'with half of the data',
      inside({ authenticatorData: response.authenticatorData.slice(0, 20) }),
    ],
    ['with oversized data', inside({ authenticatorData: 'A'.repeat(65_537) })],
  ])('%s', async (_, changed) => {
    const given = { challenge, response: JSON.parse(JSON.stringify(changed)), passkey }
    expect(await passkeys.verifyAssertion(party, given)).toBeUndefined()
  })

  it('by another passkey', async () => {
    const given = { challenge, response: askToGet(stranger.device), passkey }
    expect(await passkeys.verifyAssertion(party, given)).toBeUndefined()
    const posing = { ...given, response: { ...given.response, id: good.id, rawId: good.id } }
    expect(await passkeys.verifyAssertion(party, posing)).toBeUndefined()
  })

  it('for another relying party', async () => {
    const given = { challenge, response: good, passkey }
    const other = { ...party, rp_id: 'example.com' }
    expect(await passkeys.verifyAssertion(other, given)).toBeUndefined()
  })

  it('with a malformed key', async () => {
    for (const public_key of ['', 'AAAA', 'gYGBgYGB', 'not base64']) {
      const given = { challenge, response: good, passkey: { ...passkey, public_key } }
      expect(await passkeys.verifyAssertion(party, given)).toBeUndefined()
    }
  })

  it('unless nothing was changed', async () => {
    const given = { challenge, response: good, passkey }
    expect(await passkeys.verifyAssertion(party, given)).toMatchObject({ sign_count: 2 })
  })
})

describe('the software authenticator', () => {
  it('creates no second passkey if the first is excluded', () => {
    const device = createSoftwareAuthenticator({ origin, rpId })
    const { id } = askToCreate(device)
    const exclude = [{ credential_id: id, transports: [] }]
    expect(() =>
      device.create(passkeys.creationOptions(party, { challenge, user, exclude })),
    ).toThrow('InvalidStateError')
  })

  it('uses the allowed passkey, or the newest if all are allowed', () => {
    const device = createSoftwareAuthenticator({ origin, rpId })
    const [first, second] = [askToCreate(device), askToCreate(device)]
    expect(askToGet(device).id).toBe(second.id)
    const allow = [{ credential_id: first.id, transports: [] }]
    const used = device.get(passkeys.requestOptions(party, { challenge, allow }))
    expect(used.id).toBe(first.id)
    expect(Buffer.from(used.response.userHandle, 'base64url').toString()).toBe(user.id)
    expect(() => device.get(passkeys.requestOptions(party, { challenge, allow: [] }))).toThrow(
      'NotAllowedError',
    )
  })
})
