import { atEndOfTurn } from '../../async/end-of-turn.ts'
import { sha256Hex } from '../../crypto/crypto.ts'
import { GatehouseError } from '../../errors.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import { deviceTokenCollection, userCollection } from '../collections.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import { clearDeviceTokenCookie, deviceTokenCookie, type SetCookie } from '../cookies.ts'
import { authError, userNotFound } from '../errors.ts'
import { emitEvent } from '../events/outbox.ts'
import type { FlowRun } from '../flow/run.ts'
import type { Effect, OtpRequest } from '../flow/state.ts'
import { composeMessage } from '../kinds/oob-otp/messages.ts'
import { withChannel } from '../kinds/oob-otp/otp-code.ts'
import {
  changeCode,
  codeKey,
  type NewCode,
  storeCode,
  validPeriod,
} from '../kinds/oob-otp/otp-store.ts'
import { cooldownBuckets, messagingBuckets, otpTriggerBuckets } from '../limits/buckets.ts'
import { giveBack, takeTokens } from '../limits/rate-limit.ts'
import { spendTokens } from '../limits/spend-tokens.ts'
import type { OutgoingMessage, Sender } from '../ports.ts'
import { createDeviceToken, createLinkCode, createOtpCode } from '../secrets/tokens.ts'

/**
 * Performs the effects of an accepted input.
 *
 * @throws {GatehouseError} `RateLimited`; `OTPDeliveryUnexpectedError`, `SMSNotSupported`. The input is refused then.
 */
export async function performEffects(
  run: FlowRun,
  effects: readonly Effect[],
): Promise<{ readonly cookies: readonly SetCookie[] }> {
  const cookies: SetCookie[] = []
  for (const effect of effects) {
    if (effect.kind === 'send_otp') await sendOtp(run, effect.otp)
    else if (effect.kind === 'create_device_token')
      cookies.push(await trustDevice(run, effect.user_id))
    else cookies.push(clearDeviceTokenCookie(run.auth.config.current))
  }
  return { cookies }
}

/** Sends a code unless the cooldown is running. */
async function sendOtp(run: FlowRun, otp: OtpRequest): Promise<void> {
  const { auth, session } = run
  const { websocket_channel: waiting } = otp
  const cooldown = cooldownBuckets(auth.config.current, { ...otp, flowId: session.flow_id })
  const uses = [cooldown.target, cooldown.flow]
  const isFirst = await takeTokens(auth, uses)
  if (!isFirst.ok) {
    // A link that this flow was sent earlier is still valid; notify this state of its approval too.
    if (waiting !== null) {
      const key = codeKey(auth, otp, session.flow_id)
      await changeCode(auth, key, (record) => withChannel(record, waiting))
    }
    return
  }
  try {
    await sendNow(run, otp)
  } catch (error) {
    // Nothing was sent, so the cooldown must not apply.
    await giveBack(auth, uses)
    throw error
  }
}

async function sendNow(run: FlowRun, otp: OtpRequest): Promise<void> {
  const { auth, request, session, now } = run
  const config = auth.config.current
  const { purpose, channel, target } = otp
  const userId = otp.user_id ?? undefined
  await spendTokens(run, otpTriggerBuckets(config, { purpose, channel, ip: request.ip, userId }))
  const create = otp.form === 'link' ? createLinkCode : createOtpCode
  const code = fixedCode(run, target) ?? create(auth.random)
  const expiresAt = now + validPeriod(config, otp)
  const made: NewCode = {
    otp,
    code,
    code_id: auth.ids.random(),
    session,
    request: { at: now, ip: request.ip, user_agent: request.user_agent },
    expiresAt,
  }
  await storeCode(auth, made)
  if (hidesDelivery(config, otp)) deliverLater(run, made)
  else await deliver(run, made)
}

/** Whether the duration and the outcome of delivery must stay hidden, since they could reveal that an account exists. */
function hidesDelivery(
  { authentication }: LoadedAuthConfig,
  { purpose, message }: Pick<OtpRequest, 'purpose' | 'message'>,
): boolean {
  if (purpose === 'forgot_password') return true
  return message === 'authenticate_primary_oob' && authentication.enumeration_protection !== 'off'
}

/** Sends the message after the request was answered, as far as this process alone can ensure. */
function deliverLater(run: FlowRun, made: NewCode): void {
  const { logger, sending } = run.auth
  const { purpose } = made.otp
  const delivering = new Promise<void>((resolve) => atEndOfTurn(resolve))
    .then(() => deliver(run, made))
    .catch((error: unknown) => {
      logger.error({ error: String(error), purpose }, 'cannot send a message')
    })
  sending.add(delivering)
  void delivering.then(() => sending.delete(delivering))
}

/** The fixed code, of a code or a link, that the test mode has for a target. */
function fixedCode({ auth }: FlowRun, target: string): string | undefined {
  return auth.config.current.test_mode.oob_otp.find(({ regex }) => regex.test(target))?.fixed_code
}

async function deliver(run: FlowRun, { otp, code, expiresAt }: NewCode): Promise<void> {
  const { auth, request } = run
  const message = composeMessage(run, otp, code, expiresAt)
  const { channel, target } = message
  const isSuppressed = auth.config.current.test_mode[channel].some(
    ({ regex, suppressed }) => suppressed && regex.test(target),
  )
  const about = { kind: message.kind, recipient: target, user_id: message.user_id }
  if (!isSuppressed) {
    await spendTokens(run, messagingBuckets(auth.config.current, channel, request.ip, target))
  }
  // Limits were spent as for a real message, so that they reveal nothing.
  if (!otp.is_deliverable && otp.notice === undefined) return
  if (isSuppressed) {
    auth.counters.codeSent(channel, 'suppressed')
    return emitEvent(run, `${channel}.suppressed`, about)
  }
  try {
    await senderOf(run, message)(message)
  } catch (error) {
    auth.counters.codeSent(channel, 'failed')
    await noteFailure(run, otp)
    await emitEvent(run, `${channel}.error`, about)
    throw deliveryFailed(error)
  }
  auth.counters.codeSent(channel, 'sent')
  await emitEvent(run, `${channel}.sent`, about)
}

async function noteFailure({ auth, session }: FlowRun, otp: OtpRequest): Promise<void> {
  if (hidesDelivery(auth.config.current, otp)) return
  const key = codeKey(auth, otp, session.flow_id)
  await changeCode(auth, key, (record) => ({ ...record, delivery: 'failed' }))
}

function senderOf({ auth }: FlowRun, { channel }: OutgoingMessage): Sender {
  const { sendEmail, sendSms, sendWhatsapp } = auth.senders
  const sender = { email: sendEmail, sms: sendSms, whatsapp: sendWhatsapp }[channel]
  if (sender !== undefined) return sender
  if (channel === 'sms')
    throw authError('Forbidden', 'SMSNotSupported', 'SMS messages are not supported')
  throw new Error(`no sender for ${channel} is configured`)
}

function deliveryFailed(cause: unknown): Error {
  const isOurs = cause instanceof Error && 'reason' in cause && cause.reason === 'SMSNotSupported'
  if (isOurs) return cause
  const message = 'the message could not be sent'
  return new GatehouseError('InternalError', 'OTPDeliveryUnexpectedError', message, { cause })
}

async function trustDevice(run: FlowRun, userId: string): Promise<SetCookie> {
  const { auth, request, now } = run
  const config = auth.config.current
  const days = config.authentication.device_token.expire_in_days
  const token = createDeviceToken(auth.random)
  const expiresAt = now + days * 86_400_000
  const record = { user_id: userId, created_at: now }
  const write = deviceTokenCollection.write(sha256Hex(token), record, { expiresAt, if: 'absent' })
  await retryOnConflict(async () => {
    const user = await userCollection.get(auth.storage, userId)
    if (user === undefined || user.value.is_anonymized) throw userNotFound({})
    // Writes the user, so that a concurrent deletion notices the new token.
    const noted = userCollection.write(userId, user.value, { if: user.version })
    await auth.storage.commit([write, noted])
  })
  return deviceTokenCookie(config, [token, ...(await othersOf(run, request.device_tokens, userId))])
}

/** The tokens of other users of the same browser, which stay in its cookie. */
async function othersOf(
  { auth }: FlowRun,
  tokens: readonly string[],
  userId: string,
): Promise<readonly string[]> {
  const records = await Promise.all(
    tokens.map((token) => deviceTokenCollection.get(auth.storage, sha256Hex(token))),
  )
  return tokens.filter((_, index) => {
    const record = records[index]
    return record !== undefined && record.value.user_id !== userId
  })
}
