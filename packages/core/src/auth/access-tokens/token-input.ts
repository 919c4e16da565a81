import { parseUrl } from '../../http/parse-url.ts'
import {
  anyText,
  type Decode,
  type Fields,
  filledText,
  having,
  listOf,
  optional,
  rawText,
} from '../../input/decode.ts'
import { refuse, refuseShown } from '../../input/refusal.ts'
import { tokenRequest } from './token-request.ts'
import type { TokenCheck, TokenDemands, TokenVerifier } from './token-verifier.ts'

/** A text with one member or several, or a list of them. */
const oneOrSeveral =
  (decode: Decode<string>): Decode<string | readonly string[]> =>
  (value) =>
    typeof value === 'string' ? decode(value) : listOf(decode)(value)

/** @see RFC 6749, section 3.3 */
const scopeText: Decode<string> = (value) => {
  const text = anyText(value)
  return /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text) ? text : refuse('scopes of ASCII', value)
}

/** Accepts the origin of an http or https URL. */
const originText: Decode<string> = (value) => {
  const url = parseUrl(filledText(value))
  return url !== undefined && isWeb(url) && url.pathname === '/' && url.search + url.hash === ''
    ? url.origin
    : refuseShown('an origin, such as https://api.example.com', value)
}

/** How demands are decoded. */
export const demandFields: Fields<TokenDemands> = {
  scope: optional(oneOrSeveral(scopeText)),
  audience: optional(oneOrSeveral(filledText)),
  origin: optional(originText),
}

/** Checks that a value verifies tokens. */
export const verifierPort: Decode<TokenVerifier> = having<TokenVerifier>(
  'a TokenVerifier, such as createTokenVerifier() returns',
  'verifyToken',
)

/** How a check is decoded. */
export const checkFields: Fields<TokenCheck> = {
  ...demandFields,
  request: optional(tokenRequest),
  token: optional(rawText),
}

/** The members of a list, or of a text with spaces. */
export const wordsOf = (given: string | readonly string[] | undefined): readonly string[] =>
  [given ?? []].flat().flatMap((one) => one.split(' ').filter((word) => word !== ''))

/** The origins of those names that are http or https URLs. */
export function originsOf(names: readonly string[]): readonly string[] {
  const urls = names.map((name) => parseUrl(name)).filter((url) => url !== undefined)
  return [...new Set(urls.filter(isWeb).map(({ origin }) => origin))]
}

const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:'
