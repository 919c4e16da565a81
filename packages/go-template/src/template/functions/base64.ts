import { functionFailed } from '../errors.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const values: ReadonlyMap<string, number> = new Map(
  Array.from(alphabet, (character, value) => [character, value]),
)
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Encodes the bytes of a text in base64, in the URL alphabet, with padding.
 *
 * @see RFC 4648, section 5
 */
export function encodeBase64(text: string): string {
  const bytes = encoder.encode(text)
  let encoded = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(i, i + 3)
    const bits = (a << 16) | (b << 8) | c
    for (let shift = 18; shift >= 0; shift -= 6) encoded += alphabet.charAt((bits >> shift) & 63)
  }
  const surplus = (3 - (bytes.length % 3)) % 3
  return encoded.slice(0, encoded.length - surplus) + '='.repeat(surplus)
}

/**
 * Decodes base64 to a text, ignoring line ends.
 *
 * @throws {GoError} `TemplateFunction` if it is not valid base64, with Go's text.
 * @see https://pkg.go.dev/encoding/base64#CorruptInputError
 */
export function decodeBase64(text: string): string {
  const bytes: number[] = []
  let bits = 0
  let count = 0
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i)
    if (character === '\n' || character === '\r') continue
    if (character === '=') {
      endPadding(text, i, count)
      return decodeBytes(bytes, bits, count)
    }
    const value = values.get(character)
    if (value === undefined) throw corruptInput(i)
    bits = (bits << 6) | value
    count += 1
    if (count < 4) continue
    bytes.push(bits >> 16, (bits >> 8) & 255, bits & 255)
    bits = 0
    count = 0
  }
  if (count > 0) throw corruptInput(text.length - count)
  return decodeBytes(bytes, 0, 0)
}

/** Checks the padding that starts at `at`, after `count` characters of four. */
function endPadding(text: string, at: number, count: number): void {
  if (count < 2) throw corruptInput(at)
  let next = skipLineEnds(text, at + 1)
  if (count === 2) {
    if (next === text.length) throw corruptInput(next)
    if (text.charAt(next) !== '=') throw corruptInput(next)
    next = skipLineEnds(text, next + 1)
  }
  if (next < text.length) throw corruptInput(next)
}

function skipLineEnds(text: string, at: number): number {
  let next = at
  while (next < text.length && '\r\n'.includes(text.charAt(next))) next += 1
  return next
}

function decodeBytes(bytes: readonly number[], bits: number, count: number): string {
  const rest = count === 2 ? [bits >> 4] : count === 3 ? [bits >> 10, (bits >> 2) & 255] : []
  return decoder.decode(Uint8Array.from([...bytes, ...rest]))
}

const corruptInput = (at: number): Error =>
  functionFailed(`illegal base64 data at input byte ${at}`)
