import { resolveSession } from '@gatehouse/core'
import { headers } from 'next/headers'
import { services } from '../../gatehouse.ts'

/** Only for users who have signed in; `proxy.ts` sends others away before. */
export default async function Account() {
  // First: a build stops here, and so creates no database.
  const given = await headers()
  const session = await resolveSession(services().auth, { headers: given })
  return <p>You are {session?.user_id ?? 'nobody'}.</p>
}
