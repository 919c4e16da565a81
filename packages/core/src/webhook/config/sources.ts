import { filledText, parsedText, type Report, type Schema } from '../../document/schema.ts'
import { isGatehouseError } from '../../errors.ts'
import { parseSource } from '../request/source.ts'
import type { Source } from '../webhook.ts'

/** A source as written, and its meaning. */
export interface WrittenSource {
  readonly source: string
  readonly from: Source
}

/** A source that is not empty and does not read a secret. */
export const source: Schema<WrittenSource> = parsedText(readSource, filledText)

/** Parses a source. */
export function readSource(written: string, report: Report): WrittenSource | undefined {
  try {
    return { source: written, from: parseSource(written) }
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    if (error.reason !== 'bad_path' && error.reason !== 'secret_source') throw error
    return report(error.reason, error.message)
  }
}
