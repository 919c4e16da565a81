import type { Instant } from '../../time/clock.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

/** A deletion that its user may want no longer. */
export interface UnwantedDeletion {
  readonly user_id: string
  readonly delete_at: Instant
}

/** The page of the link, below the base path. */
export const keepAccountPath = '/authflow/v2/keep_account'

const purpose = 'keep-account'

/** The code of the link that keeps an account, good until the account is deleted. */
export const keepAccountCode = (
  secrets: Pick<SecretBox, 'seal'>,
  { user_id, delete_at }: UnwantedDeletion,
): string => secrets.seal({ user_id, delete_at }, purpose)

/** The deletion of a code; `undefined` if the code is not one of these, or it is too late. */
export function openKeepAccountCode(
  secrets: Pick<SecretBox, 'open'>,
  code: string,
  now: Instant,
): UnwantedDeletion | undefined {
  const { user_id, delete_at } = Object(secrets.open(code, purpose))
  return typeof delete_at === 'number' && now < delete_at ? { user_id, delete_at } : undefined
}
