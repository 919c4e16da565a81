import {
  anyText,
  byType,
  type Decode,
  exactly,
  filledText,
  flag,
  json,
  objectOf,
  oneOf,
  optional,
  rawText,
  recordOf,
} from '../../input/decode.ts'
import type { Json } from '../../storage/storage.ts'
import type { Account, Identified } from '../accounts/account.ts'
import { claimOfLoginId } from '../accounts/identities.ts'
import type { ClaimName, IdentityRecord } from '../accounts/identity-record.ts'
import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { Attributes } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { invariantViolated, modifyDisabled, validationFailed } from '../errors.ts'
import { checkAnonymousAllowed } from '../flows/anonymous-allowed.ts'
import { firstKey, incomingLoginId, loginIdRecord } from '../kinds/login-id/identification.ts'
import { incomingOAuthIdentity, oauthRecord, requireEmail } from '../kinds/oauth/oauth-identity.ts'
import { type LoginIdType, readLoginId } from '../login-ids/login-id.ts'
import { providerNotFound } from '../oauth-client/oauth-errors.ts'

/** A login ID that the host adds to a user. */
export interface NewLoginId {
  readonly type: LoginIdType
  readonly value: string
  /** Whether the address is verified (default false). */
  readonly verified?: boolean
}

/** An account of an identity provider that the host knows to be the user's. */
export interface NewOAuthIdentity {
  readonly type: 'oauth'
  /** The alias of a configured provider. */
  readonly alias: string
  readonly subject: string
  /** The provider's claims about its user, as `email` and `email_verified` (default none). */
  readonly claims?: Attributes
}

/** An identity of a kind that was passed to `createAuth()`. */
export interface NewCustomIdentity {
  readonly type: 'custom'
  readonly identification: string
  /** Unique among identities of the kind; at most 256 characters. */
  readonly unique_key: string
  readonly data?: Json
  readonly claims?: { readonly [Name in ClaimName]?: string }
}

/** An identity that the host adds to a user; `anonymous` only if the user has no other. */
export type NewIdentity =
  | NewLoginId
  | NewOAuthIdentity
  | NewCustomIdentity
  | { readonly type: 'anonymous' }

/** An identity of a user from another system. */
export type ImportedIdentity = Exclude<NewIdentity, { readonly type: 'anonymous' }>

/** Options of {@link readIdentity}. */
export interface ReadIdentityOptions {
  /** Whether to ignore rules for new identities. @see `AddIdentityOptions` */
  readonly force?: boolean
}

const loginId = objectOf<NewLoginId>({
  type: oneOf(['email', 'phone', 'username']),
  value: rawText,
  verified: optional(flag),
})

const decoders: { readonly [T in NewIdentity['type']]: Decode<NewIdentity> } = {
  email: loginId,
  phone: loginId,
  username: loginId,
  oauth: objectOf<NewOAuthIdentity>({
    type: oneOf(['oauth']),
    alias: rawText,
    subject: filledText,
    claims: optional(recordOf(json)),
  }),
  custom: objectOf<NewCustomIdentity>({
    type: oneOf(['custom']),
    identification: rawText,
    unique_key: anyText,
    data: optional(json),
    claims: optional(
      exactly<NonNullable<NewCustomIdentity['claims']>>({
        email: optional(anyText),
        phone_number: optional(anyText),
        preferred_username: optional(anyText),
      }),
    ),
  }),
  anonymous: objectOf<Extract<NewIdentity, { readonly type: 'anonymous' }>>({
    type: oneOf(['anonymous']),
  }),
}

export const newIdentity: Decode<NewIdentity> = byType(decoders)

const { anonymous: _, ...ofImports } = decoders

export const importedIdentity: Decode<ImportedIdentity> = byType(
  ofImports as { readonly [type: string]: Decode<ImportedIdentity> },
)

/** What to read an identity of. */
export interface GivenIdentity {
  readonly given: NewIdentity
  readonly about: Pick<Identified<IdentityRecord>, 'id' | 'user_id' | 'created_at'>
  /** The identities that the user has. */
  readonly account: Pick<Account, 'identities'>
  /** Where the value of a login ID stands, for errors. */
  readonly location?: string
}

/** An identity that was read. */
export interface ReadIdentity {
  readonly incoming: IncomingIdentity
  readonly record: Identified<IdentityRecord>
}

/**
 * Reads an identity that the host adds to a user.
 *
 * @throws {GatehouseError} `ValidationFailed`; `InvariantViolated`; `OAuthProviderNotFound`; `OAuthError`
 */
export function readIdentity(
  auth: AuthContext,
  { given, about, account, location = '/value' }: GivenIdentity,
  options: ReadIdentityOptions,
): ReadIdentity {
  const config = auth.config.current
  switch (given.type) {
    case 'oauth': {
      const incoming = incomingAccount(auth, given, options)
      return { incoming, record: oauthRecord(incoming, about) }
    }
    case 'custom':
      return customIdentity(auth, given, about)
    case 'anonymous': {
      checkAnonymousAllowed(config)
      if (account.identities.length > 0) {
        throw invariantViolated('AnonymousUserDisallowed', 'the user has other identities')
      }
      const record = { ...about, type: 'anonymous', unique_key: about.id } as const
      return { incoming: plainIncoming('anonymous', {}), record }
    }
    default: {
      const incoming = incomingText(auth, given, { ...options, location })
      return { incoming, record: loginIdRecord(incoming, about) }
    }
  }
}

function incomingText(
  { config: { current: config }, loginIdRules }: AuthContext,
  { type, value, verified = false }: NewLoginId,
  { force = false, location }: ReadIdentityOptions & { readonly location: string },
): IncomingIdentity {
  if (!force && firstKey(type, config)?.create_disabled === true) throw modifyDisabled()
  const read = readLoginId(type, value, loginIdRules(config), force ? 'look-up' : 'create')
  if ('problem' in read) {
    throw validationFailed([{ location, ...read.problem }], 'invalid login ID')
  }
  const incoming = incomingLoginId(read.loginId, config)
  return { ...incoming, verified: verified ? [claimOfLoginId[type]] : [] }
}

function incomingAccount(
  { config: { current: config }, loginIdRules }: AuthContext,
  { alias, subject, claims = {} }: NewOAuthIdentity,
  { force = false }: ReadIdentityOptions,
): IncomingIdentity {
  const provider = config.identity.oauth.providers.find((one) => one.alias === alias)
  if (provider === undefined) throw providerNotFound()
  if (!force && provider.create_disabled) throw modifyDisabled()
  const profile = { subject, claims, raw: claims }
  const incoming = incomingOAuthIdentity(provider, profile, loginIdRules(config))
  if (!force) requireEmail(provider, incoming)
  return incoming
}

const maxKeyLength = 256

function customIdentity(
  { kinds }: AuthContext,
  { identification, unique_key, data = null, claims = {} }: NewCustomIdentity,
  about: GivenIdentity['about'],
): ReadIdentity {
  if (!kinds.identifications.has(identification)) {
    const causes = [{ location: '/identification', kind: 'enum' }]
    throw validationFailed(causes, 'unknown identification')
  }
  if (unique_key === '' || unique_key.length > maxKeyLength) {
    const details = { expected: maxKeyLength, actual: unique_key.length }
    throw validationFailed([{ location: '/unique_key', kind: 'maxLength', details }])
  }
  return {
    incoming: plainIncoming(identification, claims),
    record: { ...about, type: 'custom', identification, unique_key, data, ...claims },
  }
}

const plainIncoming = (
  identification: string,
  claims: IncomingIdentity['claims'],
): IncomingIdentity => ({
  identification,
  names: { IdentityTypeIncoming: identification },
  source: identification,
  claims,
  verified: [],
  display: identification,
  own: null,
})
