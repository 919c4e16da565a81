import type { Channel, OtpForm } from '../../config/flow-definition.ts'
import type { OtpPurpose } from '../../flow/state.ts'

/** A code that is out. The code itself is kept nowhere. */
export interface CodeRecord {
  /** Names this code among those the address has had. */
  readonly code_id: string
  readonly code_mac: string
  readonly form: OtpForm
  readonly channel: Channel
  readonly failures: number
  readonly state: 'out' | 'approved' | 'used' | 'revoked'
  /** Who is told when its link is approved. */
  readonly websocket_channels: readonly string[]
  readonly delivery: 'sending' | 'sent' | 'failed'
}

/** What the code of a link is for. */
export interface LinkRecord {
  readonly purpose: OtpPurpose
  readonly channel: Channel
  /** Of the record of the code. */
  readonly code_key: string
  readonly code_id: string
  /** The address, sealed. */
  readonly sealed_target: string
  readonly user_id: string | null
  readonly flow_name: string
  readonly client_id: string | null
}

/** What comparing a code comes to, and the record that is left. */
export interface CodeOutcome {
  readonly record: CodeRecord | undefined
  readonly outcome: 'matches' | 'differs' | 'used' | 'revoked'
}

/**
 * Compares a code with the one that is out. `isSame` compares it with a MAC; `limit`: so many wrong codes end it, 0 for any number.
 */
export function tryCode(
  record: CodeRecord | undefined,
  isSame: (mac: string) => boolean,
  options: { readonly consume: boolean; readonly limit: number },
): CodeOutcome {
  // Compared in any case, so that it takes the same time whether a code is out or not.
  const matches = isSame(record?.code_mac ?? '')
  if (record === undefined) return { record, outcome: 'differs' }
  if (record.state === 'revoked') return { record, outcome: 'revoked' }
  if (matches && record.state === 'used') return { record, outcome: 'used' }
  if (matches) {
    return { record: options.consume ? { ...record, state: 'used' } : record, outcome: 'matches' }
  }
  const failures = record.failures + 1
  const isOver = options.limit > 0 && failures >= options.limit && record.state !== 'used'
  const failed: CodeRecord = { ...record, failures, state: isOver ? 'revoked' : record.state }
  return { record: failed, outcome: isOver ? 'revoked' : 'differs' }
}

/** How long a code or link of a purpose is good is the configuration's; how many channels wait for one is not. */
export const mostWebsocketChannels = 10

/** The record with one more who waits for its approval. */
export function withChannel(record: CodeRecord, channel: string): CodeRecord {
  const channels = [...record.websocket_channels.filter((one) => one !== channel), channel]
  return { ...record, websocket_channels: channels.slice(-mostWebsocketChannels) }
}
