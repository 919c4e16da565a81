import { decodeInput, exactly, optional, rawText } from '../../input/decode.ts'
import { type InstantInput, instant } from '../../input/instant.ts'
import type { Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { Account } from '../accounts/account.ts'
import type { PasswordAuthenticator } from '../accounts/authenticator-record.ts'
import { authenticatorCollection } from '../accounts/authenticator-record.ts'
import { deviceTokenCollection } from '../accounts/device-token-record.ts'
import { removalsOf } from '../accounts/owned-records.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import type { AuthContext } from '../context.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import { eventUser } from '../events/event-records.ts'
import { hostEvent } from '../events/outbox.ts'
import { passwordOf } from '../kinds/password/password-of.ts'
import { changedAt, historyWrites } from '../kinds/password/password-writes.ts'
import { changeAccount } from './change-account.ts'
import { checkOther, hashChecked } from './hash-checked.ts'

/** Options of {@link setPassword}. */
export interface SetPasswordOptions {
  /** From then on it must be changed at login; for temporary passwords. */
  readonly expireAfter?: InstantInput
  /** The start of the password's age (default now). */
  readonly updatedAt?: InstantInput
  /** The id of a session that stays, since the user asked for the change in it (default none). */
  readonly keepSession?: string
}

interface DecodedOptions extends SetPasswordOptions {
  readonly expireAfter?: Instant
  readonly updatedAt?: Instant
}

const decodeOptions = exactly<DecodedOptions>({
  expireAfter: optional(instant),
  updatedAt: optional(instant),
  keepSession: optional(rawText),
})

/**
 * Sets a user's primary password. If it replaces another one, the sessions and device tokens of the user end, unless
 * `session.revoke_on_password_change` or `authentication.device_token.revoke_on_password_change` is `false`.
 *
 * @throws {GatehouseError} `InvalidInput`, `UserNotFound`, `PasswordPolicyViolated`
 * @example
 * await setPassword(auth, userId, 'correct horse battery staple')
 */
export async function setPassword(
  auth: AuthContext,
  user: string,
  password: string,
  options: SetPasswordOptions = {},
): Promise<void> {
  const userId = decodeInput('user', rawText, user)
  const { expireAfter, updatedAt, keepSession } = decodeInput('options', decodeOptions, options)
  const text = decodeInput('password', rawText, password)
  const hash = await hashChecked(auth, text)
  const changed = ({ user }: Account): AuthEvent =>
    hostEvent(auth, 'password.primary.changed', { user: eventUser(user) }, userId)
  await changeAccount(auth, userId, async (account) => {
    await checkOther(auth, text, { account, kind: 'primary' })
    const stored = passwordOf(account, 'primary')
    const updated_at = changedAt(stored, updatedAt ?? auth.clock.now())
    const record: PasswordAuthenticator = {
      type: 'password',
      kind: 'primary',
      user_id: userId,
      created_at: stored?.created_at ?? updated_at,
      updated_at,
      hash,
      expire_after: expireAfter ?? null,
    }
    return {
      writes: [
        authenticatorCollection.write(stored?.id ?? auth.ids.random(), record),
        ...(await historyWrites({ auth }, userId, hash, updated_at)),
        ...(stored === undefined ? [] : await revocations(auth, userId, keepSession)),
      ],
      events: stored === undefined ? [] : [changed(account)],
      answer: undefined,
    }
  })
}

/** The writes that end sessions and device tokens. */
async function revocations(
  { config, storage }: AuthContext,
  userId: string,
  keepSession: string | undefined,
): Promise<readonly Write[]> {
  const { session, authentication } = config.current
  const sessions = session.revoke_on_password_change
    ? await removalsOf(storage, sessionCollection, userId)
    : []
  const tokens = authentication.device_token.revoke_on_password_change
    ? await removalsOf(storage, deviceTokenCollection, userId)
    : []
  return [...sessions.filter(({ id }) => id !== keepSession), ...tokens]
}
