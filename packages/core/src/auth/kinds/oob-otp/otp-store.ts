import { sha256Hex } from '../../../crypto/crypto.ts'
import type { Json } from '../../../storage/storage.ts'
import { codeCollection, linkCollection } from '../../collections.ts'
import type { LoadedAuthConfig } from '../../config/config.ts'
import type { AuthContext } from '../../context.ts'
import type { FlowSession, OtpPurpose, OtpRequest } from '../../flow/state.ts'
import { cooldownBuckets, otpLimits } from '../../limits/buckets.ts'
import { nextTokensAt } from '../../limits/rate-limit.ts'
import {
  accountOfCode,
  type CodeOutcome,
  type CodeRecord,
  isForAccount,
  type LinkRequest,
  tryCode,
} from './otp-code.ts'
import type { OtpKey, OtpStatus } from './otp-questions.ts'

/**
 * The key of a code: its purpose and a MAC of its address. All channels of an address share the code, and so do flows: the code
 * proves the mailbox to the flow that it is typed in. The approval of a link is given elsewhere, so it also needs the flow that
 * the link was sent for; otherwise a stranger's flow for the same address would take it.
 *
 * @see OWASP ASVS 5.0, 6.6.2
 */
export function codeKey(
  { secrets }: AuthContext,
  { purpose, target, form }: Pick<OtpKey, 'purpose' | 'target' | 'form'>,
  flowId: string,
): string {
  const ofAddress = `${purpose}:${secrets.mac('otp-target', `${purpose}:${target}`)}`
  return form === 'link' && isApproved(purpose) ? `${ofAddress}:${flowId}` : ofAddress
}

/** Whether links of a purpose are approved on their page. The code of a recovery link is typed, or handed over. */
const isApproved = (purpose: OtpPurpose): boolean => purpose !== 'forgot_password'

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
  readonly session: Pick<FlowSession, 'flow_id' | 'root' | 'client_id'>
  readonly request: LinkRequest
  readonly expiresAt: number
}

/** Stores a code before it is sent. */
export async function storeCode(auth: AuthContext, made: NewCode): Promise<void> {
  const { otp, code, code_id, session, expiresAt } = made
  const key = codeKey(auth, otp, session.flow_id)
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
    flow_id: session.flow_id,
    account_id: accountOfCode(otp),
  }
  if (otp.form === 'link') await storeLink(auth, made, key)
  await auth.queues.codes.decide(key, () => ({ value: record, expiresAt, answer: undefined }))
}

/** The label that the request of a link is sealed with. */
export const linkRequestLabel = (id: string): string => `link-request:${id}`

async function storeLink(auth: AuthContext, made: NewCode, key: string): Promise<void> {
  const { otp, code, code_id, session, request, expiresAt } = made
  const id = sha256Hex(code)
  const link = {
    purpose: otp.purpose,
    channel: otp.channel,
    code_key: key,
    code_id,
    sealed_target: auth.secrets.seal(otp.target, `link:${id}`),
    user_id: otp.user_id,
    flow_name: session.root.name,
    client_id: session.client_id,
    sealed_request: auth.secrets.seal(request as unknown as Json, linkRequestLabel(id)),
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
  given: OtpKey & { readonly code: string; readonly consume: boolean },
  flowId: string,
): Promise<{ outcome: CodeOutcome['outcome']; code_id: string | null }> {
  const key = codeKey(auth, given, flowId)
  const { max_failed_attempts_revoke_otp: limit } = otpLimits(
    auth.config.current,
    given.purpose,
    given.channel,
  )
  const isSame = (mac: string): boolean =>
    auth.secrets.checkMac('otp', macInput(key, given.code), mac)
  return auth.queues.codes.decide(key, (value, expiresAt) => {
    const isOwn = value !== undefined && isForAccount(value, given)
    const options = { consume: given.consume, limit }
    const { record, outcome } = tryCode(value, (mac) => isSame(mac) && isOwn, options)
    return { value: record, expiresAt, answer: { outcome, code_id: record?.code_id ?? null } }
  })
}

/** Consumes the link of a flow if it was approved. */
export function consumeApproved(auth: AuthContext, key: OtpKey, flowId: string): Promise<boolean> {
  return auth.queues.codes.decide<boolean>(codeKey(auth, key, flowId), (value, expiresAt) => {
    if (value?.state !== 'approved' || !isForAccount(value, key))
      return { value, expiresAt, answer: false }
    return { value: { ...value, state: 'used' }, expiresAt, answer: true }
  })
}

/** The status of a code. */
export async function codeStatus(
  auth: AuthContext,
  key: OtpKey,
  flowId: string,
): Promise<OtpStatus> {
  const record = await codeCollection.get(auth.storage, codeKey(auth, key, flowId))
  const { target, flow } = cooldownBuckets(auth.config.current, { ...key, flowId })
  const ends = await nextTokensAt(auth, [target, flow])
  return {
    can_resend_at: Math.max(0, ...ends),
    is_approved: record?.value.state === 'approved' && isForAccount(record.value, key),
    is_revoked: record?.value.state === 'revoked',
    delivery: record?.value.delivery ?? 'sent',
  }
}
