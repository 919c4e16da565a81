import {
  type GoReader,
  goUri,
  isJsonObject,
  keepFailure,
  typeMessage,
} from '@gatehouse/go-template/json'
import { parseDateTime } from '../../time/date-time.ts'

/** A time from a client; without `at` it is Go's zero time. */
export interface ReadTime {
  readonly at?: number
  readonly text?: string
}

/** Label names and values as own properties. */
export type ReadLabels = Readonly<Record<string, string>>

/** Reads a time. @throws {GatehouseError} `InvalidTime`, or a failure of its type */
export const goTime: GoReader<ReadTime> = (value, place, failures) =>
  parseDateTime(goUri(value, place, failures) ?? '') ?? {}

/** Reads an object of strings. A null value becomes the empty text. */
export const goLabelSet: GoReader<ReadLabels> = (value, place, failures) => {
  if (!isJsonObject(value))
    return keepFailure(failures, typeMessage(value, place, 'models.LabelSet'))
  let isPlain = true
  for (const name of Object.keys(value)) {
    const text = value[name]
    if (typeof text === 'string') continue
    isPlain = false
    if (text !== null) return keepFailure(failures, typeMessage(text, place, 'string'))
  }
  // The values are only texts and null.
  if (isPlain) return value as ReadLabels
  const texts = Object.entries(value) as [string, string | null][]
  return Object.fromEntries(texts.map(([name, text]) => [name, text ?? '']))
}
