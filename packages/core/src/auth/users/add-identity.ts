import {
  anyText,
  byType,
  type Decode,
  decodeInput,
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
import { findIdentity } from '../accounts/accounts.ts'
import { claimOfLoginId, identityKey } from '../accounts/identities.ts'
import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type {
  Account,
  Attributes,
  ClaimName,
  ClaimValue,
  Identified,
  IdentityRecord,
} from '../accounts/records.ts'
import type { AuthContext } from '../context.ts'
import { invariantViolated, modifyDisabled, validationFailed } from '../errors.ts'
import { establishFacts } from '../finish/establish-facts.ts'
import { firstKey, incomingLoginId, loginIdRecord } from '../kinds/login-id/identification.ts'
import { incomingOAuthIdentity, oauthRecord } from '../kinds/oauth/oauth-identity.ts'
import { claimHolder } from '../linking/claim-holder.ts'
import { linkingChecks } from '../linking/linking-rules.ts'
import { duplicated, identityFacts } from '../linking/sign-up.ts'
import { type LoginIdType, readLoginId } from '../login-ids/login-id.ts'
import { providerNotFound } from '../oauth-client/oauth-errors.ts'
import { checkAnonymousAllowed } from './anonymous-allowed.ts'

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

/** Options of {@link addIdentity}. */
export interface AddIdentityOptions {
  /**
   * For users from another system: ignore `create_disabled`, the lists of blocked login IDs, a missing e-mail address of a
   * provider that requires one, and other users who have the address or name (default false). A user who has the same identity
   * is never ignored.
   */
  readonly force?: boolean
}

const decodeOptions = exactly<AddIdentityOptions>({ force: optional(flag) })

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

const newIdentity: Decode<NewIdentity> = byType(decoders)

/**
 * Adds an identity to a user. Returns its id. It is validated as in a flow, but not verified.
 *
 * @throws {GatehouseError} `InvalidInput`; `UserNotFound`; `ValidationFailed`; `InvariantViolated`: `DuplicatedIdentity` if a
 * user has it, or another user has its address or name, `IdentityModifyDisabled`, `AnonymousUserDisallowed`;
 * `OAuthProviderNotFound`; `OAuthError` if the provider's accounts need an e-mail address and there is none.
 */
export async function addIdentity(
  auth: AuthContext,
  user: string,
  identity: NewIdentity,
  how: AddIdentityOptions = {},
): Promise<string> {
  const userId = decodeInput('user', rawText, user)
  const given = decodeInput('identity', newIdentity, identity)
  const options = decodeInput('options', decodeOptions, how)
  const id = auth.ids.random()
  await establishFacts(auth, userId, async (account) => {
    const about = { id, user_id: userId, created_at: auth.clock.now() }
    const { incoming, record } = readIdentity(auth, { given, about, account }, options)
    const apart = await checkFree(auth, incoming, record, options)
    return identityFacts(incoming, record, { apart })
  })
  return id
}

interface Given {
  readonly given: NewIdentity
  readonly about: Pick<Identified<IdentityRecord>, 'id' | 'user_id' | 'created_at'>
  readonly account: Account
}

interface Read {
  readonly incoming: IncomingIdentity
  readonly record: Identified<IdentityRecord>
}

function readIdentity(
  auth: AuthContext,
  { given, about, account }: Given,
  options: AddIdentityOptions,
): Read {
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
      const incoming = incomingText(auth, given, options)
      return { incoming, record: loginIdRecord(incoming, about) }
    }
  }
}

function incomingText(
  { config: { current: config }, loginIdRules }: AuthContext,
  { type, value, verified = false }: NewLoginId,
  { force = false }: AddIdentityOptions,
): IncomingIdentity {
  if (!force && firstKey(type, config)?.create_disabled === true) throw modifyDisabled()
  const read = readLoginId(type, value, loginIdRules(config), force ? 'look-up' : 'create')
  if ('problem' in read) {
    throw validationFailed([{ location: '/value', ...read.problem }], 'invalid login ID')
  }
  const incoming = incomingLoginId(read.loginId, config)
  return { ...incoming, verified: verified ? [claimOfLoginId[type]] : [] }
}

function incomingAccount(
  { config: { current: config }, loginIdRules }: AuthContext,
  { alias, subject, claims = {} }: NewOAuthIdentity,
  { force = false }: AddIdentityOptions,
): IncomingIdentity {
  const provider = config.identity.oauth.providers.find((one) => one.alias === alias)
  if (provider === undefined) throw providerNotFound()
  if (!force && provider.create_disabled) throw modifyDisabled()
  const profile = { subject, claims, raw: claims }
  return incomingOAuthIdentity(provider, profile, loginIdRules(config))
}

const longestKey = 256

function customIdentity(
  { kinds }: AuthContext,
  { identification, unique_key, data = null, claims = {} }: NewCustomIdentity,
  about: Given['about'],
): Read {
  if (!kinds.identifications.has(identification)) {
    const causes = [{ location: '/identification', kind: 'enum' }]
    throw validationFailed(causes, 'unknown identification')
  }
  if (unique_key === '' || unique_key.length > longestKey) {
    const details = { expected: longestKey, actual: unique_key.length }
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

/** Refuses an identity that a user has, or that asserts another user's claim. Returns the claims that were checked. */
async function checkFree(
  auth: AuthContext,
  incoming: IncomingIdentity,
  record: Identified<IdentityRecord>,
  { force = false }: AddIdentityOptions,
): Promise<readonly ClaimValue[]> {
  const same = await findIdentity(auth.storage, identityKey(record))
  if (same !== undefined) throw duplicated(incoming, same)
  if (force) return []
  const { identification } = incoming
  const checks = linkingChecks(auth.config.current, incoming, { identification })
  const claims = checks.map(({ claim, value }): ClaimValue => ({ claim, value }))
  for (const one of claims) {
    const holder = await claimHolder(auth, one, record.user_id)
    if (holder !== undefined) throw duplicated(incoming, holder)
  }
  return claims
}
