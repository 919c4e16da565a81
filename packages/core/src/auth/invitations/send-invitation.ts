import { GatehouseError } from '../../errors.ts'
import { errorWithoutSecrets } from '../../http-client/without-secrets.ts'
import type { AuthContext } from '../context.ts'
import { mailParts } from '../kinds/oob-otp/messages.ts'
import type { OutgoingMessage, Sender } from '../kinds/oob-otp/senders.ts'
import { messagingBuckets } from '../limits/buckets.ts'
import { rateLimited, takeTokens } from '../limits/rate-limit.ts'
import { readLoginId } from '../login-ids/login-id.ts'
import { invitationsDisabled } from './invitation.ts'
import type { InvitationRecord } from './invitation-record.ts'

/**
 * Spends the limits of mails to the address, as codes do. An operator has no address of a client.
 *
 * @throws {GatehouseError} `RateLimited`
 */
export async function spendMail(auth: AuthContext, email: string): Promise<void> {
  const read = readLoginId('email', email, auth.loginIdRules(auth.config.current), 'create')
  // However it is written; the rules may have changed since it was stored.
  const target = 'loginId' in read ? read.loginId.normalized : email
  const to = { target, account_id: null }
  const uses = messagingBuckets(auth.config.current, 'email', '', to).filter(
    ({ limit }) => limit?.name.endsWith('.per_ip') !== true,
  )
  const taken = await takeTokens(auth, uses)
  if (taken.ok) return
  auth.counters.limitHit(taken.use.bucket)
  throw rateLimited(taken.use, taken.waitMs)
}

/** The sender of mails. @throws {GatehouseError} `InvitationsDisabled` without one. */
export function mailSender({ senders }: AuthContext): Sender {
  if (senders.sendEmail !== undefined) return senders.sendEmail
  throw invitationsDisabled('no sender of emails is configured')
}

/** How the owner of an address gets to the sign-up. The holder of one of them counts as the owner. */
export interface InvitationWay {
  readonly code: string
  readonly link: string
}

/**
 * Sends the mail of a stored invitation.
 *
 * @throws {GatehouseError} `InvitationNotSent`; the invitation stays.
 */
export async function sendInvitation(
  auth: AuthContext,
  record: InvitationRecord,
  { code, link }: InvitationWay,
): Promise<void> {
  const { test_mode } = auth.config.current
  const { email } = record
  if (test_mode.email.some(({ regex, suppressed }) => suppressed && regex.test(email))) {
    auth.counters.codeSent('email', 'suppressed')
    return
  }
  try {
    await mailSender(auth)(compose(auth, record, link))
  } catch (error) {
    auth.counters.codeSent('email', 'failed')
    throw notSent(errorWithoutSecrets(error, [email, code, link]))
  }
  auth.counters.codeSent('email', 'sent')
}

/** The mail names no inviter: it would carry any text that an operator calls themselves by. */
function compose(
  { messages, config }: AuthContext,
  { email, locale, expires_at }: InvitationRecord,
  link: string,
): OutgoingMessage {
  const rendered = messages('invitation', locale === null ? [] : [locale], {
    code: '',
    link,
    minutes: 0,
    origin: config.current.http.public_origin,
    channel: 'email',
    time: expires_at,
  })
  return {
    kind: 'invitation',
    channel: 'email',
    target: email,
    link,
    text: rendered.text,
    ...mailParts(rendered),
    locale: rendered.locale,
    client_id: null,
    user_id: null,
    expires_at,
  }
}

const notSent = (cause: unknown): GatehouseError =>
  new GatehouseError('InternalError', 'InvitationNotSent', 'the invitation could not be sent', {
    cause,
  })
