import { isBase60, resolveYamlScalar } from './scalar.ts'

/** The position of a scalar in the text that is being written. */
export interface ScalarPlace {
  /** The number of characters already on the line. */
  readonly column: number
  /** The number of blanks at the start of a continued line. */
  readonly indent: number
  readonly inFlow: boolean
  readonly isKey: boolean
}

/** Lines are folded at the first blank after this column. */
export const foldColumn = 80

/** Formats a text as a YAML scalar: plain if that parses back to the same text, else quoted or as a block. */
export function writeYamlScalar(text: string, place: ScalarPlace): string {
  const shape = analyze(text)
  const isText = resolveYamlScalar(text).tag === '!!str' && !isBase60(text)
  if (text.includes('\n')) {
    const asBlock = shape.blockAllowed && !place.inFlow && !place.isKey
    return asBlock ? literal(text, place.indent) : doubleQuoted(text, place)
  }
  if (!isText) return doubleQuoted(text, place)
  if (place.inFlow ? shape.flowPlainAllowed : shape.blockPlainAllowed) return plain(text, place)
  return shape.singleQuotedAllowed ? singleQuoted(text, place) : doubleQuoted(text, place)
}

/** Whether the text may be a key on the same line as its value. */
export function isSimpleYamlKey(text: string): boolean {
  return !text.includes('\n') && new TextEncoder().encode(text).length <= 128
}

interface Shape {
  readonly flowPlainAllowed: boolean
  readonly blockPlainAllowed: boolean
  readonly singleQuotedAllowed: boolean
  readonly blockAllowed: boolean
}

const startIndicators = '#,[]{}&*!|>\'"%@`'
/**
 * Characters that only double quotes can hold: control characters, line breaks other than `\n`, and characters beyond 16 bits.
 */
const unprintable = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/

function analyze(text: string): Shape {
  const edges = /^[ \n]|[ \n]$/.test(text)
  const special = unprintable.test(text)
  const breakThenSpace = /\n /.test(text)
  const spaceThenBreak = / \n/.test(text)
  const hasBreak = text.includes('\n')
  const indicators = findIndicators(text)
  const plainAllowed = !edges && !special && !breakThenSpace && !spaceThenBreak && !hasBreak
  return {
    flowPlainAllowed: plainAllowed && !indicators.flow,
    blockPlainAllowed: plainAllowed && !indicators.block,
    singleQuotedAllowed: !special && !breakThenSpace && !spaceThenBreak,
    blockAllowed: text !== '' && !text.endsWith(' ') && !special && !spaceThenBreak,
  }
}

function findIndicators(text: string): { flow: boolean; block: boolean } {
  const block =
    /^(?:---|\.\.\.)/.test(text) ||
    startIndicators.includes(text.charAt(0)) ||
    /^[?:-](?:[ \t]|$)/.test(text) ||
    /:(?:[ \t]|$)/.test(text.slice(1)) ||
    /[ \t\n]#/.test(text)
  return { block, flow: block || /^[?:]/.test(text) || /[,?[\]{}:]/.test(text.slice(1)) }
}

/** Breaks lines at single blanks beyond the fold column. `mayBreak` decides where the style allows it. */
function fold(
  pieces: readonly string[],
  place: ScalarPlace,
  mayBreak: (index: number) => string | undefined,
): string {
  const lineStart = `\n${' '.repeat(place.indent)}`
  let written = ''
  let column = place.column
  let afterBlank = false
  for (const [index, piece] of pieces.entries()) {
    const isBlank = piece === ' '
    const broken = isBlank && !afterBlank && column > foldColumn ? mayBreak(index) : undefined
    if (broken === undefined) {
      written += piece
      column += piece === '\n' ? -column : [...piece].length
    } else {
      written += lineStart + broken
      column = place.indent + broken.length
    }
    afterBlank = isBlank
  }
  return written
}

function plain(text: string, place: ScalarPlace): string {
  const pieces = [...text]
  return fold(pieces, place, (i) => (place.isKey || pieces[i + 1] === ' ' ? undefined : ''))
}

function singleQuoted(text: string, place: ScalarPlace): string {
  const pieces = [...text].map((character) => (character === "'" ? "''" : character))
  const inner = fold(pieces, { ...place, column: place.column + 1 }, (i) => {
    const atEdge = i === 0 || i === pieces.length - 1
    return place.isKey || atEdge || pieces[i + 1] === ' ' ? undefined : ''
  })
  return `'${inner}'`
}

function doubleQuoted(text: string, place: ScalarPlace): string {
  const pieces = [...text].map(escapeCharacter)
  const inner = fold(pieces, { ...place, column: place.column + 1 }, (i) => {
    if (place.isKey || i === 0 || i === pieces.length - 1) return undefined
    return pieces[i + 1] === ' ' ? '\\' : ''
  })
  return `"${inner}"`
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\0', '\\0'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\x1b', '\\e'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x85', '\\N'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
])

function escapeCharacter(character: string): string {
  const short = shortEscapes.get(character)
  if (short !== undefined) return short
  if (!unprintable.test(character)) return character
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16).toUpperCase()
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

function literal(text: string, indent: number): string {
  const indentHint = text.startsWith(' ') || text.startsWith('\n') ? '2' : ''
  const lines = text.split('\n')
  const written = lines.map((line) => (line === '' ? '' : `${' '.repeat(indent)}${line}`))
  return `|${indentHint}${chomping(text)}\n${written.join('\n')}`
}

/** The indicator for the line breaks at the end of a block. */
function chomping(text: string): string {
  if (!text.endsWith('\n')) return '-'
  return text === '\n' || text.endsWith('\n\n') ? '+' : ''
}
