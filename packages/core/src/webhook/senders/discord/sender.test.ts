import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { itIsSigned, receiveGreeting, webhookOf } from '../sender.fixture.ts'
import { discord } from './sender.ts'

const pair = (): { publicKey: string; privateKey: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}
const { publicKey, privateKey } = pair()

describe('discord', () => {
  itIsSigned({
    sender: discord,
    body: '{"type":2,"id":"1","token":"t"}',
    keys: { public_key: publicKey },
    otherKeys: { public_key: pair().publicKey },
    key: privateKey,
  })

  it('answers the pings of interactions and of events, and runs nothing', () => {
    const webhook = webhookOf(discord, { public_key: publicKey })
    expect(receiveGreeting(webhook, { body: { type: 1, token: 't' } })).toEqual({
      status: 200,
      json: { type: 1 },
    })
    expect(receiveGreeting(webhook, { body: { type: 0 } })).toEqual({ status: 204 })
    expect(
      receiveGreeting(webhook, { body: { type: 1, event: { type: 'APPLICATION_AUTHORIZED' } } }),
    ).toBeUndefined()
    expect(receiveGreeting(webhook, { body: { type: 2 } })).toBeUndefined()
  })
})
