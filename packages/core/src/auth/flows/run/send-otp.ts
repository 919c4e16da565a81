import { atEndOfTurn } from '../../../async/end-of-turn.ts'
import { errorText, GatehouseError } from '../../../errors.ts'
import { errorWithoutSecrets } from '../../../http-client/without-secrets.ts'
import type { Storage } from '../../../storage/storage.ts'
import { localeOf, userCollection } from '../../accounts/user-record.ts'
import type { LoadedAuthConfig } from '../../config/config.ts'
import type { AuthRun } from '../../context.ts'
import { authError } from '../../errors.ts'
import { emitEvent } from '../../events/outbox.ts'
import type { OtpRequest } from '../../flow/state.ts'
import { hidesDelivery } from '../../kinds/oob-otp/hides-delivery.ts'
import { composeMessage } from '../../kinds/oob-otp/messages.ts'
import { accountOfCode } from '../../kinds/oob-otp/otp-code.ts'
import {
  addChannel,
  type NewCode,
  noteFailed,
  noteSent,
  storeCode,
  validPeriod,
} from '../../kinds/oob-otp/otp-store.ts'
import type { Sender } from '../../kinds/oob-otp/senders.ts'
import { cooldownBuckets, messagingBuckets, otpTriggerBuckets } from '../../limits/buckets.ts'
import type { BucketUse } from '../../limits/limit-questions.ts'
import { limitReached, refundTokens, takeRunTokens } from '../../limits/spend-tokens.ts'
import { createLinkCode, createOtpCode } from '../../secrets/tokens.ts'

/**
 * Sends a code, unless the cooldown is running; a browser that is known to the user has a cooldown and limits beside those that
 * strangers can use up. All that could refuse it without knowing the user is checked before the code is
 * made, so that it is refused for unknown users too, costs nothing, and leaves an earlier code good.
 *
 * @throws {GatehouseError} `RateLimited`; `OTPDeliveryUnexpectedError`, `SMSNotSupported`.
 */
export async function sendOtp(run: AuthRun, otp: OtpRequest): Promise<void> {
  const { auth, session } = run
  const send = isSuppressed(run, otp) ? undefined : senderOf(run, otp)
  const key = { ...otp, flowId: session.flow_id, account_id: accountOfCode(otp) }
  const limits = limitsOf(run, otp, send !== undefined)
  const uses = [...cooldownBuckets(auth.config.current, key), ...limits]
  const taken = await takeRunTokens(run, uses)
  if (!taken.ok && limits.some(({ bucket }) => bucket === taken.use.bucket)) {
    throw await limitReached(run, taken)
  }
  if (!taken.ok) {
    // A link that this flow was sent earlier is still good; notify this state of its approval too.
    const { websocket_channel: waiting } = otp
    if (waiting !== null) await addChannel(auth, otp, session.flow_id, waiting)
    return
  }
  const sending = await prepare(run, otp, send)
  if (hidesDelivery(auth.config.current, otp)) return deliverLater(run, sending)
  try {
    await deliver(run, sending)
  } catch (error) {
    // Nothing was sent. The client's address pays, the owner of the account and of the address does not.
    await refundTokens(
      run,
      taken.uses.filter((use) => !isByIp(use)),
    )
    throw error
  }
}

const isByIp = ({ limit }: BucketUse): boolean => limit?.name.endsWith('.per_ip') === true

/** The limits of a message. A suppressed one is free, but an undeliverable one costs as much as any, so that it reveals nothing. */
function limitsOf({ auth, request }: AuthRun, otp: OtpRequest, isSent: boolean): BucketUse[] {
  const config = auth.config.current
  const { purpose, channel, target } = otp
  const { ip } = request
  const to = { target, account_id: accountOfCode(otp) }
  return [
    ...otpTriggerBuckets(config, { purpose, channel, ip, userId: otp.user_id ?? undefined }),
    ...(isSent ? messagingBuckets(config, channel, ip, to) : []),
  ]
}

/** A stored code, and its way out. */
interface Sending {
  readonly made: NewCode
  /** Whether earlier codes are good until this one has left. */
  readonly isReplacing: boolean
  /** `undefined` if messages to the address are suppressed. */
  readonly send: Sender | undefined
}

async function prepare(
  { auth, request, session, now }: AuthRun,
  otp: OtpRequest,
  send: Sender | undefined,
): Promise<Sending> {
  const config = auth.config.current
  const create = otp.form === 'link' ? createLinkCode : createOtpCode
  const made: NewCode = {
    otp,
    code: fixedCode(config, otp) ?? create(auth.random),
    code_id: auth.ids.random(),
    session,
    request: { at: now, ip: request.ip, user_agent: request.user_agent },
    expiresAt: now + validPeriod(config, otp),
  }
  return { made, send, isReplacing: await storeCode(auth, made) }
}

/** The fixed code, of a code or a link, that the test mode has for a target. */
const fixedCode = ({ test_mode }: LoadedAuthConfig, { target }: OtpRequest): string | undefined =>
  test_mode.oob_otp.find(({ regex }) => regex.test(target))?.fixed_code

/** Whether the test mode keeps back messages to a target. */
const isSuppressed = ({ auth }: AuthRun, { channel, target }: OtpRequest): boolean =>
  auth.config.current.test_mode[channel].some(
    ({ regex, suppressed }) => suppressed && regex.test(target),
  )

/** Sends the message after the request was answered, as far as this process alone can ensure. */
function deliverLater(run: AuthRun, sending: Sending): void {
  const { logger, sending: all } = run.auth
  const { purpose } = sending.made.otp
  const delivering = new Promise<void>((resolve) => atEndOfTurn(resolve))
    .then(() => deliver(run, sending))
    .catch((error: unknown) => {
      logger.error({ error: errorText(error), purpose }, 'cannot send a message')
    })
  all.add(delivering)
  void delivering.then(() => all.delete(delivering))
}

async function deliver(run: AuthRun, { made, send, isReplacing }: Sending): Promise<void> {
  const { auth } = run
  const { otp } = made
  const isNothing = !otp.is_deliverable && otp.notice === undefined
  const locale = await localeOfOwner(auth.storage, otp)
  const message = composeMessage(run, otp, { ...made, locale })
  const { channel } = message
  const about = { kind: message.kind, recipient: message.target, user_id: message.user_id }
  try {
    if (!isNothing) await send?.(message)
  } catch (error) {
    auth.counters.codeSent(channel, 'failed')
    const isShown = !hidesDelivery(auth.config.current, otp)
    if (isShown || isReplacing) await noteFailed(auth, made, isShown)
    await emitEvent(run, `${channel}.error`, about)
    const { code = '', link = '', target } = message
    throw deliveryFailed(errorWithoutSecrets(error, [code, link, target]))
  }
  if (isReplacing) await noteSent(auth, made)
  if (isNothing) return
  const outcome = send === undefined ? 'suppressed' : 'sent'
  auth.counters.codeSent(channel, outcome)
  await emitEvent(run, `${channel}.${outcome}`, about)
}

/** Read for unknown users, too, so that they cost as much. */
async function localeOfOwner(
  storage: Storage,
  { user_id, target }: OtpRequest,
): Promise<string | undefined> {
  const user = await userCollection.get(storage, user_id ?? target)
  return user && localeOf(user.value)
}

function senderOf({ auth }: AuthRun, { channel }: OtpRequest): Sender {
  const { sendEmail, sendSms, sendWhatsapp } = auth.senders
  const sender = { email: sendEmail, sms: sendSms, whatsapp: sendWhatsapp }[channel]
  if (sender !== undefined) return sender
  if (channel === 'sms')
    throw authError('Forbidden', 'SMSNotSupported', 'SMS messages are not supported')
  throw deliveryFailed(new Error(`no sender for ${channel} is configured`))
}

const deliveryFailed = (cause: unknown): Error =>
  new GatehouseError(
    'InternalError',
    'OTPDeliveryUnexpectedError',
    'the message could not be sent',
    {
      cause,
    },
  )
