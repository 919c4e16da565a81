import { zeroTime } from '@gatehouse/go-template/text'
import { type Decode, listOf, objectOf, optional, rawText, recordOf } from '../../input/decode.ts'
import { type GivenInstant, givenInstant, type InstantInput } from '../../input/instant.ts'
import { refuseShown } from '../../input/refusal.ts'
import type { DecodedAlert, Labels } from './alert.ts'
import type { LabelSet } from './label-set.ts'
import { isRequestUri } from './request-uri.ts'

/** An alert that a program posts. Other members are ignored, so a listed alert can be posted again. */
export interface PostableAlert {
  labels: LabelSet | Labels
  annotations?: LabelSet | Labels
  /** Default: now, or `endsAt` if that is given. The offset and the fraction of a text are kept. */
  startsAt?: InstantInput
  /** Default: now plus the resolve timeout. The offset and the fraction of a text are kept. */
  endsAt?: InstantInput
  /** The source of the alert: an absolute URI or an absolute path. Never fetched. */
  generatorURL?: string
}

/** Labels: an object of strings or a `Map`. Names and values are checked alert by alert, when they are accepted. */
export const labelsInput: Decode<Labels> = recordOf(rawText)

/** Go's zero time counts as a missing time, as in the API. */
const time: Decode<GivenInstant | undefined> = (value) => {
  if (value === undefined) return undefined
  const given = givenInstant(value)
  return given.at === zeroTime && given.text === undefined ? undefined : given
}

const generatorUrl: Decode<string | undefined> = (value) => {
  if (value === undefined || value === '') return undefined
  const text = rawText(value)
  return isRequestUri(text) ? text : refuseShown('an absolute URI or an absolute path', text)
}

interface GivenAlert {
  labels: Labels
  annotations?: Labels
  startsAt?: GivenInstant
  endsAt?: GivenInstant
  generatorURL?: string
}

const givenAlert = objectOf<GivenAlert>({
  labels: labelsInput,
  annotations: optional(labelsInput),
  startsAt: time,
  endsAt: time,
  generatorURL: generatorUrl,
})

const alert: Decode<DecodedAlert> = (value) => {
  const { startsAt, endsAt, ...rest } = givenAlert(value)
  return {
    ...rest,
    ...(startsAt === undefined ? {} : { startsAt: startsAt.at }),
    ...(startsAt?.text === undefined ? {} : { startsAtText: startsAt.text }),
    ...(endsAt === undefined ? {} : { endsAt: endsAt.at }),
    ...(endsAt?.text === undefined ? {} : { endsAtText: endsAt.text }),
  }
}

/** The alerts of `postAlerts()`. */
export const postableAlerts: Decode<readonly DecodedAlert[]> = listOf(alert)
