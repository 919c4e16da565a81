/** A part of a body: text, or text that is already encoded as UTF-8. */
export type BodyPiece = string | Uint8Array

const encoder = new TextEncoder()

/** A JSON text that will stand in a list, encoded with the comma that separates it from the one before. */
export function encodeListItem(json: string): Uint8Array {
  return encoder.encode(`,${json}`)
}

/** A JSON list of items that {@link encodeListItem} made, in pieces: nothing is copied here. */
export function encodedList(items: readonly Uint8Array[]): BodyPiece[] {
  const [first, ...others] = items
  return first === undefined ? ['[]'] : ['[', first.subarray(1), ...others, ']']
}

/** JSON texts as one JSON list with a newline behind it, in pieces. */
export function jsonList(items: readonly string[]): BodyPiece[] {
  return [`[${items.join(',')}]\n`]
}

/** The text of a body in pieces. */
export function bodyText(pieces: readonly BodyPiece[]): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return pieces.map((piece) => (typeof piece === 'string' ? piece : decoder.decode(piece))).join('')
}
