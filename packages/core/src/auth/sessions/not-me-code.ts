import type { Instant } from '../../time/clock.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

/** A sign-in that its user may not have made. */
export interface DoubtedSignIn {
  readonly user_id: string
  readonly at: Instant
}

/** The page of the link, below the base path. */
export const notMePath = '/authflow/v2/not_me'

const purpose = 'not-me'
const lifetimeMs = 7 * 86_400_000

/** The code of the link that ends what a sign-in began, good for a week. */
export const notMeCode = (
  secrets: Pick<SecretBox, 'seal'>,
  { user_id, at }: DoubtedSignIn,
): string => secrets.seal({ user_id, at }, purpose)

/** The sign-in of a code; `undefined` if the code is not one of these, or has expired. */
export function openNotMeCode(
  secrets: Pick<SecretBox, 'open'>,
  code: string,
  now: Instant,
): DoubtedSignIn | undefined {
  const { user_id, at } = Object(secrets.open(code, purpose))
  return typeof at === 'number' && now < at + lifetimeMs ? { user_id, at } : undefined
}
