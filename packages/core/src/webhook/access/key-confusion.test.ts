import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { readWebhook } from '../config/config.fixture.ts'
import { sampleDelivery } from '../request/delivery.fixture.ts'
import type { SignatureOptions } from '../webhook.ts'
import { verifySignature } from './signature.ts'

const body = new TextEncoder().encode('{"ref":"main"}')

function isAccepted(options: SignatureOptions, signature: string): boolean {
  const delivery = { ...sampleDelivery({ headers: { 'x-sig': signature } }), rawBody: body }
  return verifySignature(options, delivery, 0).accepted
}

const pairs = {
  ed25519: () => generateKeyPairSync('ed25519'),
  ecdsa: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  rsa: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
} as const

/** All that a stranger can make of a public key. */
function formsOf(key: KeyObject): readonly (string | Uint8Array)[] {
  const pem = key.export({ format: 'pem', type: 'spki' }).toString()
  const der = key.export({ format: 'der', type: 'spki' })
  return [pem, pem.trim(), der, der.toString('base64'), der.toString('hex'), der.subarray(-32), '']
}

it.each(['ed25519', 'ecdsa', 'rsa'] as const)(
  'a public key of the scheme %s is never the secret of an HMAC, nor that of another sender',
  (scheme) => {
    const { publicKey, privateKey } = pairs[scheme]()
    const public_key = publicKey.export({ format: 'pem', type: 'spki' }).toString()
    const { signature: options } = readWebhook({
      signature: { scheme, header: 'X-Sig', encoding: 'base64', public_key },
    })
    if (options === undefined) throw new Error('the webhook has no signature')
    const digest = scheme === 'ed25519' ? null : 'sha256'
    expect(isAccepted(options, sign(digest, body, privateKey).toString('base64'))).toBe(true)
    const foreign = sign(digest, body, pairs[scheme]().privateKey)
    expect(isAccepted(options, foreign.toString('base64'))).toBe(false)
    for (const algorithm of ['sha1', 'sha256', 'sha512']) {
      for (const form of formsOf(publicKey)) {
        const forged = createHmac(algorithm, form).update(body).digest('base64')
        expect(isAccepted(options, forged)).toBe(false)
      }
    }
  },
)
