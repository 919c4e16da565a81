import { type Decode, listOf, objectOf, rawText } from '../../input/decode.ts'
import { instant } from '../../input/instant.ts'
import { refuse } from '../../input/refusal.ts'
import type { Session } from '../flow/session/session.ts'

const shownSession = objectOf<Pick<Session, 'id' | 'user_id' | 'authenticated_at' | 'amr'>>({
  id: rawText,
  user_id: rawText,
  authenticated_at: instant,
  amr: listOf(rawText),
})

/** Decodes a session, as `resolveSession()` returns it. */
export const sessionInput: Decode<Session> = (value) => {
  if (typeof value !== 'object' || value === null) return refuse('a Session', value)
  const copy = { ...value }
  // Check the members that identify the user and the age of the session; the rest is only shown.
  return { ...(copy as Session), ...shownSession(copy) }
}
