import { goQuote } from '../../text/quote.ts'
import { firstRunes } from '../byte-text.ts'
import { type Flags, pad, padding } from './flags.ts'

/**
 * Formats a text with a printf verb; `undefined` if the verb does not apply to texts.
 *
 * @see https://pkg.go.dev/fmt#hdr-Printing
 */
export function formatText(text: string, verb: string, flags: Flags): string | undefined {
  switch (verb) {
    case 'v':
      return flags.sharpV ? quote(text, flags) : pad(cut(text, flags), flags)
    case 's':
      return pad(cut(text, flags), flags)
    case 'q':
      return quote(text, flags)
    case 'x':
      return hex(text, flags)
    case 'X':
      return hex(text, flags).toUpperCase()
    default:
      return undefined
  }
}

function cut(text: string, { precision }: Flags): string {
  return precision === undefined ? text : firstRunes(text, precision)
}

function quote(text: string, flags: Flags): string {
  const shown = cut(text, flags)
  if (flags.sharp && canBackquote(shown)) return pad(`\`${shown}\``, flags)
  const quoted = goQuote(shown)
  return pad(flags.plus ? asciiOnly(quoted) : quoted, flags)
}

/** Whether a text may stand unchanged between back quotes. */
function canBackquote(text: string): boolean {
  return !/[`\ufeff\p{Surrogate}]|(?!\t)\p{Control}/u.test(text)
}

/** Escapes the characters outside ASCII in a quoted text. */
export function asciiOnly(quoted: string): string {
  return quoted.replace(/\P{ASCII}/gu, (character) => {
    const hexCode = (character.codePointAt(0) ?? 0).toString(16)
    return hexCode.length > 4 ? `\\U${hexCode.padStart(8, '0')}` : `\\u${hexCode.padStart(4, '0')}`
  })
}

/** The bytes of a text in hexadecimal digits. */
function hex(text: string, flags: Flags): string {
  const { precision, space, sharp } = flags
  const bytes = new TextEncoder().encode(text).subarray(0, precision)
  if (bytes.length === 0) return padding(flags.width ?? 0, flags)
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
  const prefix = sharp ? '0x' : ''
  return pad(
    space ? digits.map((pair) => prefix + pair).join(' ') : prefix + digits.join(''),
    flags,
  )
}
