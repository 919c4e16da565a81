import { getUser } from '@gatehouse/core'
import { toResponse } from '@gatehouse/core/adapter'
import { admitRequest } from '@gatehouse/core/auth'
import { services } from '../../gatehouse.ts'

export async function GET(request: Request): Promise<Response> {
  const { auth } = services()
  const { session, refusal } = await admitRequest(auth, request)
  if (refusal !== undefined) return toResponse(refusal.answer)
  const { standard_attributes } = await getUser(auth, session.user_id)
  return Response.json({ email: standard_attributes.email })
}
