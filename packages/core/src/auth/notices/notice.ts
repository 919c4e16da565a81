import type { LoadedAuthConfig } from '../config/config.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import type { NoticeName } from '../messages/message-texts.ts'
import { newSignInEvent } from '../sessions/see-browser.ts'

/** The event of a user who wants the account deleted. */
export const deletionScheduledEvent = 'user.deletion_scheduled'

const addressEvents = ['email', 'phone'].flatMap((sort) =>
  ['added', 'updated', 'removed'].map((change) => `identity.${sort}.${change}`),
)

const eventsOf: Readonly<Record<NoticeName, readonly string[]>> = {
  new_sign_in: [newSignInEvent],
  password_changed: [
    'password.primary.reset',
    'password.primary.force_changed',
    'password.primary.changed',
    'password.secondary.changed',
  ],
  address_changed: addressEvents,
  // A passkey is an authenticator, too.
  factor_changed: [
    'identity.oauth.connected',
    'identity.oauth.disconnected',
    'authenticator.added',
    'authenticator.removed',
    'recovery_codes.created',
  ],
  impersonated: ['user.impersonated'],
  api_key_created: ['api_key.created'],
  deletion_scheduled: [deletionScheduledEvent],
}

/** The events that people get a notice of. */
const noticeOfEvent: ReadonlyMap<string, NoticeName> = new Map(
  (Object.keys(eventsOf) as NoticeName[]).flatMap((name) =>
    eventsOf[name].map((type): [string, NoticeName] => [type, name]),
  ),
)

/** The notice of an event, unless the configuration has none of it. */
export function noticeOf(
  { messaging: { notices } }: Pick<LoadedAuthConfig, 'messaging'>,
  type: string,
): NoticeName | undefined {
  const name = noticeOfEvent.get(type)
  return name !== undefined && notices[name] ? name : undefined
}

/** The user's addresses as they are now. */
export interface KnownAddresses {
  readonly verified: readonly string[]
  /** That of the profile. */
  readonly profile: string | undefined
}

/** More addresses than people have. */
const maxRecipients = 10

/**
 * Where the notice of an event goes: to all verified addresses, else to that of the profile; also to one that was taken away, since
 * its owner may not have done it. One that was just added learns nothing that its owner does not know.
 */
export function recipientsOf(
  { type, payload }: Pick<AuthEvent, 'type' | 'payload'>,
  { verified, profile }: KnownAddresses,
): readonly string[] {
  const now = verified.length > 0 || profile === undefined ? verified : [profile]
  const added = type.endsWith('.removed') ? undefined : emailOf(payload.identity)
  const former = type.endsWith('.removed')
    ? emailOf(payload.identity)
    : emailOf(payload.old_identity)
  const all = [...(former === undefined ? [] : [former]), ...now]
  return [...new Set(all)].filter((one) => one !== added).slice(0, maxRecipients)
}

/** The address of an identity that people sign in with by email. */
function emailOf(identity: unknown): string | undefined {
  const { type, login_id_type: sort, email } = Object(identity)
  return type === 'login_id' && sort === 'email' && typeof email === 'string' ? email : undefined
}
