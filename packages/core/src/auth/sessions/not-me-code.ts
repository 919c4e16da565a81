import type { Instant } from '../../time/clock.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

/** A session that its user may not have begun. */
export interface DoubtedSession {
  readonly user_id: string
  readonly session_id: string
}

/** The page of the link, below the base path. */
export const notMePath = '/authflow/v2/not_me'

const purpose = 'not-me'
const lifetimeMs = 7 * 86_400_000

/** The code of the link that ends a session, good for a week. */
export const notMeCode = (
  secrets: Pick<SecretBox, 'seal'>,
  { user_id, session_id }: DoubtedSession,
  now: Instant,
): string => secrets.seal({ user_id, session_id, until: now + lifetimeMs }, purpose)

/** The session of a code; `undefined` if the code is not one of these, or has expired. */
export function openNotMeCode(
  secrets: Pick<SecretBox, 'open'>,
  code: string,
  now: Instant,
): DoubtedSession | undefined {
  const { user_id, session_id, until } = Object(secrets.open(code, purpose))
  return typeof until === 'number' && now < until ? { user_id, session_id } : undefined
}
