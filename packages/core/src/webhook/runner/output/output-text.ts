const replacing = new TextDecoder('utf-8', { ignoreBOM: true })

const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0xc0) === 0x80

/** The length in UTF-8 of the character that starts with this byte. */
function characterLength(first: number): number {
  if (first >= 0xf0) return 4
  if (first >= 0xe0) return 3
  return first >= 0xc0 ? 2 : 1
}

/** Drops a split character at the end. */
function withoutPartialEnd(bytes: Uint8Array): Uint8Array {
  let at = bytes.length - 1
  while (at > bytes.length - 4 && isContinuation(bytes[at])) at--
  const first = bytes[at]
  if (first === undefined || at + characterLength(first) <= bytes.length) return bytes
  return bytes.subarray(0, at)
}

/** Drops the rest of a split character at the start. */
function withoutPartialStart(bytes: Uint8Array): Uint8Array {
  let at = 0
  while (at < 3 && isContinuation(bytes[at])) at++
  return bytes.subarray(at)
}

/** The kept part of an output. */
export interface KeptBytes {
  readonly bytes: Uint8Array
  /** How many bytes the command wrote. */
  readonly total: number
}

/** Keeps at most this many bytes of one end of an output. */
export function keepBytes(
  { bytes, total }: KeptBytes,
  limit: number,
  keep: 'head' | 'tail',
): KeptBytes {
  if (bytes.length <= limit) return { bytes, total }
  const kept = keep === 'head' ? bytes.subarray(0, limit) : bytes.subarray(bytes.length - limit)
  return { bytes: kept, total }
}

/** The kept output as text. Bytes that are not UTF-8 become U+FFFD; a character split by the limit is dropped. */
export function outputText({ bytes, total }: KeptBytes, keep: 'head' | 'tail'): string {
  if (bytes.length === 0) return ''
  if (total <= bytes.length) return replacing.decode(bytes)
  return replacing.decode(keep === 'head' ? withoutPartialEnd(bytes) : withoutPartialStart(bytes))
}
