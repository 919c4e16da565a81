const encoder = new TextEncoder()
const openBracket = '['.charCodeAt(0)
const listEnd = encoder.encode(']\n')

/** Encodes a JSON text as a list item, with the comma that separates it from the previous one. */
export function encodeListItem(json: string): Buffer {
  const text = `,${json}`
  // Items are kept, and Buffer.from() would leave a third of their memory unused.
  const item = Buffer.allocUnsafe(Buffer.byteLength(text))
  item.write(text)
  return item
}

/** Joins items from {@link encodeListItem} to a JSON list followed by a newline, in slices. */
export function* encodedList(
  items: readonly Uint8Array[],
): Generator<void, Uint8Array<ArrayBuffer>> {
  if (items.length === 0) return encoder.encode('[]\n')
  const list = yield* joinBytes([...items, listEnd])
  // In place of the comma of the first item.
  list[0] = openBracket
  return list
}

/** The number of pieces that one step joins. */
const piecesPerStep = 200

/** Joins bytes in slices. */
export function* joinBytes(
  pieces: readonly Uint8Array[],
): Generator<void, Uint8Array<ArrayBuffer>> {
  let length = 0
  for (const piece of pieces) length += piece.length
  const joined = Buffer.allocUnsafeSlow(length)
  let end = 0
  for (const [index, piece] of pieces.entries()) {
    joined.set(piece, end)
    end += piece.length
    if ((index + 1) % piecesPerStep === 0) yield
  }
  return joined
}
