import { parseUrl } from '../../../http/parse-url.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../storage/storage.ts'

const maxTextLength = 1_000
const maxUrlLength = 2_000

/** Reads a claim; `undefined` if it is malformed. */
type ReadClaim = (value: Json) => Json | undefined

const text: ReadClaim = (value) => {
  if (typeof value !== 'string' || /\p{Cc}/u.test(value) || !value.isWellFormed()) return undefined
  const trimmed = value.trim()
  return trimmed === '' || trimmed.length > maxTextLength ? undefined : trimmed
}

/** Apple and LinkedIn send booleans as text. */
const flag: ReadClaim = (value) => {
  if (typeof value === 'boolean') return value
  return value === 'true' || value === 'false' ? value === 'true' : undefined
}

/** Pages show pictures and links, so only HTTP is accepted. */
const link: ReadClaim = (value) => {
  if (typeof value !== 'string' || value.length > maxUrlLength) return undefined
  return /^https?:$/.test(parseUrl(value)?.protocol ?? '') ? value : undefined
}

const addressParts = ['formatted', 'street_address', 'locality', 'region', 'postal_code', 'country']

/** The formatted address contains line breaks. */
const address: ReadClaim = (value) => {
  if (!isJsonObject(value)) return undefined
  const parts = addressParts.flatMap((name) => {
    const part = value[name]
    const isPart = typeof part === 'string' && part !== '' && part.length <= maxTextLength
    return isPart ? [[name, part] as const] : []
  })
  return parts.length === 0 ? undefined : Object.fromEntries(parts)
}

/** @see OpenID Connect Core 1.0, section 5.1 */
const readers: readonly (readonly [name: string, read: ReadClaim])[] = [
  ['email', text],
  ['email_verified', flag],
  ['phone_number', text],
  ['phone_number_verified', flag],
  ['name', text],
  ['given_name', text],
  ['family_name', text],
  ['middle_name', text],
  ['nickname', text],
  ['preferred_username', text],
  ['profile', link],
  ['picture', link],
  ['website', link],
  ['gender', text],
  ['birthdate', text],
  ['zoneinfo', text],
  ['locale', text],
  ['address', address],
]

/**
 * The well-formed standard claims of a provider: texts on one line, HTTP links, booleans. The verification of a claim is included
 * only together with the claim.
 */
export function standardClaims(said: JsonObject): JsonObject {
  const claims = new Map<string, Json>()
  for (const [name, read] of readers) {
    const value = said[name]
    const claim = value === undefined ? undefined : read(value)
    if (claim !== undefined) claims.set(name, claim)
  }
  for (const name of ['email', 'phone_number']) {
    if (!claims.has(name)) claims.delete(`${name}_verified`)
  }
  return Object.fromEntries(claims)
}
