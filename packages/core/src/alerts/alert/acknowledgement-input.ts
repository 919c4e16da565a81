import {
  anyText,
  type Decode,
  exactly,
  filledText,
  optional,
  recordId,
} from '../../input/decode.ts'
import type { FromCode } from '../../input/from-code.ts'
import { instant } from '../../input/instant.ts'
import { Refusal } from '../../input/refusal.ts'
import type { Instant } from '../../time/clock.ts'
import type * as wire from '../wire/types.generated.ts'
import type { Labels } from './alert.ts'
import { labelsInput } from './alert-input.ts'

/** A firing alert, by its fingerprint or all its labels; or all firing alerts of a group, by its key. */
export interface AcknowledgementTarget {
  fingerprint?: string
  labels?: Labels
  /** As in notifications and {@link explain}. */
  groupKey?: string
  /** With `groupKey`: only the group of this receiver (default: of every receiver). */
  receiver?: string
}

/** What {@link acknowledge} acknowledges, for whom, and for how long. */
export type AcknowledgeRequest = FromCode<wire.PostableAcknowledgement, 'until'> & { by: string }

/** An {@link AcknowledgeRequest} whose types were checked. */
export interface DecodedAcknowledgeRequest extends AcknowledgementTarget {
  by: string
  comment?: string
  until?: Instant
}

/** What {@link unacknowledge} takes back, and for whom. */
export interface UnacknowledgeRequest extends AcknowledgementTarget {
  /** The person who takes it back, up to 1,024 characters, for the history. */
  by?: string
}

const upTo =
  (most: number, decode: Decode<string>): Decode<string> =>
  (value) => {
    const text = decode(value)
    if (text.length <= most) return text
    throw new Refusal(`a string of at most ${most} characters`, `one of ${text.length}`)
  }

const person = upTo(1_024, filledText)

const target = {
  fingerprint: optional(recordId),
  labels: optional(labelsInput),
  groupKey: optional(filledText),
  receiver: optional(anyText),
}

/** Refuses a request that names no target, or several. */
function withOneTarget<T extends AcknowledgementTarget>(decode: Decode<T>): Decode<T> {
  return (value) => {
    const request = decode(value)
    const { fingerprint, labels, groupKey, receiver } = request
    const named = [fingerprint, labels, groupKey].filter((one) => one !== undefined).length
    if (named !== 1) {
      throw new Refusal('one of fingerprint, labels and groupKey', named === 0 ? 'none' : 'several')
    }
    if (receiver !== undefined && groupKey === undefined) {
      throw new Refusal('receiver only with groupKey', 'it without')
    }
    return request
  }
}

/** The request of `acknowledge()`. */
export const acknowledgeRequest: Decode<DecodedAcknowledgeRequest> = withOneTarget(
  exactly<DecodedAcknowledgeRequest>({
    ...target,
    by: person,
    comment: optional(upTo(4_096, anyText)),
    until: optional(instant),
  }),
)

/** The request of `unacknowledge()`. */
export const unacknowledgeRequest: Decode<UnacknowledgeRequest> = withOneTarget(
  exactly<UnacknowledgeRequest>({ ...target, by: optional(person) }),
)
