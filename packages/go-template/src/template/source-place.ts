import { byteLength } from './byte-text.ts'
import type { Source } from './node.ts'

/** A position in a source. */
export interface SourcePlace {
  /** From 1. */
  readonly line: number
  /** In bytes from the start of the line. */
  readonly column: number
}

/** Converts an index to a position. */
export function placeOf(source: Source, pos: number): SourcePlace {
  let line = 1
  let start = 0
  for (let end = source.text.indexOf('\n'); end >= 0 && end < pos; ) {
    line += 1
    start = end + 1
    end = source.text.indexOf('\n', start)
  }
  return { line, column: byteLength(source.text.slice(start, pos)) }
}

/** Formats a position as error messages do: `name:line:column`. */
export function formatPlace(source: Source, pos: number): string {
  const { line, column } = placeOf(source, pos)
  return `${source.name}:${line}:${column}`
}
