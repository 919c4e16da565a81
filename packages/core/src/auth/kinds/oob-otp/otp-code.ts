import { defineCollection, type TypedCollection } from '../../../storage/collection.ts'
import {
  flag,
  instant,
  listOf,
  nullable,
  number,
  objectOf,
  oneOf,
  optional,
  type RecordCheck,
  type RecordFields,
  text,
} from '../../../storage/record-check.ts'
import type { Instant } from '../../../time/clock.ts'
import type { Channel, OtpForm } from '../../config/flow-definition.ts'
import { authError, invalidCredentials } from '../../errors.ts'
import type { OtpPurpose, OtpRequest } from '../../flow/state.ts'

/** A sent code. The code itself is not stored. */
export interface SentCode {
  /** The id of this code among those for the same address. */
  readonly code_id: string
  readonly code_mac: string
  readonly form: OtpForm
  readonly channel: Channel
  readonly failures: number
  /** Wrong codes in other flows than the one that it was sent for (default 0). They do not revoke it there. */
  readonly failures_elsewhere?: number
  readonly state: 'out' | 'approved' | 'used' | 'revoked'
  /** A code of another flow was sent to the address since. This one is good in its own flow only. */
  readonly is_replaced?: boolean
  /** The channels to notify when its link is approved. */
  readonly websocket_channels: readonly string[]
  readonly delivery: 'sending' | 'sent' | 'failed'
  /** The flow that it was sent for. Missing in records of earlier versions. */
  readonly flow_id?: string
  /** @see accountOfCode. Missing in records of earlier versions. */
  readonly account_id?: string | null
  /** Missing in records of earlier versions. */
  readonly expires_at?: Instant
}

/** The newest code of a key. */
export interface CodeRecord extends SentCode {
  /** Codes that are good beside it, the newest first: until its message has left, or in other flows. */
  readonly earlier?: readonly SentCode[]
}

/** The data of a link's code. */
export interface LinkRecord {
  readonly purpose: OtpPurpose
  readonly channel: Channel
  /** The key of the code's record. */
  readonly code_key: string
  readonly code_id: string
  /** The address, sealed. */
  readonly sealed_target: string
  readonly user_id: string | null
  readonly flow_name: string
  readonly client_id: string | null
  /** The {@link LinkRequest}, sealed. Missing in records of earlier versions. */
  readonly sealed_request?: string
}

const sentCode: RecordFields<SentCode> = {
  code_id: text,
  code_mac: text,
  form: oneOf(['code', 'link']),
  channel: oneOf(['email', 'sms', 'whatsapp']),
  failures: number,
  failures_elsewhere: optional(number),
  state: oneOf(['out', 'approved', 'used', 'revoked']),
  is_replaced: optional(flag),
  websocket_channels: listOf(text),
  delivery: oneOf(['sending', 'sent', 'failed']),
  flow_id: optional(text),
  account_id: optional(nullable(text)),
  expires_at: optional(instant),
}

/** Checks the stored codes of an address or a flow. */
const codeCheck: RecordCheck = objectOf<CodeRecord>({
  ...sentCode,
  earlier: optional(listOf(objectOf<SentCode>(sentCode))),
})

/** Valid codes, by their purpose and the MAC of the address; links to approve also by their flow. */
export const codeCollection: TypedCollection<CodeRecord> = defineCollection({
  name: 'auth_codes',
  unreadable: 'skip',
  check: codeCheck,
})

/** Checks a stored link. */
const linkCheck: RecordCheck = objectOf<LinkRecord>({
  purpose: text,
  channel: oneOf(['email', 'sms', 'whatsapp']),
  code_key: text,
  code_id: text,
  sealed_target: text,
  user_id: nullable(text),
  flow_name: text,
  client_id: nullable(text),
  sealed_request: optional(text),
})

/** The purpose of a link's code, by the SHA-256 of the code. */
export const linkCollection: TypedCollection<LinkRecord> = defineCollection({
  name: 'auth_links',
  unreadable: 'skip',
  check: linkCheck,
})

/** The request that a link was sent for. Its page shows it to the person who opens the link. */
export interface LinkRequest {
  readonly at: Instant
  readonly ip: string
  readonly user_agent: string | null
}

/** The account that a code signs in to, or recovers; `null` for a code that only proves an address. */
export const accountOfCode = ({
  message,
  user_id,
}: Pick<OtpRequest, 'message' | 'user_id'>): string | null =>
  message.startsWith('authenticate_') || message === 'forgot_password' ? user_id : null

/** Whether a code is for this account, or for none like the question. An address may belong to several accounts. */
export const isForAccount = (
  { account_id: id }: Pick<SentCode, 'account_id'>,
  asked: { readonly account_id: string | null },
): boolean => id === undefined || id === asked.account_id

/** Whether a code was sent for this flow. Codes of earlier versions belong to every flow of their address. */
export const isOwnFlow = ({ flow_id: id }: SentCode, flowId: string | undefined): boolean =>
  id === undefined || flowId === undefined || id === flowId

/** The result of comparing a code, and the record after it. */
export interface CodeOutcome {
  readonly record: SentCode | undefined
  readonly outcome: 'matches' | 'differs' | 'used' | 'revoked'
}

/**
 * Compares a code with the sent one. `isSame` compares it with a MAC; `limit` is the number of wrong codes that revoke it, 0 for
 * none.
 */
export function tryCode(
  record: SentCode | undefined,
  isSame: (mac: string) => boolean,
  options: { readonly consume: boolean; readonly limit: number; readonly flow_id?: string },
): CodeOutcome {
  // Always compared, so that it takes the same time whether a code exists or not.
  const matches = isSame(record?.code_mac ?? '')
  if (record === undefined) return { record, outcome: 'differs' }
  if (record.state === 'revoked') return { record, outcome: 'revoked' }
  const elsewhere = record.failures_elsewhere ?? 0
  const isElsewhere = !isOwnFlow(record, options.flow_id)
  if (isElsewhere && options.limit > 0 && elsewhere >= options.limit) {
    return { record, outcome: 'revoked' }
  }
  if (matches && record.state === 'used') return { record, outcome: 'used' }
  if (matches) {
    return { record: options.consume ? { ...record, state: 'used' } : record, outcome: 'matches' }
  }
  if (isElsewhere) {
    const outcome = options.limit > 0 && elsewhere + 1 >= options.limit ? 'revoked' : 'differs'
    return { record: { ...record, failures_elsewhere: elsewhere + 1 }, outcome }
  }
  const failures = record.failures + 1
  const isOver = options.limit > 0 && failures >= options.limit && record.state !== 'used'
  const failed: SentCode = { ...record, failures, state: isOver ? 'revoked' : record.state }
  return { record: failed, outcome: isOver ? 'revoked' : 'differs' }
}

/** The lifetime of codes and links is configurable; the number of channels waiting for one is not. */
export const maxWebsocketChannels = 10

/** Adds a channel to those that wait for the approval. */
export function withChannel(code: SentCode, channel: string): SentCode {
  const channels = [...code.websocket_channels.filter((one) => one !== channel), channel]
  return { ...code, websocket_channels: channels.slice(-maxWebsocketChannels) }
}

/** A code is wrong, or a link was not approved. */
export const unproven = ({ purpose, channel }: Pick<OtpRequest, 'purpose' | 'channel'>): Error =>
  purpose === 'oob_otp'
    ? invalidCredentials(`oob_otp_${channel === 'email' ? 'email' : 'sms'}`)
    : authError('Forbidden', 'InvalidVerificationCode', 'invalid verification code', {
        cause: { kind: 'InvalidVerificationCode' },
      })
