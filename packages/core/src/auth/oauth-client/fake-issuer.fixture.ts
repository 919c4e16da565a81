import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { type FakeServer, startFakeServer } from './fake-server.fixture.ts'

/** A key pair of an issuer. */
export interface FakeKey {
  readonly kid: string
  readonly alg: string
  readonly privateKey: CryptoKey
  /** The public half, as in a JWK Set. */
  readonly jwk: { readonly [name: string]: unknown }
}

/** Claims of an ID token; `undefined` removes a claim. */
export type FakeClaims = { readonly [name: string]: unknown }

/** A scripted issuer of ID tokens. */
export interface FakeIssuer extends FakeServer {
  readonly issuer: string
  readonly discoveryUrl: string
  readonly key: FakeKey
  /** Further claims of the next ID tokens, or replacements of `iss`, `aud`, `iat`, `exp`, `nonce` and `sub`. */
  claims: FakeClaims
  /** Signs an ID token. */
  sign(claims: FakeClaims, key?: FakeKey): Promise<string>
}

/** Creates a key pair; `ES256` is fast. */
export async function createFakeKey(kid: string, alg = 'ES256'): Promise<FakeKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

const key = await createFakeKey('first')

/** Starts an issuer that ends with the calling test. Its ID tokens are for `client-1`. */
export async function startFakeIssuer(): Promise<FakeIssuer> {
  const server = await startFakeServer()
  const { origin } = server
  const issuer: FakeIssuer = {
    ...server,
    issuer: origin,
    discoveryUrl: `${origin}/.well-known/openid-configuration`,
    key,
    claims: {},
    sign: (claims, { privateKey, alg, kid } = key) =>
      new SignJWT(claims as JWTPayload).setProtectedHeader({ alg, kid }).sign(privateKey),
  }
  server.answer('/.well-known/openid-configuration', { json: documentOf(origin) })
  server.answer('/jwks', { json: { keys: [key.jwk] } })
  server.answer('/token', async () => {
    const nowSeconds = Math.floor(Date.now() / 1_000)
    const standard = {
      iss: origin,
      aud: 'client-1',
      sub: 'user-1',
      iat: nowSeconds,
      exp: nowSeconds + 300,
      nonce: 'nonce-of-the-test',
    }
    const idToken = await issuer.sign({ ...standard, ...issuer.claims })
    return { json: { token_type: 'Bearer', access_token: 'access-1', id_token: idToken } }
  })
  return issuer
}

/** The discovery document of an issuer. */
export function documentOf(origin: string): { readonly [name: string]: unknown } {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/jwks`,
  }
}
