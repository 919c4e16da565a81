import { gatehouse } from '../../gatehouse.ts'

/** Only for users who have signed in; `proxy.ts` sends others to sign in, and back. */
export default async function Dashboard() {
  const { user_id } = await gatehouse.requireSession({ returnTo: '/dashboard' })
  return <p>You are {user_id}.</p>
}
