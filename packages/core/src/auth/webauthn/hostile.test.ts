import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../../test-support/cpu-time.ts'
import { runsOf } from '../../../../../test-support/lane.ts'
import type { Json } from '../../storage/storage.ts'
import { createPasskeys } from './create-passkeys.ts'
import type { PasskeyParty, StoredPasskey } from './passkeys.ts'
import { createSoftwareAuthenticator } from './software-authenticator.fixture.ts'

type JsonObject = { readonly [name: string]: Json }

const party: PasskeyParty = { rp_id: 'a.example', rp_name: 'A', origins: ['https://a.example'] }
const user = { id: 'user-1', name: 'maya', display_name: 'Maya' }
const challenge = 'Y2hhbGxlbmdl'
const modes = [createPasskeys(), createPasskeys({ attestation: 'direct' })]
const [passkeys = createPasskeys()] = modes

const device = createSoftwareAuthenticator({ origin: 'https://a.example', rpId: 'a.example' })
const created = device.create(passkeys.creationOptions(party, { challenge, user, exclude: [] }))
const asserted = device.get(passkeys.requestOptions(party, { challenge }))

async function storedPasskey(): Promise<StoredPasskey> {
  const made = await passkeys.verifyCreation(party, { challenge, response: created })
  if (made === undefined) throw new Error('the passkey was refused')
  return made.passkey
}

/** JSON values, including `{"__proto__": …}`, which JSON.parse() accepts. */
const json = fc.json().map((text) => JSON.parse(text) as Json)

const base64urlOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** CBOR of all kinds, well-formed and malformed. */
const cborBytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc
    .tuple(
      fc.constantFrom('none', 'packed', 'tpm', 'apple', 'fido-u2f', 'android-key', ''),
      fc.uint8Array(),
    )
    .map(([format, data]) =>
      Buffer.concat([
        Buffer.from([0xa3, 0x63, ...Buffer.from('fmt'), 0x60 + format.length]),
        Buffer.from(format),
        Buffer.from([0x67, ...Buffer.from('attStmt'), 0xa0, 0x68, ...Buffer.from('authData')]),
        data,
      ]),
    ),
)

const member = fc.oneof(
  json,
  fc.string(),
  cborBytes.map(base64urlOf),
  json.map((value) => base64urlOf(Buffer.from(JSON.stringify(value)))),
)

/** A response with some of its members replaced. */
const changed = (response: typeof created | typeof asserted): fc.Arbitrary<JsonObject> =>
  fc
    .record(
      {
        outer: fc.dictionary(fc.constantFrom(...Object.keys(response)), member, { maxKeys: 2 }),
        inner: fc.dictionary(fc.constantFrom(...Object.keys(response.response)), member, {
          minKeys: 1,
          maxKeys: 2,
        }),
      },
      { noNullPrototype: true },
    )
    .map(({ outer, inner }) => ({
      ...response,
      response: { ...response.response, ...inner },
      ...outer,
    }))

const hostile: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.dictionary(fc.string(), json),
  fc.record({ id: member, rawId: member, type: member, response: member }),
  changed(created),
  changed(asserted),
)

/**
 * The byte positions of the two integers in a signature; the tags and lengths around them are not part of it. @see RFC 3279,
 * section 2.2.3
 */
function placesOfNumbers(signature: Uint8Array): number[] {
  const afterFirst = 4 + (signature[3] ?? 0)
  return [...signature.keys()].filter((at) => (at >= 4 && at < afterFirst) || at >= afterFirst + 2)
}

describe('any JSON from a client', () => {
  it('never makes the verification throw', async () => {
    for (const each of modes) {
      const property = fc.asyncProperty(hostile, async (response) => {
        const made = await each.verifyCreation(party, { challenge, response })
        // The change may be in a part that is not read.
        if (made !== undefined) expect(made.passkey.credential_id).toBe(created.id)
      })
      await fc.assert(property, { numRuns: runsOf(60) })
    }
  })

  it('is not accepted as a use of a passkey unless it is one', async () => {
    const passkey = await storedPasskey()
    const property = fc.asyncProperty(hostile, async (response) => {
      const used = await passkeys.verifyAssertion(party, { challenge, response, passkey })
      if (used === undefined) return
      expect(response).toMatchObject({ id: asserted.id, rawId: asserted.id })
      expect(used.sign_count).toBe(2)
    })
    await fc.assert(property, { numRuns: runsOf(60) })
  })

  it('is not accepted with a flipped bit in the signed data or the signature', async () => {
    const passkey = await storedPasskey()
    const names = ['authenticatorData', 'clientDataJSON', 'signature'] as const
    const property = fc.asyncProperty(fc.constantFrom(...names), fc.nat(), async (name, place) => {
      const bytes = Buffer.from(asserted.response[name], 'base64url')
      const places = name === 'signature' ? placesOfNumbers(bytes) : [...bytes.keys()]
      const at = places[place % places.length] ?? 0
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (place & 7))
      const changed = { ...asserted.response, [name]: base64urlOf(bytes) }
      const given = { challenge, response: { ...asserted, response: changed }, passkey }
      expect(await passkeys.verifyAssertion(party, given)).toBeUndefined()
    })
    await fc.assert(property, { numRuns: runsOf(60) })
  })

  it('is checked quickly, however deep or wide its CBOR is', async () => {
    const walls = [
      Buffer.alloc(49_000, 0x81), // arrays in arrays
      Buffer.alloc(49_000, 0xa1), // maps in maps
      Buffer.alloc(49_000, 0xc1), // tags of tags
      Buffer.concat([Buffer.from('9bffffffffffff', 'hex'), Buffer.alloc(48_000)]), // an endless array
      Buffer.concat([Buffer.from('5b001fffffffffffff', 'hex'), Buffer.alloc(48_000)]), // endless bytes
    ]
    const given = walls.flatMap((wall) => [
      wall,
      Buffer.concat([Buffer.from('a1686175746844617461', 'hex'), wall]),
    ])
    const start = cpuMs()
    for (const bytes of given) {
      const response = {
        ...created,
        response: { ...created.response, attestationObject: base64urlOf(bytes) },
      }
      for (const each of modes) {
        expect(await each.verifyCreation(party, { challenge, response })).toBeUndefined()
      }
    }
    expect(cpuMs() - start).toBeLessThan(5_000)
  })
})
