import { GatehouseError } from '../errors.ts'

interface Element {
  /** The element as the layout writes it. */
  readonly layout: string
  readonly pattern: RegExp
  /** The name in the message about a number outside `least` to `most`. */
  readonly name?: string
  readonly least?: number
  readonly most?: number
}

const dateElements: readonly Element[] = [
  { layout: '2006', pattern: /^\d{4}/ },
  { layout: '-', pattern: /^-/ },
  { layout: '01', pattern: /^\d\d/, name: 'month', least: 1, most: 12 },
  { layout: '-', pattern: /^-/ },
  { layout: '02', pattern: /^\d\d/ },
]
const dateTimeElements: readonly Element[] = [
  ...dateElements,
  // A blank in a layout also matches the end of the text.
  { layout: ' ', pattern: /^(?: +|$)/ },
  { layout: '15', pattern: /^\d\d?/, name: 'hour', least: 0, most: 23 },
  { layout: ':', pattern: /^:/ },
  { layout: '04', pattern: /^\d\d/, name: 'minute', least: 0, most: 59 },
  { layout: ':', pattern: /^:/ },
  { layout: '05', pattern: /^\d\d(?:[.,]\d+)?/, name: 'second', least: 0, most: 59 },
]

/**
 * The error for a text that no layout matches, in Go's words. It names the last layout tried: the one with a blank, or the bare
 * date if the text is only a date.
 *
 * @see https://pkg.go.dev/time#ParseError
 */
export function goTimeError(text: string): GatehouseError {
  const elements = /^\d{4}-\d\d-\d\d$/.test(text) ? dateElements : dateTimeElements
  return new GatehouseError('BadRequest', 'InvalidTime', describe(text, elements))
}

function describe(text: string, elements: readonly Element[]): string {
  const layout = elements.map((element) => element.layout).join('')
  let rest = text
  for (const element of elements) {
    const found = element.pattern.exec(rest)?.[0]
    if (found === undefined) {
      return `parsing time ${quote(text)} as ${quote(layout)}: cannot parse ${quote(rest)} as ${quote(element.layout)}`
    }
    const { name, least = 0, most = 0 } = element
    const number = Number.parseInt(found, 10)
    if (name !== undefined && (number < least || number > most)) {
      return `parsing time ${quote(text)}: ${name} out of range`
    }
    rest = rest.slice(found.length)
  }
  if (rest !== '') return `parsing time ${quote(text)}: extra text: ${quote(rest)}`
  return `parsing time ${quote(text)}: day out of range`
}

/** Go's time package has its own quoting: every byte outside printable ASCII becomes `\xHH`. */
function quote(text: string): string {
  let quoted = '"'
  for (const byte of new TextEncoder().encode(text)) {
    const character = String.fromCharCode(byte)
    if (byte < 0x20 || byte >= 0x80) quoted += `\\x${byte.toString(16).padStart(2, '0')}`
    else quoted += character === '"' || character === '\\' ? `\\${character}` : character
  }
  return `${quoted}"`
}
