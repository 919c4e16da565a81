import { filledText, noted, parsedText, type Report, type Schema } from '../../document/schema.ts'
import { isGatehouseError } from '../../errors.ts'
import { dottedPath, parseSource } from '../request/source.ts'
import type { Source } from '../webhook.ts'

/** A source as written, and its meaning. */
export interface WrittenSource {
  readonly source: string
  readonly from: Source
}

/** A source that is not empty and does not read a secret. */
export const source: Schema<WrittenSource> = noted(parsedText(readSource, filledText), rareSource)

/** Warns of a path that most requests cannot have; `undefined` if there is none. */
export function rareSource(
  given: { readonly source: string; readonly from: Source | undefined } | undefined,
): string | undefined {
  if (given?.from?.kind !== 'body' || given.from.segments[0] === 'data') return undefined
  const [, header] = /^headers?[.:](.+)$/i.exec(given.source) ?? []
  const instead = header === undefined ? dottedPath(given.source) : `header:${header}`
  return `is read beside data, where only POST /webhook can have more members; write ${instead}`
}

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
