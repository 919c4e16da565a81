import type { Clock } from '../../time/clock.ts'
import type { Client } from './client.ts'
import { invalidConfiguration } from './errors.ts'
import type { OAuthProviderConfig } from './oauth-provider.ts'

/** The audience of Apple's client secrets. */
const audience = 'https://appleid.apple.com'
const lifetimeSeconds = 300

/**
 * Returns the client secret: the configured one, or a newly signed one.
 *
 * @throws {GatehouseError} `InvalidConfiguration` if it must be signed and cannot be.
 * @see https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 */
export async function makeClientSecret(
  provider: OAuthProviderConfig,
  { id, credentials, teamId, keyId }: Client,
  clock: Clock,
): Promise<string> {
  if ('clientSecret' in credentials) return credentials.clientSecret
  if (provider.type !== 'apple') {
    throw invalidConfiguration(provider, 'has a private key, which only type apple uses')
  }
  if (teamId === undefined || keyId === undefined) {
    throw invalidConfiguration(provider, 'has a private key, but no team_id or no key_id')
  }
  const nowSeconds = Math.floor(clock.now() / 1_000)
  const parts = [
    { alg: 'ES256', kid: keyId },
    {
      iss: teamId,
      sub: id,
      aud: audience,
      iat: nowSeconds,
      exp: nowSeconds + lifetimeSeconds,
    },
  ]
  const signed = parts.map((part) => base64url(JSON.stringify(part))).join('.')
  const signature = await signEs256(provider, credentials.privateKey, signed)
  return `${signed}.${base64url(signature)}`
}

const base64url = (bytes: string | ArrayBuffer): string =>
  Buffer.from(bytes as string).toString('base64url')

async function signEs256(
  provider: OAuthProviderConfig,
  pem: string,
  text: string,
): Promise<ArrayBuffer> {
  const [, body = ''] = /-----BEGIN PRIVATE KEY-----([^-]+)/.exec(pem) ?? []
  const pkcs8 = Buffer.from(body, 'base64')
  const { subtle } = crypto
  try {
    const curve = { name: 'ECDSA', namedCurve: 'P-256' }
    const key = await subtle.importKey('pkcs8', pkcs8, curve, false, ['sign'])
    return await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, Buffer.from(text))
  } catch {
    // The error gives no details, so that it cannot leak parts of the key.
    throw invalidConfiguration(provider, 'has a private key that is not a P-256 key in PKCS #8 PEM')
  }
}
