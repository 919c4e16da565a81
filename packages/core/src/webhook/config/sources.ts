import { report } from '../../document/place.ts'
import { filled, text } from '../../document/values.ts'
import { isGatehouseError } from '../../errors.ts'
import { parseSource } from '../request/source.ts'
import type { Source } from '../webhook.ts'
import type { Decode, Place } from './place.ts'

/** A source as it is written, and what it means. */
export interface WrittenSource {
  readonly source: string
  readonly from: Source
}

/** A source that is not empty and names no secret. */
export const source: Decode<WrittenSource> = (place) => {
  const written = text(place)
  if (written === undefined || filled(place, written) === undefined) return undefined
  const from = sourceOf(place, written)
  return from === undefined ? undefined : { source: written, from }
}

/** What a source means; a problem is noted at `place`. */
export function sourceOf(place: Place, written: string): Source | undefined {
  try {
    return parseSource(written)
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    if (error.reason !== 'bad_path' && error.reason !== 'secret_source') throw error
    return report(place, error.reason, error.message)
  }
}
