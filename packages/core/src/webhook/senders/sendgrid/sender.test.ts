import { generateKeyPairSync } from 'node:crypto'
import { describe } from 'vitest'
import { itIsSigned } from '../sender.fixture.ts'
import { sendgrid } from './sender.ts'

const pair = (): { publicKey: string; privateKey: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}
const { publicKey, privateKey } = pair()

describe('sendgrid', () => {
  itIsSigned({
    sender: sendgrid,
    body: '[{"email":"example@test.com","event":"processed"}]',
    keys: { public_key: publicKey },
    otherKeys: { public_key: pair().publicKey },
    key: privateKey,
  })
})
