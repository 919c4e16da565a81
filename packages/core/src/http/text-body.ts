import { type BodyPiece, bodyText } from '../go/json-list.ts'

/** Up to this many bytes one text is faster than a stream; beyond, the second copy costs more. */
const largestText = 256 * 1024
/** Chunks of a stream are at least this large, so that their number stays small. */
const chunkBytes = 256 * 1024
/** No UTF-16 unit needs more bytes than this in UTF-8. */
const bytesPerUnit = 3

/** A body and its length in bytes. */
export interface TextBody {
  readonly body: string | ReadableStream<Uint8Array>
  readonly byteLength: number
}

const lengthOf = (piece: BodyPiece): number =>
  typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length

/** Bytes that suffice for the piece. */
const roomFor = (piece: BodyPiece): number =>
  typeof piece === 'string' ? piece.length * bytesPerUnit : piece.length

/**
 * The body of an answer that was prepared in pieces: one text if it is short, else a stream that assembles a chunk whenever the
 * client has taken the previous one. Pieces may be many and short: each is copied to its place in the chunk, without being joined
 * first.
 */
export function textBody(pieces: readonly BodyPiece[]): TextBody {
  let byteLength = 0
  for (const piece of pieces) byteLength += lengthOf(piece)
  if (byteLength <= largestText) return { body: bodyText(pieces), byteLength }
  const encoder = new TextEncoder()
  let next = 0
  const nextChunk = (): Uint8Array => {
    const chunk = Buffer.allocUnsafeSlow(Math.max(chunkBytes, roomFor(pieces[next] ?? '')))
    let end = 0
    for (let piece = pieces[next]; piece !== undefined; piece = pieces[next]) {
      if (roomFor(piece) > chunk.length - end) break
      if (typeof piece === 'string') {
        end += encoder.encodeInto(piece, chunk.subarray(end)).written
      } else {
        chunk.set(piece, end)
        end += piece.length
      }
      next++
    }
    return chunk.subarray(0, end)
  }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = nextChunk()
        if (chunk.length > 0) controller.enqueue(chunk)
        if (next >= pieces.length) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { body, byteLength }
}
