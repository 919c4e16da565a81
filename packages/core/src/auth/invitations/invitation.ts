import type { GatehouseError } from '../../errors.ts'
import type { Instant } from '../../time/clock.ts'
import type { Identified } from '../accounts/account.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import { findFlow } from '../default-flows/find-flow.ts'
import { authError } from '../errors.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { InvitationRecord } from './invitation-record.ts'

/** An invitation as operators see it. Instants are in ms since the Unix epoch. */
export type Invitation = Identified<Omit<InvitationRecord, 'nonce'>>

/** An invitation without what its links are tied to. */
export function toInvitation(id: string, record: InvitationRecord): Invitation {
  const { nonce: _nonce, ...shown } = record
  return { id, ...shown }
}

/** How long it takes until an invitation can be sent again. */
const resendAfterMs = 60_000
/** How many mails an invitation can send. */
const maxSent = 10

/** When an invitation can be sent again; `undefined` if it was sent too often. */
export function sendableAt({
  sent_at,
  sent_count,
}: Pick<InvitationRecord, 'sent_at' | 'sent_count'>): Instant | undefined {
  if (sent_count >= maxSent) return undefined
  return sent_at === null ? Number.NEGATIVE_INFINITY : sent_at + resendAfterMs
}

/** The one for nobody: it was accepted or revoked, or has expired. */
export const invitationNotFound = (): GatehouseError =>
  authError(
    'NotFound',
    'InvitationNotFound',
    'the invitation was accepted or revoked, or has expired',
  )

const purpose = 'invitation'

/** The invitation that a code of a link is for. */
export interface NamedInvitation {
  readonly id: string
  readonly nonce: string
}

/** The code of a link. Each mail has another one, and all are good until the invitation ends. */
export const invitationCode = (
  secrets: Pick<SecretBox, 'seal'>,
  { id, nonce }: NamedInvitation,
): string => secrets.seal({ id, nonce }, purpose)

/** Reads the code of a link; `undefined` if it is not one. */
export function openInvitationCode(
  secrets: Pick<SecretBox, 'open'>,
  code: string,
): NamedInvitation | undefined {
  const { id, nonce } = Object(secrets.open(code, purpose))
  return typeof id === 'string' && typeof nonce === 'string' ? { id, nonce } : undefined
}

/**
 * The link that begins the sign-up.
 *
 * @throws {GatehouseError} `InvitationsDisabled` if the configuration has no page for it, or the sign-up does not begin with an
 *   email address.
 */
export function invitationLink(config: LoadedAuthConfig, code: string): string {
  const { links } = config
  if (links.invitation === undefined) {
    throw invitationsDisabled('the configuration has no "links.invitation"')
  }
  const steps = findFlow(config, 'signup', 'default')?.steps ?? []
  const first = steps.find((step) => step.type === 'identify')
  // The link leads into this flow, with its first identification done.
  if (!first?.one_of.some(({ identification }) => identification === 'email')) {
    throw invitationsDisabled('sign-ups do not begin with an email address')
  }
  return links.invitation.replaceAll('{code}', encodeURIComponent(code))
}

/** The refusal of a service that cannot invite. */
export const invitationsDisabled = (message: string): GatehouseError =>
  authError('Forbidden', 'InvitationsDisabled', message)

/** What events say of an invitation. */
export const invitationPayload = (
  id: string,
  { email, invited_by, expires_at }: InvitationRecord,
): AuthEvent['payload'] => ({
  invitation: { id, email, invited_by, expires_at: new Date(expires_at).toISOString() },
})
