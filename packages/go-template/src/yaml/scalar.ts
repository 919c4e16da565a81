/** An integer with all its digits: a number if that is exact, else a bigint. */
export type WholeNumber = number | bigint

/** The value of an unquoted YAML text, by the YAML 1.1 rules of Go's `yaml.v2`. */
export type YamlScalar =
  | { readonly tag: '!!str' | '!!timestamp' | '!!binary'; readonly value: string }
  | { readonly tag: '!!int'; readonly value: WholeNumber }
  | { readonly tag: '!!float'; readonly value: number }
  | { readonly tag: '!!bool'; readonly value: boolean }
  | { readonly tag: '!!null'; readonly value: null }

const words: ReadonlyMap<string, YamlScalar> = new Map([
  ...spellings(['y', 'yes', 'true', 'on'], { tag: '!!bool', value: true }),
  ...spellings(['n', 'no', 'false', 'off'], { tag: '!!bool', value: false }),
  ...spellings(['null'], { tag: '!!null', value: null }),
  ...spellings(['.inf', '+.inf'], { tag: '!!float', value: Number.POSITIVE_INFINITY }),
  ...spellings(['-.inf'], { tag: '!!float', value: Number.NEGATIVE_INFINITY }),
  ['', { tag: '!!null', value: null }],
  ['~', { tag: '!!null', value: null }],
  ['.nan', { tag: '!!float', value: Number.NaN }],
  ['.NaN', { tag: '!!float', value: Number.NaN }],
  ['.NAN', { tag: '!!float', value: Number.NaN }],
])

/** `yes`, `Yes` and `YES`, but not `yEs`. */
function spellings(texts: readonly string[], scalar: YamlScalar): [string, YamlScalar][] {
  return texts.flatMap((text) => {
    const capital = text.replace(/[a-z]/, (letter) => letter.toUpperCase())
    return [text, capital, text.toUpperCase()].map((spelling): [string, YamlScalar] => [
      spelling,
      scalar,
    ])
  })
}

const integer = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)$/
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
const timestamp =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d))|(?: (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?))?$/

const maxNumberLength = 400

/** Resolves an unquoted scalar. */
export function resolveYamlScalar(text: string): YamlScalar {
  const word = words.get(text)
  if (word !== undefined) return word
  if (!/^[-+.0-9]/.test(text) || text.length > maxNumberLength) return { tag: '!!str', value: text }
  if (isTimestamp(text)) return { tag: '!!timestamp', value: text }
  const digits = text.startsWith('.') ? text : text.replaceAll('_', '')
  return readInteger(digits) ?? readFloat(digits) ?? { tag: '!!str', value: text }
}

function isTimestamp(text: string): boolean {
  const match = timestamp.exec(text)
  if (match === null) return false
  const [year = 0, month = 0, day = 0] = match.slice(1, 4).map(Number)
  const [hour = 0, minute = 0, second = 0] = match
    .slice(4, 10)
    .filter((part) => part !== undefined)
    .map(Number)
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isRealDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isRealDay && hour < 24 && minute < 60 && second < 60
}

function readInteger(digits: string): YamlScalar | undefined {
  if (!integer.test(digits)) return undefined
  const negative = digits.startsWith('-')
  const unsigned = digits.replace(/^[-+]/, '').replace(/^0(?=[0-7])/, '0o')
  const size = BigInt(unsigned)
  if (size > (negative ? 2n ** 63n : 2n ** 64n - 1n)) return undefined
  return { tag: '!!int', value: wholeNumber(negative ? -size : size) }
}

/** The simplest form of an integer that keeps its digits. */
export function wholeNumber(value: bigint): WholeNumber {
  const approximate = Number(value)
  return Number.isSafeInteger(approximate) ? approximate : value
}

function readFloat(digits: string): YamlScalar | undefined {
  const value = float.test(digits) ? Number(digits) : Number.NaN
  return Number.isFinite(value) ? { tag: '!!float', value } : undefined
}

/** Whether YAML 1.1 readers may treat the text as a number in base 60, such as `1:30`. */
export function isBase60(text: string): boolean {
  return /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text)
}
