const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const values = new Map([...(alphabet + alphabet.toLowerCase())].map((sign, i) => [sign, i % 32]))

/** Encodes bytes as capital letters and digits, or with 32 other characters; without padding. @see RFC 4648, section 6 */
export function encodeBase32(bytes: Uint8Array, characters: string = alphabet): string {
  let text = ''
  let bits = 0
  let width = 0
  for (const byte of bytes) {
    bits = (bits << 8) | byte
    for (width += 8; width >= 5; width -= 5) {
      text += characters.charAt((bits >>> (width - 5)) & 31)
    }
    bits &= 31
  }
  return width === 0 ? text : text + characters.charAt((bits << (5 - width)) & 31)
}

/**
 * Decodes Base32. Accepts small letters, spaces, hyphens and padding, as people and programs write them. Returns `undefined` for
 * texts that {@link encodeBase32} could not have made.
 */
export function decodeBase32(text: string): Uint8Array | undefined {
  const characters = text.replace(/[\s-]/g, '').replace(/={1,6}$/, '')
  const bytes = new Uint8Array(Math.floor((characters.length * 5) / 8))
  let bits = 0
  let width = 0
  let at = 0
  for (const character of characters) {
    const value = values.get(character)
    if (value === undefined) return undefined
    bits = (bits << 5) | value
    width += 5
    if (width < 8) continue
    width -= 8
    bytes[at++] = bits >>> width
    bits &= (1 << width) - 1
  }
  const isWhole = width < 5 && bits === 0
  return isWhole ? bytes : undefined
}
