import type { Instant } from '../../time/clock.ts'
import type { AuthContext } from '../context.ts'
import type { AuthorizedApp } from '../flow/session/authorization-bridge.ts'
import type { Session } from '../flow/session/session.ts'
import type { Activity } from './activity.ts'
import { getAccount, type OwnAccount } from './get-account.ts'
import { listActivity } from './list-activity.ts'
import { listOwnApps } from './own-apps.ts'
import type { ProfileAccess } from './profile-access.ts'

/** What the service knows of a user, without secrets. */
export interface AccountExport extends Omit<OwnAccount, 'changes'> {
  readonly exported_at: Instant
  /** The apps that the user has let in at the authorization server. */
  readonly apps: readonly AuthorizedApp[]
  /** Newest first; at most 1,000. */
  readonly activity: readonly Activity[]
}

const maxActivity = 1_000

/**
 * Everything about a session's user that the user may see, for the user to keep.
 *
 * @throws {GatehouseError} `UserNotFound`
 */
export async function exportAccount(
  auth: AuthContext,
  of: Session,
  options: ProfileAccess = {},
): Promise<AccountExport> {
  const [{ changes: _changes, ...account }, apps, { items }] = await Promise.all([
    getAccount(auth, of, options),
    listOwnApps(auth, of),
    listActivity(auth, of, { limit: maxActivity }),
  ])
  return { exported_at: auth.clock.now(), ...account, apps, activity: items }
}
