import { decodeInput, exactly } from '../../input/decode.ts'
import {
  type ListPage,
  type ListQuery,
  listQueryFields,
  pageOf,
  placeOf,
} from '../accounts/list-place.ts'
import type { AuthContext } from '../context.ts'
import { type Invitation, toInvitation } from './invitation.ts'
import { invitationCollection } from './invitation-record.ts'

/** The invitations to list. */
export type InvitationQuery = ListQuery

/** A page of invitations. */
export type InvitationPage = ListPage<Invitation>

const decodeQuery = exactly<InvitationQuery>(listQueryFields)

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
  return pageOf(items, { found, limit, keyOf: ({ value }) => value.created_at })
}
