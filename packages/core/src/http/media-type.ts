const token = /[!#$%&'*+\-.^_`|~\dA-Za-z]*/y
const quotedText = /"(?:[^"\\\r\n]|\\.)*"/y
const blanks = /[ \t\r\n]*/y

/** A media type, or the error message of Go's parser. */
export type ParsedMediaType = { readonly type: string } | { readonly failure: string }

function read(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

function typeFailure(type: string): string | undefined {
  const main = read(token, type, 0)
  if (main === '') return 'mime: no media type'
  if (main === type) return undefined
  if (type.charAt(main.length) !== '/') return 'mime: expected slash after first token'
  const sub = read(token, type, main.length + 1)
  if (sub === '') return 'mime: expected token after slash'
  return main.length + 1 + sub.length === type.length
    ? undefined
    : 'mime: unexpected content after media subtype'
}

/** The end of the parameter whose semicolon is at `at`, and its name; `undefined` if it is invalid. */
function readParameter(text: string, at: number): { name: string; end: number } | undefined {
  if (text.charAt(at) !== ';') return undefined
  const start = at + 1 + read(blanks, text, at + 1).length
  const name = read(token, text, start)
  const equals = start + name.length + read(blanks, text, start + name.length).length
  if (name === '' || text.charAt(equals) !== '=') return undefined
  const valueAt = equals + 1 + read(blanks, text, equals + 1).length
  const value =
    text.charAt(valueAt) === '"' ? read(quotedText, text, valueAt) : read(token, text, valueAt)
  return value === '' ? undefined : { name: name.toLowerCase(), end: valueAt + value.length }
}

/**
 * Parses a Content-Type header: the media type in lower case. Its parameters must be well-formed, and are dropped.
 *
 * @see RFC 9110, section 8.3.1
 * @see https://pkg.go.dev/mime#ParseMediaType
 */
export function parseMediaType(header: string): ParsedMediaType {
  const semicolon = header.indexOf(';')
  const end = semicolon < 0 ? header.length : semicolon
  const type = header.slice(0, end).trim().toLowerCase()
  const failure = typeFailure(type)
  if (failure !== undefined) return { failure }
  const names = new Set<string>()
  for (let at = end; ; ) {
    at += read(blanks, header, at).length
    if (at >= header.length) return { type }
    const parameter = readParameter(header, at)
    if (parameter === undefined) {
      const isTrailing = header.slice(at).trim() === ';'
      return isTrailing ? { type } : { failure: 'mime: invalid media parameter' }
    }
    if (names.has(parameter.name)) return { failure: 'mime: duplicate parameter name' }
    names.add(parameter.name)
    at = parameter.end
  }
}

/** Only this many entries of an Accept header are read, because clients control its length. */
const maxAccepted = 64

/** Whether an Accept header allows a media type; a missing or empty header does. */
export function accepts(header: string | null, type: string): boolean {
  if (header === null || header.trim() === '') return true
  const wide = `${type.slice(0, type.indexOf('/'))}/*`
  return header.split(',', maxAccepted).some((entry) => {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    if (range !== type && range !== wide && range !== '*/*') return false
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return quality === undefined || Number(quality.slice(2)) !== 0
  })
}
