import { decodeInput, filledText } from '../../input/decode.ts'
import type { Identified } from '../accounts/account.ts'
import type { UserRecord } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { findUsers, usersWith } from '../people/find-users.ts'
import { listUsers } from '../people/list-users.ts'

/** Attributes that hold names of people; `preferred_username` is found as a login ID. */
const names = ['name', 'given_name', 'family_name', 'nickname'] as const

/** The most users that are returned. */
const maxFound = 100

/**
 * Finds users by a text: a user id, a login ID, the beginning of an email address, phone number or
 * username, or a whole name. Returns at most 100 users: exact hits, then by email address, phone number and username.
 *
 * @throws {GatehouseError} `InvalidInput`
 * @example
 * const users = await searchUsers(auth, 'maya')
 */
export async function searchUsers(
  auth: AuthContext,
  text: string,
): Promise<readonly Identified<UserRecord>[]> {
  const wanted = decodeInput('text', filledText, text).trim()
  if (wanted === '') return []
  const exact = [
    canBeUserId(wanted) ? usersWith(auth, [wanted]) : [],
    findUsers(auth, { login_id: wanted }),
    ...names.map((name) => findUsers(auth, { attribute: { name, value: wanted } })),
  ]
  const beginnings = (['email', 'phone_number', 'username'] as const).map(
    async (claim) =>
      (await listUsers(auth, { prefix: { [claim]: wanted }, limit: maxFound })).items,
  )
  const found = (await Promise.all([...exact, ...beginnings])).flat()
  return [...new Map(found.map((user) => [user.id, user])).values()].slice(0, maxFound)
}

/** A storage refuses other texts as ids. */
const canBeUserId = (text: string): boolean => /^[\w-]{1,64}$/.test(text)
