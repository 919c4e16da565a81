import { GatehouseError } from '../errors.ts'
import type { RouteRequest } from './route.ts'

const tooLarge = (maxBytes: number): GatehouseError =>
  new GatehouseError(
    'TooLarge',
    'BodyTooLarge',
    `the request body is larger than ${maxBytes} bytes`,
    { info: { maxBytes } },
  )

const unreadable = (cause: unknown): GatehouseError =>
  new GatehouseError('BadRequest', 'BodyUnreadable', 'the request body could not be read', {
    cause,
  })

/**
 * The body of a request, or `undefined` if it has none. Never holds more than `maxBytes` bytes and one chunk.
 *
 * @throws {GatehouseError} `BodyTooLarge`; `BodyUnreadable` if the client disconnects or sends less than it declared.
 */
export async function readBody(
  request: RouteRequest,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const length = request.headers.get('content-length')
  const isMeasured = length !== null && !request.headers.has('transfer-encoding')
  if (isMeasured && Number(length) === 0) return undefined
  if (isMeasured && Number(length) > maxBytes) throw tooLarge(maxBytes)
  // Servers pass on no more than the declared length, so reading at once is bounded, and much faster.
  const bytes = isMeasured ? await readWhole(request) : await readStream(request.body, maxBytes)
  if (bytes.length > maxBytes) throw tooLarge(maxBytes)
  return bytes.length === 0 ? undefined : bytes
}

async function readWhole(request: RouteRequest): Promise<Uint8Array> {
  try {
    return new Uint8Array(await request.arrayBuffer())
  } catch (error) {
    throw unreadable(error)
  }
}

async function readStream(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body?.getReader()
  for (;;) {
    const read = await reader?.read().catch((error) => Promise.reject(unreadable(error)))
    if (read?.value === undefined) break
    length += read.value.length
    if (length > maxBytes) {
      // The answer is the same whether canceling succeeds or not.
      reader?.cancel().catch(() => {})
      throw tooLarge(maxBytes)
    }
    chunks.push(read.value)
  }
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : concat(chunks, length)
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Decodes UTF-8. Invalid bytes become U+FFFD; a byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
