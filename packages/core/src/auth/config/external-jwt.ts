import {
  checked,
  filledText,
  integer,
  listOf,
  mapping,
  optional,
  parsed,
  required,
  type Schema,
  withDefault,
} from '../../document/schema.ts'
import type { ExternalJwtClaims, ExternalJwtIssuer } from '../external-jwt/external-jwt.ts'
import type { LoadedAuthConfig } from './config.ts'
import { section, webAddress } from './values.ts'

/** One audience, or several. */
const audiences: Schema<readonly string[]> = parsed(
  { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  (given, report) => {
    const names: readonly unknown[] = Array.isArray(given) ? given : [given]
    const isText = (name: unknown): name is string => typeof name === 'string'
    if (names.every(isText)) return names.filter((name) => name !== '')
    return report('wrong_type', 'must be an audience or a list of them')
  },
)

/** A JWK Set as in RFC 7517. */
const keySet: Schema<ExternalJwtIssuer['jwks']> = parsed(
  { type: 'object', additionalProperties: {} },
  (given, report) => {
    const { keys } = (typeof given === 'object' && given !== null ? given : {}) as {
      keys?: unknown
    }
    const isKey = (key: unknown): key is object => typeof key === 'object' && key !== null
    if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isKey)) {
      return report('wrong_type', 'must be a JWK Set: { keys: [...] }')
    }
    if (keys.some((key) => 'd' in key || 'k' in key)) {
      return report('out_of_range', 'must have public keys only')
    }
    return given as ExternalJwtIssuer['jwks']
  },
)

const claims: Schema<ExternalJwtClaims> = section(
  {
    email: withDefault(filledText, 'email', 'The email address.'),
    email_verified: withDefault(filledText, 'email_verified', 'Whether it is verified.'),
    phone_number: withDefault(filledText, 'phone_number', 'The phone number, as in E.164.'),
    phone_number_verified: withDefault(
      filledText,
      'phone_number_verified',
      'Whether it is verified.',
    ),
    preferred_username: withDefault(filledText, 'preferred_username', 'The username.'),
  },
  'The names of the claims in its tokens.',
)

const issuer = checked(
  mapping<ExternalJwtIssuer>({
    iss: required(filledText, 'The claim `iss` of its tokens.'),
    aud: withDefault(
      audiences,
      [],
      'The audience of its tokens, or a list: a token must be for one. Default: any audience, with a warning.',
    ),
    jwks_uri: optional(webAddress, 'Where it publishes its keys. Set this or `jwks`.'),
    jwks: optional(keySet, 'Its public keys, as a JWK Set. Set this or `jwks_uri`.'),
    clock_skew_seconds: withDefault(
      integer(0, 600),
      300,
      'How far its clock may differ, in seconds.',
    ),
    claims,
  }),
  ({ value: { jwks_uri: uri, jwks }, isBroken, report }) => {
    const hasUri = uri !== undefined || isBroken('jwks_uri')
    const hasKeys = jwks !== undefined || isBroken('jwks')
    if (hasUri && hasKeys) report(['jwks'], 'conflict', 'set jwks_uri or jwks, not both')
    if (!hasUri && !hasKeys) report([], 'required', 'needs jwks_uri or jwks')
  },
)

/** Issuers whose tokens supply login IDs. */
export const externalJwt: Schema<LoadedAuthConfig['external_jwt']> = mapping({
  issuers: withDefault(listOf(issuer), [], 'The issuers.'),
})
