import { anyText, decodeInput, exactly, optional, wholeFrom } from '../../input/decode.ts'
import { cursorOf, placeOf } from '../accounts/list-place.ts'
import type { AuthContext } from '../context.ts'
import { type Invitation, toInvitation } from './invitation.ts'
import { invitationCollection } from './invitation-record.ts'

/** The invitations to list. */
export interface InvitationQuery {
  /** The most on a page, 1 to 1,000 (default 100). */
  readonly limit?: number
  /** Continues after the previous page: its `next`. */
  readonly after?: string
}

/** A page of invitations. */
export interface InvitationPage {
  readonly items: readonly Invitation[]
  /** The `after` of the next page; absent at the end. */
  readonly next?: string
}

const decodeQuery = exactly<InvitationQuery>({
  limit: optional(wholeFrom(1, 1_000)),
  after: optional(anyText),
})

/** Lists the invitations that are open, the newest first. @throws {GatehouseError} `InvalidInput` */
export async function listInvitations(
  auth: AuthContext,
  query: InvitationQuery = {},
): Promise<InvitationPage> {
  const { limit = 100, after } = decodeInput('query', decodeQuery, query)
  const found = await invitationCollection.find(auth.storage, {
    by: 'created_at',
    order: 'desc',
    limit,
    ...(after === undefined ? {} : { after: placeOf(after, 'number') }),
  })
  const items = found.map(({ id, value }) => toInvitation(id, value))
  const last = found.length < limit ? undefined : found.at(-1)
  return last === undefined
    ? { items }
    : { items, next: cursorOf({ key: last.value.created_at, id: last.id }) }
}
