import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomBytes } from '../../../crypto/crypto.ts'
import type { Json } from '../../../storage/storage.ts'
import { createSecretBox } from '../../secrets/secret-box.ts'
import { createPasskeys } from '../../webauthn/create-passkeys.ts'
import { createSoftwareAuthenticator } from '../../webauthn/software-authenticator.fixture.ts'
import { challengeOf, createChallenge, readChallenge } from './passkey-challenge.ts'

const now = Date.parse('2026-03-04T10:00:00Z')
const minute = 60_000
const oldKey = { id: 'k1', key: 'an old key of the host, 32 bytes at least' }
const newKey = { id: 'k2', key: 'a newer key of the host, 32 bytes at least' }
const host = { random: randomBytes, secrets: createSecretBox([oldKey]) }
const use = 'assertion'
const flow_id = 'authflow_1'

describe('a challenge', () => {
  it('is 32 bytes in base64url, never the same twice', () => {
    const challenges = Array.from({ length: 100 }, () =>
      createChallenge(host, { use, flow_id, now }),
    )
    expect(new Set(challenges).size).toBe(100)
    for (const challenge of challenges) expect(challenge).toMatch(/^[\w-]{43}$/)
  })

  it('is valid for five minutes', () => {
    const challenge = createChallenge(host, { use, flow_id, now })
    const known = { id: expect.stringMatching(/^[\w-]{22}$/), expiresAt: now + 5 * minute }
    expect(readChallenge(host, challenge, { use, flow_id, now })).toEqual(known)
    expect(readChallenge(host, challenge, { use, flow_id, now: now + 5 * minute - 1 })).toEqual(
      known,
    )
    expect(readChallenge(host, challenge, { use, flow_id, now: now + 5 * minute })).toBeUndefined()
    expect(
      readChallenge(host, challenge, { use, flow_id, now: now + 500 * minute }),
    ).toBeUndefined()
  })

  it('is valid for a process whose clock is behind', () => {
    const challenge = createChallenge(host, { use, flow_id, now })
    expect(readChallenge(host, challenge, { use, flow_id, now: now - 1_000 })).toMatchObject({
      expiresAt: now + 5 * minute,
    })
  })

  it('has a constant id of its own', () => {
    const challenges = Array.from({ length: 100 }, () =>
      createChallenge(host, { use, flow_id, now }),
    )
    const idOf = (one: string): string | undefined =>
      readChallenge(host, one, { use, flow_id, now })?.id
    expect(new Set(challenges.map(idOf)).size).toBe(100)
    expect(challenges.map(idOf)).toEqual(challenges.map(idOf))
    expect(challenges.map(idOf)).not.toContain(undefined)
  })

  it('is valid for its purpose only', () => {
    const challenge = createChallenge(host, { use: 'creation', flow_id, now })
    expect(readChallenge(host, challenge, { use: 'creation', flow_id, now })).toBeDefined()
    expect(readChallenge(host, challenge, { use: 'assertion', flow_id, now })).toBeUndefined()
  })

  it('is valid for its flow only', () => {
    const challenge = createChallenge(host, { use, flow_id, now })
    for (const other of ['authflow_2', '', `${flow_id}:`]) {
      expect(readChallenge(host, challenge, { use, flow_id: other, now })).toBeUndefined()
    }
  })

  it('stays valid through a change of keys, but not without its own key', () => {
    const challenge = createChallenge(host, { use, flow_id, now })
    const rotated = { secrets: createSecretBox([newKey, oldKey]) }
    expect(readChallenge(rotated, challenge, { use, flow_id, now })).toBeDefined()
    const forgotten = { secrets: createSecretBox([newKey]) }
    expect(readChallenge(forgotten, challenge, { use, flow_id, now })).toBeUndefined()
  })

  it('is refused with a single character changed', () => {
    const challenge = createChallenge(host, { use, flow_id, now })
    for (const [i, own] of [...challenge].entries()) {
      // The last character differs in bits that belong to no byte.
      const other = String.fromCharCode(own.charCodeAt(0) + (own === 'z' || own === 'Z' ? -1 : 1))
      const forged = challenge.slice(0, i) + other + challenge.slice(i + 1)
      expect(readChallenge(host, forged, { use, flow_id, now })).toBeUndefined()
    }
  })

  it('cannot be any other text', () => {
    const known = createChallenge(host, { use, flow_id, now })
    const text = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[\w-]{43}$/),
      fc.constantFrom(`${known}=`, ` ${known}`, `${known}A`, known.slice(1), 'A'.repeat(1e6)),
    )
    fc.assert(
      fc.property(text, (given) => {
        expect(readChallenge(host, given, { use, flow_id, now })).toBeUndefined()
      }),
    )
  })
})

describe('the challenge of a response', () => {
  it('is the one that it answers', () => {
    const passkeys = createPasskeys()
    const party = { rp_id: 'a.example', rp_name: 'A', origins: ['https://a.example'] }
    const device = createSoftwareAuthenticator({ origin: 'https://a.example', rpId: 'a.example' })
    const creation = createChallenge(host, { use: 'creation', flow_id, now })
    const user = { id: 'u', name: 'maya', display_name: 'Maya' }
    const created = device.create(
      passkeys.creationOptions(party, { challenge: creation, user, exclude: [] }),
    )
    expect(challengeOf(created)).toBe(creation)
    const assertion = createChallenge(host, { use: 'assertion', flow_id, now })
    const asserted = device.get(passkeys.requestOptions(party, { challenge: assertion }))
    expect(challengeOf(asserted)).toBe(assertion)
  })

  it.each<{ readonly [name: string]: Json }>([
    {},
    { response: null },
    { response: 'text' },
    { response: [] },
    { response: {} },
    { response: { clientDataJSON: 7 } },
    { response: { clientDataJSON: 'e30' } },
    { response: { clientDataJSON: 'A'.repeat(1e6) } },
  ])('is missing in %.60j', (response) => {
    expect(challengeOf(response)).toBeUndefined()
  })

  it('never throws', () => {
    const response = fc.dictionary(
      fc.constantFrom('response', 'clientDataJSON', 'x'),
      fc.json().map((text) => JSON.parse(text) as Json),
    )
    fc.assert(
      fc.property(response, (given) => {
        expect(challengeOf(given)).toBeUndefined()
        expect(challengeOf({ response: given })).toBeUndefined()
      }),
    )
  })
})
