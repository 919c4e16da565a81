const replacing = new TextDecoder('utf-8', { ignoreBOM: true })

const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0xc0) === 0x80

/** How many bytes the character that starts with this one has in UTF-8. */
function characterLength(first: number): number {
  if (first >= 0xf0) return 4
  if (first >= 0xe0) return 3
  return first >= 0xc0 ? 2 : 1
}

/** Bytes without the character at their end that a cut has divided. */
function withoutPartialEnd(bytes: Uint8Array): Uint8Array {
  let at = bytes.length - 1
  while (at > bytes.length - 4 && isContinuation(bytes[at])) at--
  const first = bytes[at]
  if (first === undefined || at + characterLength(first) <= bytes.length) return bytes
  return bytes.subarray(0, at)
}

/** Bytes without the rest of a character at their start that a cut has divided. */
function withoutPartialStart(bytes: Uint8Array): Uint8Array {
  let at = 0
  while (at < 3 && isContinuation(bytes[at])) at++
  return bytes.subarray(at)
}

/** What is kept of an output. */
export interface KeptBytes {
  readonly bytes: Uint8Array
  /** How many bytes the command wrote. */
  readonly total: number
}

/** At most so many bytes of one end of an output. */
export function keepBytes(
  { bytes, total }: KeptBytes,
  limit: number,
  keep: 'head' | 'tail',
): KeptBytes {
  if (bytes.length <= limit) return { bytes, total }
  const kept = keep === 'head' ? bytes.subarray(0, limit) : bytes.subarray(bytes.length - limit)
  return { bytes: kept, total }
}

/**
 * What is kept of an output as text. What is not UTF-8 becomes U+FFFD; a character that was cut in two where the output
 * was cut off is dropped.
 */
export function outputText({ bytes, total }: KeptBytes, keep: 'head' | 'tail'): string {
  if (bytes.length === 0) return ''
  if (total <= bytes.length) return replacing.decode(bytes)
  return replacing.decode(keep === 'head' ? withoutPartialEnd(bytes) : withoutPartialStart(bytes))
}
