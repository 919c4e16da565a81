import type * as Jose from 'jose'
import { GatehouseError } from '../errors.ts'

/** What of the package is used. */
export type JoseModule = Pick<
  typeof Jose,
  'createLocalJWKSet' | 'errors' | 'importPKCS8' | 'jwtVerify' | 'SignJWT'
>

/** Keys, as a provider publishes them. @see RFC 7517, section 5 */
export type KeySet = Jose.JSONWebKeySet

/** The claims of a token. @see RFC 7519, section 4 */
export type TokenClaims = Jose.JWTPayload

/**
 * Loads the package that signs and verifies JSON Web Tokens.
 *
 * @param load imports it.
 * @throws {GatehouseError} `MissingPackage`
 */
export async function loadJose(
  load: () => Promise<JoseModule> = () => import('jose'),
): Promise<JoseModule> {
  try {
    return await load()
  } catch (cause) {
    const message =
      'OpenID Connect needs the package "jose", which could not be loaded: npm install jose@6'
    throw new GatehouseError('InternalError', 'MissingPackage', message, { cause })
  }
}
