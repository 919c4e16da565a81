/** A part of a body: text, or text that is already encoded as UTF-8. */
export type BodyPiece = string | Uint8Array

const encoder = new TextEncoder()

/** Encodes a JSON text as a list item, with the comma that separates it from the previous one. */
export function encodeListItem(json: string): Uint8Array {
  return encoder.encode(`,${json}`)
}

/** Returns a JSON list of items from {@link encodeListItem}, in pieces. It copies nothing. */
export function encodedList(items: readonly Uint8Array[]): BodyPiece[] {
  const [first, ...others] = items
  return first === undefined ? ['[]'] : ['[', first.subarray(1), ...others, ']']
}

/** Returns JSON texts as one JSON list followed by a newline, in pieces. */
export function jsonList(items: readonly string[]): BodyPiece[] {
  return [`[${items.join(',')}]\n`]
}

/** Joins the pieces of a body to a text. */
export function bodyText(pieces: readonly BodyPiece[]): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return pieces.map((piece) => (typeof piece === 'string' ? piece : decoder.decode(piece))).join('')
}
