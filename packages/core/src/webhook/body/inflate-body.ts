import type { Transform } from 'node:stream'
import { createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { invalidRequest, webhookError } from '../errors.ts'
import { GatheredBytes } from './gathered-bytes.ts'

/** How a body is compressed. Brotli is not among them: each body would need a window of up to 16 MiB, which no limit counts. */
export type BodyEncoding = 'gzip' | 'deflate'

/** Some senders leave out the header of zlib, which the standard demands. @see RFC 9110, section 8.4.1.2 */
function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
}

function decompressor(encoding: BodyEncoding, bytes: Uint8Array): Transform {
  if (encoding === 'gzip') return createGunzip()
  return hasZlibHeader(bytes) ? createInflate() : createInflateRaw()
}

/**
 * Decompresses a body piece by piece, outside of the thread that answers requests. Ends as soon as the result is too large,
 * whatever the rest would be.
 *
 * @param take called with the length of the result so far. It throws if that is too much.
 * @throws {GatehouseError} `invalid_request` if the body is not compressed like this, or breaks off.
 */
export async function inflateBody(
  bytes: Uint8Array,
  encoding: BodyEncoding,
  take: (length: number) => void,
): Promise<Uint8Array> {
  const stream = decompressor(encoding, bytes)
  const body = new GatheredBytes()
  stream.end(bytes)
  try {
    for await (const piece of stream) {
      // Beyond its own output the decompressor holds nothing.
      take(body.length + piece.length)
      body.add(piece)
    }
  } catch (error) {
    if (!isZlibError(error)) throw error
    throw invalidRequest([{ path: '', problem: `the body is not ${encoding}, or breaks off` }])
  }
  return body.whole()
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')

/**
 * The compression of a body by its header; `undefined` for none.
 *
 * @throws {GatehouseError} `unsupported_media_type` for another one, or several.
 */
export function bodyEncoding(header: string | null): BodyEncoding | undefined {
  const encoding = header?.trim().toLowerCase().replace(/^x-/, '') ?? ''
  if (encoding === '' || encoding === 'identity') return undefined
  if (encoding === 'gzip' || encoding === 'deflate') return encoding
  throw webhookError(
    'unsupported_media_type',
    'the body must be compressed once, by gzip or deflate, or not at all',
  )
}
