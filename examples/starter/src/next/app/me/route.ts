import { getUser, resolveSession } from '@gatehouse/core'
import { services } from '../../gatehouse.ts'

export async function GET(request: Request): Promise<Response> {
  const { auth } = services()
  const session = await resolveSession(auth, request)
  if (session === undefined) return new Response('sign in first', { status: 401 })
  const { standard_attributes } = await getUser(auth, session.user_id)
  return Response.json({ email: standard_attributes.email })
}
