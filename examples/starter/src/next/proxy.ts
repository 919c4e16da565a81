import { resolveSession } from '@gatehouse/core'
import { services } from './gatehouse.ts'

/** Sends users without a session from the pages of accounts to the first page. */
export async function proxy(request: Request): Promise<Response | undefined> {
  const session = await resolveSession(services().auth, request)
  return session === undefined ? Response.redirect(new URL('/', request.url)) : undefined
}

export const config = { matcher: '/account/:path*' }
