import type { OAuthProviderConfig } from '../auth/oauth-client/oauth-provider.ts'
import type { Clock } from '../time/clock.ts'
import type { Client } from './client.ts'
import { invalidConfiguration } from './errors.ts'
import { type JoseModule, loadJose } from './load-jose.ts'

/** For whom Apple wants a secret to be made. */
const audience = 'https://appleid.apple.com'
const algorithm = 'ES256'
const lifetimeSeconds = 300

/**
 * The secret that a client shows: the one it has, or one that it signs.
 *
 * @throws {GatehouseError} `InvalidConfiguration` if it has to be signed and cannot be.
 * @see https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 */
export async function makeClientSecret(
  provider: OAuthProviderConfig,
  { id, credentials, teamId, keyId }: Client,
  clock: Clock,
): Promise<string> {
  if ('clientSecret' in credentials) return credentials.clientSecret
  if (provider.type !== 'apple') {
    throw invalidConfiguration(provider, 'has a private key, which those of type apple alone need')
  }
  if (teamId === undefined || keyId === undefined) {
    throw invalidConfiguration(provider, 'has a private key, but no team_id or no key_id')
  }
  const jose = await loadJose()
  const key = await importKey(jose, provider, credentials.privateKey)
  const nowSeconds = Math.floor(clock.now() / 1_000)
  return new jose.SignJWT()
    .setProtectedHeader({ alg: algorithm, kid: keyId })
    .setIssuer(teamId)
    .setSubject(id)
    .setAudience(audience)
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + lifetimeSeconds)
    .sign(key)
}

async function importKey(
  jose: JoseModule,
  provider: OAuthProviderConfig,
  pem: string,
): Promise<Awaited<ReturnType<JoseModule['importPKCS8']>>> {
  try {
    return await jose.importPKCS8(pem, algorithm)
  } catch {
    // What is wrong with a key is better not told in detail.
    throw invalidConfiguration(provider, 'has a private key that is no PKCS #8 of P-256, as PEM')
  }
}
