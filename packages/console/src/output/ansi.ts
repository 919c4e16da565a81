/** The colours that the page has; all others become the nearest of them. */
const ansiColors = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'bright-black',
  'bright-red',
  'bright-green',
  'bright-yellow',
  'bright-blue',
  'bright-magenta',
  'bright-cyan',
  'bright-white',
] as const

export type AnsiColor = (typeof ansiColors)[number]

/** How a piece of output looks. */
export interface AnsiStyle {
  readonly bold?: boolean
  readonly dim?: boolean
  readonly italic?: boolean
  readonly underline?: boolean
  readonly strike?: boolean
  readonly inverse?: boolean
  readonly foreground?: AnsiColor | undefined
  readonly background?: AnsiColor | undefined
}

/** A piece of output in one style, without escape sequences. */
export interface AnsiSpan {
  readonly text: string
  readonly style: AnsiStyle
}

export const plainStyle: AnsiStyle = {}

const esc = '\u001b'
const bell = '\u0007'
const closing = '\u009c'

/**
 * An escape sequence: one with parameters such as a colour; a text for the terminal such as a title or a link, if it ends; or a
 * short one. Each part stops at the next escape character, so matching takes linear time.
 */
const sequence = new RegExp(
  `${esc}\\[([0-?]*)[ -/]*([@-~])|${esc}[\\]PX^_][^${bell}${esc}${closing}]*(?:${bell}|${esc}\\\\|${closing})|${esc}[ -/]*[0-~]`,
  'g',
)

/** Characters that would be invisible, or change the order of the text around them: all of C0 but the tab, C1, and marks of direction. */
const unprintable = new RegExp(
  `[\\0-\\x08\\x0a-\\x1f\\x7f-\\x9f${'\u202a-\u202e\u2066-\u2069'}]`,
  'g',
)

/** A control character as a picture such as ␀, or by its code point. */
function pictureOf(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
}

const printable = (text: string): string => text.replace(unprintable, pictureOf)

/**
 * Reads one line of output that begins in a style: its text in spans, and the style at its end. Colours and other renditions are
 * understood; every other escape sequence, such as a link, is dropped.
 *
 * @see ECMA-48, section 8.3.117 (SGR)
 */
export function readAnsi(
  line: string,
  start: AnsiStyle,
): { readonly spans: readonly AnsiSpan[]; readonly style: AnsiStyle } {
  const spans: AnsiSpan[] = []
  let style = start
  let at = 0
  const put = (end: number): void => {
    if (end > at) spans.push({ text: printable(line.slice(at, end)), style })
  }
  for (const found of line.matchAll(sequence)) {
    put(found.index)
    at = found.index + found[0].length
    const [, parameters, final] = found
    if (final === 'm' && parameters !== undefined) style = styleAfter(style, parameters)
  }
  put(line.length)
  return { spans, style }
}

/** The text of a line as {@link readAnsi} shows it. */
export function plainText(line: string): string {
  return printable(line.includes(esc) ? line.replace(sequence, '') : line)
}

/** The most parameters that are read of one sequence. */
const maxParameters = 32

const switches: Readonly<Record<number, AnsiStyle>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { foreground: undefined },
  49: { background: undefined },
}

function styleAfter(style: AnsiStyle, written: string): AnsiStyle {
  const parameters = written.split(/[;:]/, maxParameters).map(Number)
  let next = style
  for (let i = 0; i < parameters.length; i++) {
    const code = parameters[i] ?? 0
    if (code === 0) next = plainStyle
    else if (code === 38 || code === 48) {
      const { color, length } = extendedColor(parameters.slice(i + 1))
      if (color !== undefined) next = { ...next, ...at(code, color) }
      i += length
    } else {
      const color = basicColor(code)
      next = { ...next, ...(color === undefined ? switches[code] : at(code, color)) }
    }
  }
  return next
}

/** The part of a style that a code with a colour sets. */
const at = (code: number, color: AnsiColor): AnsiStyle =>
  (code >= 40 && code <= 48) || code >= 100 ? { background: color } : { foreground: color }

function basicColor(code: number): AnsiColor | undefined {
  if ((code >= 30 && code <= 37) || (code >= 40 && code <= 47)) return ansiColors[code % 10]
  if ((code >= 90 && code <= 97) || (code >= 100 && code <= 107)) return ansiColors[8 + (code % 10)]
  return undefined
}

/** The colour after 38 or 48: `5;N` of a palette of 256, or `2;R;G;B`; and the number of its parameters. */
function extendedColor(parameters: readonly number[]): {
  readonly color: AnsiColor | undefined
  readonly length: number
} {
  const [kind, first = 0, second = 0, third = 0] = parameters
  if (kind === 5) return { color: paletteColor(first), length: 2 }
  if (kind === 2) return { color: nearest([first, second, third]), length: 4 }
  return { color: undefined, length: 1 }
}

type Rgb = readonly [red: number, green: number, blue: number]

function paletteColor(index: number): AnsiColor | undefined {
  if (!(index >= 0 && index <= 255)) return undefined
  if (index < 16) return ansiColors[index]
  if (index >= 232) {
    const gray = 8 + 10 * (index - 232)
    return nearest([gray, gray, gray])
  }
  const level = (step: number): number => (step === 0 ? 0 : 55 + 40 * step)
  const cube = index - 16
  return nearest([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)])
}

/** The colours of xterm. */
const shades: readonly Rgb[] = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
]

function nearest(wanted: Rgb): AnsiColor | undefined {
  const distances = shades.map((shade) =>
    shade.reduce((sum, part, index) => sum + (part - (wanted[index] ?? 0)) ** 2, 0),
  )
  return ansiColors[distances.indexOf(Math.min(...distances))]
}
