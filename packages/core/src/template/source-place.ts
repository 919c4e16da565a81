import { byteLength } from './byte-text.ts'
import type { Source } from './node.ts'

/** Where in a source something stands. */
export interface SourcePlace {
  /** From 1. */
  readonly line: number
  /** Bytes from the start of the line. */
  readonly column: number
}

/** Where a position is. */
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

/** A position as error messages write it: `name:line:column`. */
export function formatPlace(source: Source, pos: number): string {
  const { line, column } = placeOf(source, pos)
  return `${source.name}:${line}:${column}`
}
