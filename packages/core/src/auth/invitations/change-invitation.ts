import { decodeInput, rawText } from '../../input/decode.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import { canBeId } from '../../storage/storage-input.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'
import {
  type Invitation,
  invitationCode,
  invitationLink,
  invitationNotFound,
  invitationPayload,
  sendableAt,
  toInvitation,
} from './invitation.ts'
import { type InvitationRecord, invitationCollection } from './invitation-record.ts'
import { mailSender, sendInvitation, spendMail } from './send-invitation.ts'

/**
 * Sends the mail of an invitation again, at most once a minute and ten times in all. Earlier links stay good.
 *
 * @throws {GatehouseError} `InvitationNotFound`; `RateLimited`; `InvitationsDisabled`; `InvitationNotSent`
 */
export async function resendInvitation(
  auth: AuthContext,
  invitationId: string,
): Promise<Invitation> {
  const id = decodeInput('id', rawText, invitationId)
  mailSender(auth)
  let isPaid = false
  const { record, ...way } = await retryOnConflict(async () => {
    const stored = await needInvitation(auth, id)
    checkSendable(stored.value, auth.clock.now())
    const code = invitationCode(auth.secrets, { id, nonce: stored.value.nonce })
    const link = invitationLink(auth.config.current, code)
    if (!isPaid) await spendMail(auth, stored.value.email)
    isPaid = true
    const record: InvitationRecord = {
      ...stored.value,
      sent_at: auth.clock.now(),
      sent_count: stored.value.sent_count + 1,
    }
    const event = hostEvent(auth, 'invitation.resent', invitationPayload(id, record), null)
    const how = { if: stored.version, expiresAt: record.expires_at }
    await commitWithEvents(auth, [invitationCollection.write(id, record, how)], [event])
    return { record, code, link }
  })
  await sendInvitation(auth, record, way)
  return toInvitation(id, record)
}

function checkSendable(record: InvitationRecord, now: number): void {
  const at = sendableAt(record)
  if (at !== undefined && at <= now) return
  throw authError('TooManyRequest', 'RateLimited', 'request rate limited', {
    bucket_name: 'InvitationCooldown',
    ...(at === undefined ? {} : { retryAfterSeconds: Math.max(1, Math.ceil((at - now) / 1_000)) }),
  })
}

/**
 * Revokes an invitation: its links are good no more. A sign-up that has begun with one cannot end.
 *
 * @throws {GatehouseError} `InvitationNotFound`
 */
export async function revokeInvitation(auth: AuthContext, invitationId: string): Promise<void> {
  const id = decodeInput('id', rawText, invitationId)
  await retryOnConflict(async () => {
    const { value, version } = await needInvitation(auth, id)
    const event = hostEvent(auth, 'invitation.revoked', invitationPayload(id, value), null)
    await commitWithEvents(auth, [invitationCollection.remove(id, version)], [event])
  })
}

async function needInvitation(
  { storage }: AuthContext,
  id: string,
): Promise<TypedRecord<InvitationRecord>> {
  const stored = canBeId(id) ? await invitationCollection.get(storage, id) : undefined
  if (stored === undefined) throw invitationNotFound()
  return stored
}
