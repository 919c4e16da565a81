import type { Json } from '../../../storage/storage.ts'
import type { JsonObject } from '../json-object.ts'
import type { OAuthProfile } from '../oauth-client.ts'
import { oauthProtocolError } from '../oauth-errors.ts'
import type { SaidProfile } from '../provider-kind.ts'
import { standardClaims } from './standard-claims.ts'

/** OpenID Connect has no longer ones. */
const maxSubjectLength = 255
/** What a provider says is kept with a user; more than this is no profile. */
const maxRawLength = 64 * 1024

/**
 * The profile in what a provider says.
 *
 * @throws {GatehouseError} `OAuthProtocolError` if it does not say whose it is, or says too much.
 */
export function readProfile({ subject: said, claims, raw }: SaidProfile): OAuthProfile {
  const subject = Number.isSafeInteger(said) ? String(said) : said
  if (typeof subject !== 'string' || subject === '' || subject.length > maxSubjectLength) {
    throw oauthProtocolError('the identity provider does not say who somebody is')
  }
  if (JSON.stringify(raw).length > maxRawLength) {
    throw oauthProtocolError(
      `the identity provider says more than ${maxRawLength} characters of somebody`,
    )
  }
  return { subject, claims: standardClaims(claims), raw }
}

/**
 * The claims of an ID token together with those of the user-info endpoint. Where both have one, that of the token counts,
 * which is signed. What one of them says of the verification of an address counts for no other address.
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
