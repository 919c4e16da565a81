import type { Account, AccountChange, AuthClient } from '@gatehouse/client'
import type { PageSettings } from '../settings.ts'

/** What the sections of the page can do. */
export interface AccountView {
  readonly account: Account
  readonly settings: PageSettings
  readonly auth: AuthClient
  readonly isBusy: boolean
  /** Begins a flow that changes the account, in place of the page. */
  change(change: AccountChange): void
  /** Does something at once, and reads the account again. Returns whether it was done; if not, the page says why. */
  act(action: (auth: AuthClient) => Promise<unknown>): Promise<boolean>
  /** Says what went wrong, or leads people to sign in again. */
  fail(error: unknown): void
  /** The account will be deleted, and the session has ended. */
  deleted(at: string): void
}
