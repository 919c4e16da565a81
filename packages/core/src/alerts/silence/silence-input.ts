import {
  anyText,
  type Decode,
  flag,
  listOf,
  objectOf,
  optional,
  rawText,
  recordId,
  wholeFrom,
} from '../../input/decode.ts'
import { type InstantInput, instant } from '../../input/instant.ts'
import type { Labels } from '../alert/alert.ts'
import { labelsInput } from '../alert/alert-input.ts'
import type { DecodedSilence, WireMatcher } from './silence.ts'

/**
 * A silence that a program creates or updates. Other members are ignored, so a listed silence can be changed and posted again.
 */
export interface PostableSilence {
  /** The silence to update; default: create a new one. */
  id?: string
  /** At least one must not match the empty text. */
  matchers: readonly WireMatcher[]
  /** Default: now. */
  startsAt?: InstantInput
  endsAt: InstantInput
  createdBy: string
  comment: string
  annotations?: Labels
  /** Ends the silence once the alerts that it covers have resolved, at the latest at `endsAt` (default false). */
  untilResolved?: boolean
  /** Fires the alert `SilenceEnding` this long before the end, in ms (default: none). */
  remindBeforeMs?: number
}

/** Names and values are validated with the silence, by the rules of the API. */
export const matcherInput: Decode<WireMatcher> = objectOf<WireMatcher>({
  name: rawText,
  value: rawText,
  isRegex: flag,
  isEqual: optional(flag),
})

/** The silence of `createSilence()`. */
export const postableSilence: Decode<DecodedSilence> = objectOf<DecodedSilence>({
  id: (value) => (value === '' ? undefined : optional(recordId)(value)),
  matchers: listOf(matcherInput),
  startsAt: optional(instant),
  endsAt: instant,
  createdBy: anyText,
  comment: anyText,
  annotations: optional(labelsInput),
  untilResolved: optional(flag),
  remindBeforeMs: optional(wholeFrom(0)),
})
