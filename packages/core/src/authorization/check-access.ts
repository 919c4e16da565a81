import type { Access } from './access.ts'
import type { Action } from './action.ts'
import type { Caller, Resource } from './authorize.ts'

/** The context of a service, as `createAlerts`, `createAuth` and `createWebhooks` return it. */
export interface GuardedService {
  /** @internal */
  readonly access: Access | undefined
}

/**
 * Asks the option `authorize` of a service whether a caller may do something, for routes of the app that call operations. Operations
 * called from code ask nothing by themselves, except for those that are given a caller.
 *
 * @throws {GatehouseError} `NotAuthenticated` if the caller is unknown; `NotAllowed`.
 * @example
 * await checkAccess(auth, { subject: { id: 'maya' } }, 'users:manage')
 * await deleteUser(auth, userId)
 */
export async function checkAccess(
  { access }: GuardedService,
  caller: Caller,
  action: Action,
  resource?: Resource,
): Promise<void> {
  await access?.check(caller, action, resource)
}
