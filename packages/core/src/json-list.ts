/**
 * JSON texts as one JSON list with a newline behind it, in pieces: nothing is copied before the pieces are
 * written as bytes.
 */
export function jsonList(items: readonly string[]): readonly string[] {
  const pieces: string[] = []
  for (const item of items) pieces.push(pieces.length === 0 ? '[' : ',', item)
  pieces.push(items.length === 0 ? '[]\n' : ']\n')
  return pieces
}
