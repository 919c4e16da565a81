import type { ConfigNode, MappingNode, ScalarNode } from './config-document.ts'
import { repeatedKey, syntaxError } from './problem.ts'

const maxDepth = 256
const maxValues = 1_000_000
const maxNumberLength = 1_000
const numberText = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y
const word = /[A-Za-z]+/y
const escapeText = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/**
 * Reads a JSON text into the nodes of a YAML document: strings as quoted scalars, everything else as plain ones.
 *
 * @throws {GatehouseError} `InvalidConfig` with one problem, `syntax`; also for duplicate keys, more than 256 levels and more
 *   than a million values.
 * @see RFC 8259
 */
export function parseJsonDocument(text: string, filename?: string): ConfigNode {
  const cursor: Cursor = { text, filename, at: 0, line: 1, lineStart: 0, depth: 0, values: 0 }
  skipBlanks(cursor)
  const root = readValue(cursor)
  skipBlanks(cursor)
  if (cursor.at < text.length) throw unexpected(cursor, 'expected the end of the text')
  return root
}

interface Cursor {
  readonly text: string
  readonly filename: string | undefined
  at: number
  line: number
  lineStart: number
  depth: number
  values: number
}

function skipBlanks(cursor: Cursor): void {
  for (; ; cursor.at++) {
    const character = cursor.text.charAt(cursor.at)
    if (character === '\n') {
      cursor.line += 1
      cursor.lineStart = cursor.at + 1
    } else if (character !== ' ' && character !== '\t' && character !== '\r') {
      return
    }
  }
}

type Start = Pick<ScalarNode, 'line' | 'column' | 'start'>

const startAt = ({ line, lineStart, at }: Cursor): Start => ({
  line,
  column: at - lineStart + 1,
  start: at,
})

const fail = (cursor: Cursor, message: string): Error =>
  syntaxError(message, startAt(cursor), cursor.filename)

/** Names only the unexpected character, because more of the text could be a secret. */
function unexpected(cursor: Cursor, expectation: string): Error {
  const code = cursor.text.codePointAt(cursor.at)
  const found =
    code === undefined ? 'the end of the text' : JSON.stringify(String.fromCodePoint(code))
  return fail(cursor, `${expectation}, found ${found}`)
}

function readValue(cursor: Cursor): ConfigNode {
  if (++cursor.values > maxValues) throw fail(cursor, `more than ${maxValues} values`)
  const first = cursor.text.charAt(cursor.at)
  if (first === '{') return readNested(cursor, readObject)
  if (first === '[') return readNested(cursor, readArray)
  if (first === '"') return readString(cursor)
  return readPlain(cursor)
}

function readNested(cursor: Cursor, read: (cursor: Cursor) => ConfigNode): ConfigNode {
  if (++cursor.depth > maxDepth) throw fail(cursor, `nested deeper than ${maxDepth} levels`)
  const node = read(cursor)
  cursor.depth -= 1
  return node
}

/** Moves past a bracket or comma, and the blanks after it. */
function step(cursor: Cursor): void {
  cursor.at += 1
  skipBlanks(cursor)
}

function readArray(cursor: Cursor): ConfigNode {
  const start = startAt(cursor)
  const items: ConfigNode[] = []
  step(cursor)
  while (items.length > 0 || cursor.text.charAt(cursor.at) !== ']') {
    items.push(readValue(cursor))
    skipBlanks(cursor)
    if (cursor.text.charAt(cursor.at) === ']') break
    if (cursor.text.charAt(cursor.at) !== ',') throw unexpected(cursor, 'expected "," or "]"')
    step(cursor)
  }
  cursor.at += 1
  return { kind: 'sequence', items, ...start, end: cursor.at }
}

function readObject(cursor: Cursor): ConfigNode {
  const start = startAt(cursor)
  const entries: MappingNode['entries'][number][] = []
  const keys = new Set<string>()
  step(cursor)
  while (entries.length > 0 || cursor.text.charAt(cursor.at) !== '}') {
    if (cursor.text.charAt(cursor.at) !== '"') throw unexpected(cursor, 'expected a key in "…"')
    const key = readString(cursor)
    if (keys.has(key.text)) throw repeatedKey(key, cursor.filename)
    keys.add(key.text)
    skipBlanks(cursor)
    if (cursor.text.charAt(cursor.at) !== ':') throw unexpected(cursor, 'expected ":"')
    step(cursor)
    entries.push({ key, value: readValue(cursor) })
    skipBlanks(cursor)
    if (cursor.text.charAt(cursor.at) === '}') break
    if (cursor.text.charAt(cursor.at) !== ',') throw unexpected(cursor, 'expected "," or "}"')
    step(cursor)
  }
  cursor.at += 1
  return { kind: 'mapping', entries, ...start, end: cursor.at }
}

function readString(cursor: Cursor): ScalarNode {
  const { text } = cursor
  const start = startAt(cursor)
  cursor.at += 1
  for (
    let character = text.charAt(cursor.at);
    character !== '"';
    character = text.charAt(cursor.at)
  ) {
    if (character === '\\') {
      escapeText.lastIndex = cursor.at
      if (!escapeText.test(text)) throw fail(cursor, 'unknown escape in a string')
      cursor.at = escapeText.lastIndex
    } else if (character < ' ') {
      // The end of the text is an empty string, which also sorts before a blank.
      throw character === ''
        ? unexpected(cursor, 'expected the end of the string')
        : fail(cursor, 'a string must not contain a line break or control character')
    } else {
      cursor.at += 1
    }
  }
  cursor.at += 1
  const value: unknown = JSON.parse(text.slice(start.start, cursor.at))
  return { kind: 'scalar', text: String(value), isPlain: false, ...start, end: cursor.at }
}

function readPlain(cursor: Cursor): ScalarNode {
  const { text } = cursor
  const start = startAt(cursor)
  word.lastIndex = cursor.at
  const [literal = ''] = word.exec(text) ?? []
  const isLiteral = literal === 'true' || literal === 'false' || literal === 'null'
  numberText.lastIndex = cursor.at
  const found = isLiteral ? literal : (numberText.exec(text)?.[0] ?? '')
  if (found === '') throw unexpected(cursor, 'expected a value')
  if (found.length > maxNumberLength) throw fail(cursor, 'the number is too long')
  cursor.at += found.length
  return { kind: 'scalar', text: found, isPlain: true, ...start, end: cursor.at }
}
