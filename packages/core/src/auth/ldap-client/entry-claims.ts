/** The attribute of each claim. @see RFC 2798, RFC 4519 */
const attributeOfClaim: Readonly<Record<string, string>> = {
  email: 'mail',
  phone_number: 'mobile',
  preferred_username: 'uid',
  name: 'cn',
  given_name: 'givenName',
  family_name: 'sn',
  nickname: 'displayName',
}

/** The attributes that claims are made of. */
export const claimAttributes: readonly string[] = Object.values(attributeOfClaim)

/** A longer value is left out. */
const longest = 1_024

type Value = Buffer | Buffer[] | string[] | string | undefined

const firstOf = (value: Value): Buffer | string | undefined =>
  Array.isArray(value) ? value[0] : value

/** An entry that a search has found. */
export interface SearchedEntry {
  readonly dn: string
  readonly [attribute: string]: Value
}

/** The claims of an entry. Of several values the first counts. */
export function claimsOfEntry(entry: SearchedEntry): Readonly<Record<string, string>> {
  const claims: Record<string, string> = {}
  for (const [claim, attribute] of Object.entries(attributeOfClaim)) {
    const value = firstOf(entry[attribute])
    if (typeof value === 'string' && value !== '' && value.length <= longest) claims[claim] = value
  }
  return claims
}

/** The value of an id attribute: as text if it is printable, else in Base64. `undefined` if there is none. */
export function idOfValue(value: Value): string | undefined {
  const first = firstOf(value)
  if (first === undefined || first.length === 0) return undefined
  const bytes = Buffer.from(first)
  const text = bytes.toString()
  return /^[\x20-\x7e]+$/.test(text) ? text : bytes.toString('base64')
}
