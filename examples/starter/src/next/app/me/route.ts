import { getUser } from '@gatehouse/core'
import { gatehouse } from '../../gatehouse.ts'

export const GET = gatehouse.withSession(async (_request, { user_id }) => {
  const { standard_attributes } = await getUser(gatehouse.services().auth, user_id)
  return Response.json({ email: standard_attributes.email })
})
