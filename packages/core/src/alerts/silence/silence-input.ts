import {
  anyText,
  type Decode,
  flag,
  listOf,
  objectOf,
  optional,
  rawText,
  recordId,
} from '../../input/decode.ts'
import { type InstantInput, instant } from '../../input/instant.ts'
import type { Labels } from '../alert/alert.ts'
import { labelsInput } from '../alert/alert-input.ts'
import type { DecodedSilence, WireMatcher } from './silence.ts'

/**
 * A silence as a program creates or changes it. Other members are ignored, so that a silence that was listed can be changed and
 * given back.
 */
export interface PostableSilence {
  /** The silence to change; missing or empty: a new one. */
  id?: string
  /** At least one that does not match the empty text. */
  matchers: readonly WireMatcher[]
  /** Missing: now. */
  startsAt?: InstantInput
  endsAt: InstantInput
  createdBy: string
  comment: string
  annotations?: Labels
}

/** Names and values are checked where silences are, by the rules of the wire. */
const matcher = objectOf<WireMatcher>({
  name: rawText,
  value: rawText,
  isRegex: flag,
  isEqual: optional(flag),
})

/** The silence of `createSilence()`. */
export const postableSilence: Decode<DecodedSilence> = objectOf<DecodedSilence>({
  id: (value) => (value === '' ? undefined : optional(recordId)(value)),
  matchers: listOf(matcher),
  startsAt: optional(instant),
  endsAt: instant,
  createdBy: anyText,
  comment: anyText,
  annotations: optional(labelsInput),
})
