const ellipsis = '…'
const ellipsisBytes = 3

/** A text of at most `limit` bytes of UTF-8, of which the last three are `…` if it was cut, between two characters. */
export function truncateBytes(text: string, limit: number): string {
  // No UTF-16 unit takes more than three bytes.
  if (text.length * 3 <= limit) return text
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= limit) return text
  let end = limit - ellipsisBytes
  while (isInsideCharacter(bytes[end])) end--
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, end)) + ellipsis
}

/** Whether a byte continues a character. */
const isInsideCharacter = (byte = 0): boolean => (byte & 0xc0) === 0x80
