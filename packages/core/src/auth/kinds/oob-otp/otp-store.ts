import { sha256Hex } from '../../../crypto/crypto.ts'
import { codeCollection, linkCollection } from '../../collections.ts'
import type { LoadedAuthConfig } from '../../config/config.ts'
import type { OtpForm } from '../../config/flow-definition.ts'
import type { AuthContext } from '../../context.ts'
import type { OtpPurpose, OtpRequest } from '../../flow/state.ts'
import { cooldownBuckets, otpLimits } from '../../limits/buckets.ts'
import { nextTokensAt } from '../../limits/rate-limit.ts'
import { type CodeOutcome, type CodeRecord, tryCode } from './otp-code.ts'
import type { OtpKey, OtpStatus } from './otp-questions.ts'

/** The key of a code: its purpose and a MAC of its address. All channels of an address share the code. */
export function codeKey(
  { secrets }: AuthContext,
  { purpose, target }: Pick<OtpKey, 'purpose' | 'target'>,
): string {
  return `${purpose}:${secrets.mac('otp-target', `${purpose}:${target}`)}`
}

const macInput = (key: string, code: string): string => `${key}:${code}`

/** The lifetime of codes and links of a purpose, in ms. */
export function validPeriod(
  config: LoadedAuthConfig,
  { purpose, channel, form }: Pick<OtpRequest, 'purpose' | 'channel' | 'form'>,
): number {
  const kind = channel === 'email' ? 'email' : 'sms'
  const { oob_otp: oob } = config.authenticator
  if (form === 'link') {
    return purpose === 'forgot_password'
      ? config.forgot_password.valid_periods.link_ms
      : oob[kind].valid_periods.link_ms
  }
  const periods: Readonly<Record<OtpPurpose, number>> = {
    verification: config.verification.code_valid_period_ms,
    oob_otp: oob[kind].valid_periods.code_ms,
    forgot_password: config.forgot_password.valid_periods.code_ms,
  }
  return periods[purpose]
}

/** A new code, which replaces the previous one. */
export interface NewCode {
  readonly otp: OtpRequest
  readonly code: string
  readonly code_id: string
  readonly flow_name: string
  readonly client_id: string | null
  readonly expiresAt: number
}

/** Stores a code before it is sent. */
export async function storeCode(auth: AuthContext, made: NewCode): Promise<void> {
  const { otp, code, code_id, expiresAt } = made
  const key = codeKey(auth, otp)
  const channels = otp.websocket_channel === null ? [] : [otp.websocket_channel]
  const record: CodeRecord = {
    code_id,
    code_mac: auth.secrets.mac('otp', macInput(key, code)),
    form: otp.form,
    channel: otp.channel,
    failures: 0,
    state: 'out',
    websocket_channels: channels,
    // Until sending it fails.
    delivery: 'sent',
  }
  if (otp.form === 'link') await storeLink(auth, made, key)
  await auth.queues.codes.decide(key, () => ({ value: record, expiresAt, answer: undefined }))
}

async function storeLink(auth: AuthContext, made: NewCode, key: string): Promise<void> {
  const { otp, code, code_id, flow_name, client_id, expiresAt } = made
  const id = sha256Hex(code)
  const link = {
    purpose: otp.purpose,
    channel: otp.channel,
    code_key: key,
    code_id,
    sealed_target: auth.secrets.seal(otp.target, `link:${id}`),
    user_id: otp.user_id,
    flow_name,
    client_id,
  }
  await auth.storage.commit([linkCollection.write(id, link, { expiresAt })])
}

/** Changes a stored code; does nothing if there is none. */
export async function changeCode(
  auth: AuthContext,
  key: string,
  change: (record: CodeRecord) => CodeRecord,
): Promise<void> {
  await auth.queues.codes.decide(key, (value, expiresAt) => ({
    value: value && change(value),
    expiresAt,
    answer: undefined,
  }))
}

/** Compares a code with the stored one, and counts a wrong one. */
export async function verifyCode(
  auth: AuthContext,
  given: OtpKey & { readonly form: OtpForm; readonly code: string; readonly consume: boolean },
): Promise<{ outcome: CodeOutcome['outcome']; code_id: string | null }> {
  const key = codeKey(auth, given)
  const { max_failed_attempts_revoke_otp: limit } = otpLimits(
    auth.config.current,
    given.purpose,
    given.channel,
  )
  const isSame = (mac: string): boolean =>
    auth.secrets.checkMac('otp', macInput(key, given.code), mac)
  return auth.queues.codes.decide(key, (value, expiresAt) => {
    const { record, outcome } = tryCode(value, isSame, { consume: given.consume, limit })
    return { value: record, expiresAt, answer: { outcome, code_id: record?.code_id ?? null } }
  })
}

/** Consumes a code whose link was approved. */
export function consumeApproved(auth: AuthContext, key: OtpKey): Promise<boolean> {
  return auth.queues.codes.decide<boolean>(codeKey(auth, key), (value, expiresAt) => {
    if (value?.state !== 'approved') return { value, expiresAt, answer: false }
    return { value: { ...value, state: 'used' }, expiresAt, answer: true }
  })
}

/** The status of a code. */
export async function codeStatus(
  auth: AuthContext,
  key: OtpKey,
  flowId: string,
): Promise<OtpStatus> {
  const record = await codeCollection.get(auth.storage, codeKey(auth, key))
  const { target, flow } = cooldownBuckets(auth.config.current, { ...key, flowId })
  const ends = await nextTokensAt(auth, [target, flow])
  return {
    can_resend_at: Math.max(0, ...ends),
    is_approved: record?.value.state === 'approved',
    is_revoked: record?.value.state === 'revoked',
    delivery: record?.value.delivery ?? 'sent',
  }
}
