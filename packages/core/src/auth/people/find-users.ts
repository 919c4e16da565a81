import { anyText, decodeInput, exactly, json, optional, rawText } from '../../input/decode.ts'
import { invalidInput, refuse } from '../../input/refusal.ts'
import type { Identified } from '../accounts/account.ts'
import { findByClaim } from '../accounts/accounts.ts'
import { attributeKey, hasAttribute, userAttributeCollection } from '../accounts/attribute-index.ts'
import { claimOfLoginId, keyOfIdentity } from '../accounts/identities.ts'
import { identityKeyCollection } from '../accounts/identity-record.ts'
import type { UserRecord } from '../accounts/user-record.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { oauthAccountKey } from '../kinds/oauth/oauth-account-key.ts'
import { type LoginIdType, readLoginId } from '../login-ids/login-id.ts'
import { providerNotFound } from '../oauth-client/oauth-errors.ts'

/** The value to find users by: exactly one member. */
export interface UserQuery {
  /** An email address, a phone number or a username that a user signs in with. */
  readonly login_id?: string
  /** An email address, of a login ID or of an account at a provider. */
  readonly email?: string
  readonly phone_number?: string
  readonly username?: string
  /** An account at a configured provider. */
  readonly provider?: { readonly alias: string; readonly subject: string }
  /** A standard or custom attribute that is a text, a number or a flag. */
  readonly attribute?: { readonly name: string; readonly value: string | number | boolean }
}

const decodeQuery = exactly<UserQuery>({
  login_id: optional(rawText),
  email: optional(rawText),
  phone_number: optional(rawText),
  username: optional(rawText),
  provider: optional(
    exactly<NonNullable<UserQuery['provider']>>({ alias: rawText, subject: anyText }),
  ),
  attribute: optional(
    exactly<NonNullable<UserQuery['attribute']>>({
      name: anyText,
      value: (value) => {
        const given = json(value)
        return given === null || typeof given === 'object'
          ? refuse('a string, a number, true or false', value)
          : given
      },
    }),
  ),
})

const types: readonly LoginIdType[] = ['email', 'phone', 'username']
/** The most users that are returned. */
const maxFound = 100

/**
 * Finds users by a login ID, an address, an account at a provider or an attribute. Login IDs are normalized first. Returns at
 * most 100 users; `getUser()` reads the identities of one.
 *
 * @throws {GatehouseError} `InvalidInput` unless the query has exactly one member; `OAuthProviderNotFound`
 * @example
 * const [user] = await findUsers(auth, { email: 'maya@example.com' })
 */
export async function findUsers(
  auth: AuthContext,
  query: UserQuery,
): Promise<readonly Identified<UserRecord>[]> {
  const wanted = decodeInput('query', decodeQuery, query)
  const count = Object.keys(wanted).length
  if (count !== 1) {
    const names = 'login_id, email, phone_number, username, provider or attribute'
    throw invalidInput('query', `exactly one of ${names}`, `${count} of them`)
  }
  const ids = [...new Set(await idsOf(auth, wanted))].slice(0, maxFound)
  const users = ids.length === 0 ? [] : await usersWith(auth, ids)
  const { attribute } = wanted
  if (attribute === undefined) return users
  // A change may have come between the two reads.
  return users.filter((user) => hasAttribute(user, attribute.name, attribute.value))
}

async function idsOf(auth: AuthContext, query: UserQuery): Promise<readonly string[]> {
  const { login_id: loginId, email, phone_number: phone, username, provider, attribute } = query
  if (loginId !== undefined) return ownersOf(auth, types.flatMap(keyOf(auth, loginId)))
  if (email !== undefined) return withClaim(auth, 'email', email)
  if (phone !== undefined) return withClaim(auth, 'phone', phone)
  if (username !== undefined) return withClaim(auth, 'username', username)
  if (provider !== undefined) {
    const { identity } = auth.config.current
    const configured = identity.oauth.providers.find(({ alias }) => alias === provider.alias)
    if (configured === undefined) throw providerNotFound()
    const key = oauthAccountKey(configured, provider.subject)
    return ownersOf(auth, [keyOfIdentity('oauth', configured.type, key)])
  }
  return attribute === undefined ? [] : withAttribute(auth, attribute)
}

/** The key of a login ID of a type; none if the text cannot be one. */
const keyOf =
  ({ loginIdRules, config }: AuthContext, text: string) =>
  (type: LoginIdType): readonly string[] => {
    const read = readLoginId(type, text, loginIdRules(config.current), 'look-up')
    return 'loginId' in read ? [keyOfIdentity('login_id', type, read.loginId.uniqueKey)] : []
  }

async function ownersOf(
  { storage }: AuthContext,
  keys: readonly string[],
): Promise<readonly string[]> {
  const owners = await Promise.all(keys.map((key) => identityKeyCollection.get(storage, key)))
  return owners.flatMap((owner) => owner?.value.user_id ?? [])
}

/** The owner of the login ID first, then users with the claim from elsewhere. */
async function withClaim(
  auth: AuthContext,
  type: LoginIdType,
  text: string,
): Promise<readonly string[]> {
  const read = readLoginId(type, text, auth.loginIdRules(auth.config.current), 'look-up')
  if ('problem' in read) return []
  const { normalized } = read.loginId
  const [owners, identities] = await Promise.all([
    ownersOf(auth, keyOf(auth, text)(type)),
    findByClaim(auth.storage, claimOfLoginId[type], normalized),
  ])
  return [...owners, ...identities.map(({ user_id }) => user_id)]
}

async function withAttribute(
  { storage }: AuthContext,
  { name, value }: NonNullable<UserQuery['attribute']>,
): Promise<readonly string[]> {
  if (types.some((type) => claimOfLoginId[type] === name)) {
    const expected = 'another attribute; for this one, query.email, phone_number or username'
    throw invalidInput('query.attribute.name', expected, JSON.stringify(name))
  }
  const query = { by: 'key', equals: attributeKey(name, value), limit: maxFound } as const
  const found = await userAttributeCollection.find(storage, query)
  return found.map((one) => one.value.user_id)
}

/** The users with these ids that exist, in this order. */
export async function usersWith(
  { storage }: Pick<AuthContext, 'storage'>,
  ids: readonly string[],
): Promise<readonly Identified<UserRecord>[]> {
  const found = await storage.get(userCollection, ids)
  // The service reads through readableStorage, which decodes.
  return found.flatMap((one) =>
    one === undefined ? [] : [{ ...(one.value as unknown as UserRecord), id: one.id }],
  )
}
