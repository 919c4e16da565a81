import type { Json, JsonObject } from '../../../storage/storage.ts'
import type { OAuthProfile } from '../oauth-client.ts'
import { oauthProtocolError } from '../oauth-errors.ts'
import type { SaidProfile } from '../provider-kind.ts'
import { standardClaims } from './standard-claims.ts'

/** The limit of OpenID Connect. */
const maxSubjectLength = 255
/** The raw claims are stored with the user, so limit them. */
const maxRawLength = 64 * 1024

/**
 * Reads a profile from the claims of a provider.
 *
 * @throws {GatehouseError} `OAuthProtocolError` if the claims do not name the user, or are too large.
 */
export function readProfile({ subject: said, claims, raw }: SaidProfile): OAuthProfile {
  const subject = Number.isSafeInteger(said) ? String(said) : said
  if (typeof subject !== 'string' || subject === '' || subject.length > maxSubjectLength) {
    throw oauthProtocolError('the identity provider did not name the user')
  }
  if (JSON.stringify(raw).length > maxRawLength) {
    throw oauthProtocolError(
      `the identity provider sent a profile of more than ${maxRawLength} characters`,
    )
  }
  return { subject, claims: standardClaims(claims), raw }
}

/**
 * Merges the claims of an ID token with those of the user-info endpoint. If both have a claim, the one of the token counts,
 * because the token is signed. The verification of an address in one source does not apply to a different address in the other.
 */
export function mergeClaims(idToken: JsonObject, userInfo: JsonObject): JsonObject {
  const merged: { [name: string]: Json } = { ...userInfo, ...idToken }
  for (const name of ['email', 'phone_number']) {
    const source = name in idToken ? idToken : userInfo
    const isSame = idToken[name] === userInfo[name]
    const verified =
      source[`${name}_verified`] ?? (isSame ? userInfo[`${name}_verified`] : undefined)
    delete merged[`${name}_verified`]
    if (verified !== undefined) merged[`${name}_verified`] = verified
  }
  return merged
}
