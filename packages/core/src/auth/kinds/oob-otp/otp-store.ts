import { sha256Hex } from '../../../crypto/crypto.ts'
import type { DecisionQueue } from '../../../storage/decision-queue.ts'
import type { Json, Storage } from '../../../storage/storage.ts'
import type { Clock } from '../../../time/clock.ts'
import type { LoadedAuthConfig, WithConfig } from '../../config/config.ts'
import type { FlowRun } from '../../flow/run.ts'
import type { FlowSession, OtpPurpose, OtpRequest } from '../../flow/state.ts'
import { cooldownBuckets, otpLimits } from '../../limits/buckets.ts'
import { type LimitPorts, nextRunTokensAt } from '../../limits/spend-tokens.ts'
import { type InTransaction, outsideOf } from '../../outside.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import {
  accountOfCode,
  type CodeOutcome,
  type CodeRecord,
  codeCollection,
  isForAccount,
  isOwnFlow,
  type LinkRequest,
  linkCollection,
  type SentCode,
  unproven,
  withChannel,
} from './otp-code.ts'
import type { OtpKey, OtpStatus } from './otp-questions.ts'
import {
  afterFailure,
  afterSending,
  codeOfFlow,
  codesOf,
  contentOf,
  tryCodes,
  withCode,
  withNewCode,
} from './sent-codes.ts'

/** What codes and links are stored with. */
export interface OtpPorts extends WithConfig, InTransaction<OtpPorts> {
  readonly storage: Storage
  readonly secrets: SecretBox
  readonly clock: Clock
  readonly queues: { readonly codes: DecisionQueue<CodeRecord> }
}

/**
 * The key of the codes of an address: its purpose and a MAC of the address. All channels share the newest code, and so do flows:
 * the code proves the mailbox to the flow that it is typed in. The approval of a link is given elsewhere, so it also needs the flow that
 * the link was sent for; otherwise a stranger's flow for the same address would take it.
 *
 * @see OWASP ASVS 5.0, 6.6.2
 */
export function codeKey(
  { secrets }: Pick<OtpPorts, 'secrets'>,
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

/** A new code, which replaces the earlier ones once its message has left. @see afterSending */
export interface NewCode {
  readonly otp: OtpRequest
  readonly code: string
  readonly code_id: string
  readonly session: Pick<FlowSession, 'flow_id' | 'root' | 'client_id'>
  readonly request: LinkRequest
  readonly expiresAt: number
}

/** Stores a code before it is sent. Returns whether earlier ones are still good, so that the outcome must be noted. */
export async function storeCode(auth: OtpPorts, made: NewCode): Promise<boolean> {
  const { otp, code, code_id, session, expiresAt } = made
  const key = keyOf(auth, made)
  const newest: SentCode = {
    code_id,
    code_mac: auth.secrets.mac('otp', macInput(key, code)),
    form: otp.form,
    channel: otp.channel,
    failures: 0,
    state: 'out',
    websocket_channels: otp.websocket_channel === null ? [] : [otp.websocket_channel],
    // Until sending it fails.
    delivery: 'sent',
    flow_id: session.flow_id,
    account_id: accountOfCode(otp),
    expires_at: expiresAt,
  }
  if (otp.form === 'link') await storeLink(auth, made, key)
  return changeCodes(auth, key, (codes) => {
    return { codes: withNewCode(codes, newest), answer: codes.length > 0 }
  })
}

/** Notes that the message of a code has left: it replaces earlier ones. */
export function noteSent(auth: OtpPorts, made: NewCode): Promise<void> {
  return changeCodes(auth, keyOf(auth, made), (codes) => {
    return { codes: afterSending(codes, made.code_id), answer: undefined }
  })
}

/** Notes that the message of a code could not be sent: it replaces none. `isShown`: the client may learn of it. */
export function noteFailed(auth: OtpPorts, made: NewCode, isShown: boolean): Promise<void> {
  return changeCodes(auth, keyOf(auth, made), (codes) => {
    return { codes: afterFailure(codes, made.code_id, isShown), answer: undefined }
  })
}

const keyOf = (auth: OtpPorts, { otp, session }: NewCode): string =>
  codeKey(auth, otp, session.flow_id)

/** The label that the request of a link is sealed with. */
export const linkRequestLabel = (id: string): string => `link-request:${id}`

async function storeLink(auth: OtpPorts, made: NewCode, key: string): Promise<void> {
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
  await outsideOf<OtpPorts>(auth).storage.commit([linkCollection.write(id, link, { expiresAt })])
}

/** Changes the codes of a key, the newest first. The same list back changes nothing. */
function changeCodes<A>(
  auth: OtpPorts,
  key: string,
  change: (codes: readonly SentCode[]) => {
    readonly codes: readonly SentCode[]
    readonly answer: A
  },
): Promise<A> {
  return auth.queues.codes.decide<A>(key, (value, expiresAt) => {
    const before = codesOf({ value, expiresAt }, auth.clock.now())
    const { codes, answer } = change(before)
    return codes === before ? { value, expiresAt, answer } : { ...contentOf(codes), answer }
  })
}

/** Lets a channel hear of the approval of a flow's links. */
export function addChannel(
  auth: OtpPorts,
  key: Pick<OtpKey, 'purpose' | 'target' | 'form'>,
  flowId: string,
  channel: string,
): Promise<void> {
  return changeCodes(auth, codeKey(auth, key, flowId), (codes) => {
    const isNew = codes.length > 0
    return {
      codes: isNew ? codes.map((code) => withChannel(code, channel)) : codes,
      answer: undefined,
    }
  })
}

/** Approves a link. Returns the channels to notify; `undefined` if it can no longer be approved. */
export function approveCode(
  auth: OtpPorts,
  key: string,
  id: string,
): Promise<readonly string[] | undefined> {
  return changeCodes<readonly string[] | undefined>(auth, key, (codes) => {
    const found = codes.find(({ code_id: one }) => one === id)
    if (found?.state !== 'out' && found?.state !== 'approved') return { codes, answer: undefined }
    const approved = withCode(codes, id, (code) => ({ ...code, state: 'approved' }))
    return { codes: approved, answer: found.websocket_channels }
  })
}

/** The id of the code that was sent for a flow and is still good, if it has not been tried there. */
export async function untriedCode(
  auth: OtpPorts,
  key: OtpKey,
  flowId: string,
): Promise<string | undefined> {
  const record = await codeCollection.get(
    outsideOf<OtpPorts>(auth).storage,
    codeKey(auth, key, flowId),
  )
  const code = codeOfFlow(codesOf(record, auth.clock.now()), flowId)
  const isUntried = code?.flow_id === flowId && code.state === 'out' && code.failures === 0
  return isUntried ? code.code_id : undefined
}

/** Compares a code with the stored ones, and counts a wrong one. */
export async function verifyCode(
  auth: OtpPorts,
  given: OtpKey & { readonly code: string; readonly consume: boolean },
  flowId: string,
): Promise<{ outcome: CodeOutcome['outcome']; code_id: string | null }> {
  const key = codeKey(auth, given, flowId)
  const limits = otpLimits(auth.config.current, given.purpose, given.channel)
  // The code of a link cannot be guessed, and strangers must not revoke it.
  const limit = given.form === 'link' ? 0 : limits.max_failed_attempts_revoke_otp
  const isSame = (mac: string): boolean =>
    auth.secrets.checkMac('otp', macInput(key, given.code), mac)
  return changeCodes(auth, key, (codes) => {
    const {
      codes: after,
      outcome,
      code_id,
    } = tryCodes(codes, isSame, {
      consume: given.consume,
      limit,
      account_id: given.account_id,
      flow_id: flowId,
    })
    return { codes: after, answer: { outcome, code_id } }
  })
}

/**
 * Whether the link of a flow was approved. The approval is spent by the commit of what it allows, so that it stays if that is
 * refused. In a transaction of the app it is spent at once, as every code is: a rollback gives no proof back.
 */
export async function takeApproval(
  { auth, session, spends }: FlowRun<OtpPorts>,
  key: OtpKey,
): Promise<boolean> {
  const id = codeKey(auth, key, session.flow_id)
  if (auth.transaction !== undefined) {
    return changeCodes<boolean>(auth, id, (codes) => {
      const found = approvedFor(codes, key)
      if (found === undefined) return { codes, answer: false }
      return { codes: withCode(codes, found.code_id, used), answer: true }
    })
  }
  const load = async () => {
    const record = await codeCollection.get(auth.storage, id)
    return { codes: codesOf(record, auth.clock.now()), version: record?.version }
  }
  const isTaken = ({ code_id }: SentCode): boolean => spends.some((spend) => spend.id === code_id)
  const { codes } = await load()
  const found = approvedFor(
    codes.filter((code) => !isTaken(code)),
    key,
  )
  if (found === undefined) return false
  const { code_id: codeId } = found
  spends.push({
    id: codeId,
    async write() {
      const { codes, version } = await load()
      const isApproved = codes.some((code) => code.code_id === codeId && code.state === 'approved')
      const { value, expiresAt } = contentOf(withCode(codes, codeId, used))
      if (value === undefined || version === undefined || !isApproved) throw unproven(key)
      const expiry = expiresAt === undefined ? {} : { expiresAt }
      return codeCollection.write(id, value, { ...expiry, if: version })
    },
  })
  return true
}

const used = (code: SentCode): SentCode => ({ ...code, state: 'used' })

const approvedFor = (codes: readonly SentCode[], key: OtpKey): SentCode | undefined =>
  codes.find((code) => code.state === 'approved' && isForAccount(code, key))

/** The status of a code. */
export async function codeStatus(
  run: FlowRun<OtpPorts & LimitPorts>,
  key: OtpKey,
): Promise<OtpStatus> {
  const { auth, session } = run
  const { flow_id: flowId } = session
  const record = await codeCollection.get(
    outsideOf<OtpPorts>(auth).storage,
    codeKey(auth, key, flowId),
  )
  const codes = codesOf(record, auth.clock.now())
  const code = codeOfFlow(codes, flowId)
  const ends = await nextRunTokensAt(run, cooldownBuckets(auth.config.current, { ...key, flowId }))
  return {
    can_resend_at: Math.max(0, ...ends),
    is_approved: approvedFor(codes, key) !== undefined,
    is_revoked: code?.state === 'revoked',
    is_unsent: !codes.some(
      (one) => isOwnFlow(one, flowId) && one.channel === key.channel && one.state !== 'used',
    ),
    delivery: code?.delivery ?? 'sent',
  }
}
