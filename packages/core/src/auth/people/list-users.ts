import { decodeInput, exactly, filledText, optional } from '../../input/decode.ts'
import { invalidInput } from '../../input/refusal.ts'
import type { Identified } from '../accounts/account.ts'
import { claimOfLoginId } from '../accounts/identities.ts'
import { identityCollection } from '../accounts/identity-record.ts'
import {
  type ListPage,
  type ListQuery,
  listQueryFields,
  type Place,
  pageOf,
  placeOf,
} from '../accounts/list-place.ts'
import type { UserRecord } from '../accounts/user-record.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { normalizeText } from '../login-ids/case-folding.ts'
import type { LoginIdType } from '../login-ids/login-id.ts'
import { usersWith } from './find-users.ts'

/** The users to list. */
export interface UserListQuery extends ListQuery {
  /** Only users with an address or a name that starts with a text: exactly one member. */
  readonly prefix?: {
    readonly email?: string
    readonly phone_number?: string
    readonly username?: string
  }
}

/** A page of users. */
export type UserPage = ListPage<Identified<UserRecord>>

const decodeQuery = exactly<UserListQuery>({
  prefix: optional(
    exactly<NonNullable<UserListQuery['prefix']>>({
      email: optional(filledText),
      phone_number: optional(filledText),
      username: optional(filledText),
    }),
  ),
  ...listQueryFields,
})

/**
 * Lists users by page, the newest first; with `prefix`, in the order of the addresses or names. A user with several matching
 * identities may be on several pages.
 *
 * @throws {GatehouseError} `InvalidInput`
 */
export async function listUsers(auth: AuthContext, query: UserListQuery = {}): Promise<UserPage> {
  const { prefix, limit = 100, after } = decodeInput('query', decodeQuery, query)
  const keyType = prefix === undefined ? 'number' : 'string'
  const place = after === undefined ? {} : { after: placeOf(after, keyType) }
  if (prefix !== undefined) return byPrefix(auth, prefix, { limit, ...place })
  const found = await userCollection.find(auth.storage, {
    by: 'created_at',
    order: 'desc',
    limit,
    ...place,
  })
  const items = found.map(({ id, value }) => ({ ...value, id }))
  return pageOf(items, { found, limit, keyOf: ({ value }) => value.created_at })
}

const typeOfMember = { email: 'email', phone_number: 'phone', username: 'username' } as const

async function byPrefix(
  auth: AuthContext,
  prefix: NonNullable<UserListQuery['prefix']>,
  page: { readonly limit: number; readonly after?: Place },
): Promise<UserPage> {
  const [given, ...others] = Object.entries(prefix)
  if (given === undefined || others.length > 0) {
    const expected = 'exactly one of email, phone_number or username'
    throw invalidInput('query.prefix', expected, `${others.length + (given ? 1 : 0)} of them`)
  }
  // The decoder knows no other members.
  const type = typeOfMember[given[0] as keyof typeof typeOfMember]
  const from = normalizedPrefix(auth, type, given[1])
  const claim = claimOfLoginId[type]
  const query = { by: claim, from, to: `${from}\u{10ffff}`, ...page }
  const found = await identityCollection.find(auth.storage, query)
  const items = await usersWith(auth, [...new Set(found.map(({ value }) => value.user_id))])
  return pageOf(items, { found, limit: page.limit, keyOf: ({ value }) => value[claim] })
}

/** Letters are compared as in whole login IDs. */
function normalizedPrefix(
  { loginIdRules, config }: AuthContext,
  type: LoginIdType,
  prefix: string,
): string {
  const rules = loginIdRules(config.current)
  if (type === 'phone') return prefix.trim()
  return normalizeText(prefix.trim(), !rules[type].case_sensitive)
}
