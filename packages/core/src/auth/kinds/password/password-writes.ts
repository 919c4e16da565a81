import type { Ids } from '../../../crypto/ids.ts'
import type { Storage, Version, Write } from '../../../storage/storage.ts'
import type { Clock, Instant } from '../../../time/clock.ts'
import { byNewest, maxOfAKind } from '../../accounts/accounts.ts'
import type { PasswordAuthenticator } from '../../accounts/authenticator-record.ts'
import { authenticatorCollection } from '../../accounts/authenticator-record.ts'
import { deviceTokenCollection } from '../../accounts/device-token-record.ts'
import { passwordHistoryCollection } from '../../accounts/password-history-record.ts'
import type { WithConfig } from '../../config/config.ts'
import { changePasswordFailed } from '../../errors.ts'
import type { FlowRun, Subject } from '../../flow/run.ts'
import type { Fact, FactOf } from '../../flow/state.ts'

interface PasswordWritePorts extends WithConfig {
  readonly storage: Storage
  readonly ids: Ids
  readonly clock: Clock
}

/**
 * The writes of a password change: the password, its history, and the removal of device tokens.
 *
 * @throws {GatehouseError} `ChangePasswordFailed` (`NoPassword`) if there is no password to change.
 */
export async function passwordWrites(
  run: FlowRun<PasswordWritePorts>,
  fact: FactOf<'password_changed'>,
  { userId, account }: Subject,
): Promise<readonly Write[]> {
  const { now } = run
  const changed = await changedPassword(run, fact, userId)
  const writes: Write[] = [
    authenticatorCollection.write(changed.id, changed.record, { if: changed.version }),
  ]
  if (fact.reason === 'recovery') {
    // The new password replaces all earlier ones.
    const others = account?.authenticators.filter(
      ({ id, type, kind }) => type === 'password' && kind === 'primary' && id !== changed.id,
    )
    writes.push(...(others ?? []).map(({ id }) => authenticatorCollection.remove(id)))
  }
  writes.push(...(await deviceTokenRemovals(run, fact, userId)))
  if (changed.record.kind === 'primary')
    writes.push(...(await historyWrites(run, userId, fact.hash, now)))
  return writes
}

interface ChangedPassword {
  readonly id: string
  readonly record: PasswordAuthenticator
  readonly version: 'absent' | Version
}

async function changedPassword(
  { auth, now }: FlowRun<PasswordWritePorts>,
  { authenticator_id: id, hash, reason }: FactOf<'password_changed'>,
  userId: string,
): Promise<ChangedPassword> {
  const stored = id === null ? undefined : await authenticatorCollection.get(auth.storage, id)
  if (stored?.value.type === 'password') {
    const updated_at = changedAt(stored.value, now)
    const record = { ...stored.value, hash, updated_at, expire_after: null }
    return { id: stored.id, record, version: stored.version }
  }
  if (reason === 'user') throw changePasswordFailed('NoPassword')
  const record: PasswordAuthenticator = {
    type: 'password',
    kind: 'primary',
    user_id: userId,
    hash,
    expire_after: null,
    created_at: now,
    updated_at: now,
  }
  return { id: auth.ids.random(), record, version: 'absent' }
}

/** The instant of a password change, always later than the previous one, so that the two can be distinguished. */
export function changedAt(
  before: Pick<PasswordAuthenticator, 'updated_at'> | undefined,
  at: Instant,
): Instant {
  return before?.updated_at === at ? at + 1 : at
}

const dayMs = 86_400_000

/** Adds a password to the history, and drops those that the policy no longer needs. */
export async function historyWrites(
  { auth }: Pick<FlowRun<PasswordWritePorts>, 'auth'>,
  userId: string,
  hash: string,
  now: number = auth.clock.now(),
): Promise<readonly Write[]> {
  const { history_size: size, history_days: days } =
    auth.config.current.authenticator.password.policy
  if (size === 0 && days === 0) return []
  const query = { by: 'user_id', equals: userId, limit: maxOfAKind } as const
  const found = await passwordHistoryCollection.find(auth.storage, query)
  const newest = found.sort(byNewest)
  const stale = newest.filter(({ value }, index) => {
    return index + 1 >= size && value.created_at <= now - days * dayMs
  })
  const record = { user_id: userId, hash, created_at: now }
  return [
    passwordHistoryCollection.write(auth.ids.ordered(), record, { if: 'absent' }),
    ...stale.map(({ id }) => passwordHistoryCollection.remove(id)),
  ]
}

async function deviceTokenRemovals(
  { auth, session }: FlowRun<PasswordWritePorts>,
  { reason }: FactOf<'password_changed'>,
  userId: string,
): Promise<readonly Write[]> {
  const { device_token } = auth.config.current.authentication
  const isRecovery = reason === 'recovery'
  const isRevoked = isRecovery
    ? device_token.revoke_on_password_reset
    : device_token.revoke_on_password_change
  if (!isRevoked) return []
  const query = { by: 'user_id', equals: userId, limit: maxOfAKind } as const
  const tokens = await deviceTokenCollection.find(auth.storage, query)
  // The login that asks for a new password may have trusted its device just before.
  const ended = tokens.filter(({ value }) => isRecovery || value.created_at < session.created_at)
  return ended.map(({ id }) => deviceTokenCollection.remove(id))
}

/** Stores better hashes of passwords that were used, unless the password is changed anyway. */
export function rehashed(facts: readonly Fact[], { account }: Subject): readonly Write[] {
  const changed = new Set(
    facts.flatMap((fact) => (fact.kind === 'password_changed' ? [fact.authenticator_id] : [])),
  )
  return facts.flatMap((fact) => {
    if (fact.kind !== 'authentication_used' || fact.rehash === undefined) return []
    const stored = account?.authenticators.find(({ id }) => id === fact.authenticator_id)
    if (stored?.type !== 'password' || changed.has(stored.id)) return []
    const { id, ...record } = stored
    // The password may have changed meanwhile.
    if (record.hash !== fact.rehash.from) return []
    return [authenticatorCollection.write(id, { ...record, hash: fact.rehash.to })]
  })
}
