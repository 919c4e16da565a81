import { resolveSession } from '@gatehouse/core'
import { headers } from 'next/headers'
import { services } from '../../gatehouse.ts'

/** Only for users who have signed in; `proxy.ts` sends others away before. */
export default async function Account() {
  const session = await resolveSession(services().auth, { headers: await headers() })
  return <p>You are {session?.user_id ?? 'nobody'}.</p>
}
