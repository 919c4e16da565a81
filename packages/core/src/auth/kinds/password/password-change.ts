import type { Json } from '../../../storage/storage.ts'
import type { Identified } from '../../accounts/account.ts'
import type { PasswordAuthenticator } from '../../accounts/authenticator-record.ts'
import type { Asking } from '../../flow/asking.ts'
import type { FlowView } from '../../flow/view.ts'
import { checkPassword, needsStrength } from './password-policy.ts'
import { ask } from './password-questions.ts'

/** Why a password must be changed before the flow goes on. */
export type ChangeReason = 'policy' | 'expiry'

const nameOf = (authenticatorId: string): string => `change_password:${authenticatorId}`

/** Notes whether a password that was just used must be changed. */
export function* changeNote(
  view: FlowView,
  password: string,
  stored: Identified<PasswordAuthenticator>,
): Asking<{ readonly [name: string]: Json }> {
  return { [nameOf(stored.id)]: yield* reasonToChange(view, password, stored) }
}

/** The reason noted by {@link changeNote}. */
export function notedReason(
  { state }: FlowView,
  authenticatorId: string,
): ChangeReason | undefined {
  const reason = state.notes[nameOf(authenticatorId)]
  return reason === 'policy' || reason === 'expiry' ? reason : undefined
}

function* reasonToChange(
  view: FlowView,
  password: string,
  stored: PasswordAuthenticator,
): Asking<ChangeReason | null> {
  const { policy, force_change: isForced } = view.config.authenticator.password
  if (isForced) {
    const strength = needsStrength(policy)
      ? yield* ask('password_strength', { password })
      : undefined
    const facts = strength === undefined ? {} : { strength }
    if (checkPassword(policy, password, facts).length > 0) return 'policy'
  }
  return isExpired(view, stored) ? 'expiry' : null
}

function isExpired(
  { config, now }: FlowView,
  { expire_after, updated_at }: PasswordAuthenticator,
): boolean {
  if (expire_after !== null && expire_after <= now) return true
  const { enabled, duration_since_last_update_ms: age } =
    config.authenticator.password.expiry.force_change
  return enabled && age !== undefined && updated_at + age <= now
}
