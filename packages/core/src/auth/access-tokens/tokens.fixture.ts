import { createHash } from 'node:crypto'
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose'
import type { JsonObject } from '../../storage/storage.ts'
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts'
import { createTokenVerifier, type TokenVerifierOptions } from './create-token-verifier.ts'
import type { TokenVerifier } from './token-verifier.ts'

/** A key pair, with its public half as a member of a JWK Set. */
export interface TestKey {
  readonly kid: string
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly jwk: JsonObject
}

export async function createTestKey(kid: string, alg = 'ES256'): Promise<TestKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } as JsonObject
  return { kid, alg, privateKey, jwk }
}

export const issuer = 'https://auth.example.com'
export const audience = 'https://api.example.com'
/** In seconds. */
export const startedAt = 1_800_000_000
export const key: TestKey = await createTestKey('k1')
/** The key of a client, to which its tokens are bound. */
export const clientKey: TestKey = await createTestKey('client')
export const jkt: string = await calculateJwkThumbprint(clientKey.jwk as JWK)

/** Members of a token that replace or, if `undefined`, remove those of a valid one. */
export interface TokenChanges {
  readonly header?: { readonly [name: string]: unknown }
  readonly claims?: { readonly [name: string]: unknown }
  readonly by?: TestKey
}

/** Signs an access token that is valid for five minutes. */
export function signToken({ header, claims, by = key }: TokenChanges = {}): Promise<string> {
  const standard = {
    iss: issuer,
    sub: 'user-1',
    aud: audience,
    client_id: 'client-1',
    scope: 'orders:read orders:write',
    iat: startedAt,
    exp: startedAt + 300,
    jti: 'token-1',
  }
  return new SignJWT({ ...standard, ...claims } as JWTPayload)
    .setProtectedHeader({ alg: by.alg, kid: by.kid, typ: 'at+jwt', ...header })
    .sign(by.privateKey)
}

/** Signs a token that is bound to the key of the client. */
export const signBoundToken = (): Promise<string> => signToken({ claims: { cnf: { jkt } } })

/** Signs a proof for `GET https://api.example.com/orders` with a token. */
export function signProof(token: string, changes: TokenChanges = {}): Promise<string> {
  const { header, claims, by = clientKey } = changes
  const { kid: _kid, use: _use, ...jwk } = by.jwk
  const standard = {
    htm: 'GET',
    htu: `${audience}/orders`,
    ath: createHash('sha256').update(token).digest('base64url'),
    iat: startedAt,
    jti: 'proof-1',
  }
  return new SignJWT({ ...standard, ...claims } as JWTPayload)
    .setProtectedHeader({ alg: by.alg, typ: 'dpop+jwt', jwk: jwk as JWK, ...header })
    .sign(by.privateKey)
}

/** A request with headers. */
export const requestWith = (
  headers: Record<string, string>,
  url = `${audience}/orders?page=2`,
): Request => new Request(url, { headers })

/** A verifier in the process of its issuer, by a manual clock. */
export function testVerifier(options: Partial<TokenVerifierOptions> = {}): {
  readonly verifier: TokenVerifier
  readonly clock: ManualClock
} {
  const clock = createManualClock(startedAt * 1_000)
  const given = { issuer, audience, clock, keys: () => [key.jwk], ...options }
  return { clock, verifier: createTokenVerifier(given) }
}
