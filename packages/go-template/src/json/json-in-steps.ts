import { endOfString } from './json-items.ts'

/** About so many characters are parsed in one step. */
const charactersPerStep = 64 * 1024

interface Cursor {
  readonly text: string
  at: number
  /** Where the present step began. */
  stepAt: number
}

const blanks = /[ \t\r\n]*/y
const plain = /[^ \t\r\n,\]}]*/y

/**
 * Parses a JSON text like `JSON.parse()`, in steps. Lists and objects are walked through down to a depth; what is below is parsed
 * at once, so that a step takes at most as long as the largest value there.
 *
 * @throws {SyntaxError} if it is not JSON.
 */
export function* parseJsonInSteps(text: string, depth: number): Generator<void, unknown> {
  const cursor: Cursor = { text, at: 0, stepAt: 0 }
  const value = yield* readValue(cursor, depth)
  if (next(cursor) !== '') throw unexpected(cursor)
  return value
}

function* readValue(cursor: Cursor, depth: number): Generator<void, unknown> {
  const first = next(cursor)
  if (depth > 0 && first === '[') return yield* readList(cursor, depth - 1)
  if (depth > 0 && first === '{') return yield* readObject(cursor, depth - 1)
  return readAtOnce(cursor)
}

function* readList(cursor: Cursor, depth: number): Generator<void, unknown[]> {
  const items: unknown[] = []
  yield* readMembers(cursor, ']', function* () {
    items.push(yield* readValue(cursor, depth))
  })
  return items
}

function* readObject(cursor: Cursor, depth: number): Generator<void, object> {
  const members: [string, unknown][] = []
  yield* readMembers(cursor, '}', function* () {
    if (next(cursor) !== '"') throw unexpected(cursor)
    const name = String(readAtOnce(cursor))
    if (next(cursor) !== ':') throw unexpected(cursor)
    cursor.at += 1
    members.push([name, yield* readValue(cursor, depth)])
  })
  return Object.fromEntries(members)
}

/** Reads what stands between the bracket at the cursor and its end. */
function* readMembers(
  cursor: Cursor,
  end: string,
  readOne: () => Generator<void, void>,
): Generator<void, void> {
  cursor.at += 1
  if (next(cursor) === end) {
    cursor.at += 1
    return
  }
  for (;;) {
    yield* readOne()
    const sign = next(cursor)
    if (sign !== ',' && sign !== end) throw unexpected(cursor)
    cursor.at += 1
    if (sign === end) return
    if (cursor.at - cursor.stepAt >= charactersPerStep) {
      cursor.stepAt = cursor.at
      yield
    }
  }
}

/** The next character that is not blank; empty at the end of the text. */
function next(cursor: Cursor): string {
  blanks.lastIndex = cursor.at
  blanks.test(cursor.text)
  cursor.at = blanks.lastIndex
  return cursor.text.charAt(cursor.at)
}

function readAtOnce(cursor: Cursor): unknown {
  const { text, at } = cursor
  cursor.at = endOfValue(text, at)
  return JSON.parse(text.slice(at, cursor.at))
}

/** The end of the value at `at`, if it is one. It looks only at brackets and quotes. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  let at = start
  do {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x5b || code === 0x7b) depth += 1
    else if (code === 0x5d || code === 0x7d) depth -= 1
    else if (depth === 0) {
      plain.lastIndex = at
      plain.test(text)
      return plain.lastIndex
    }
    at += 1
  } while (depth > 0 && at < text.length)
  return at
}

/** It does not quote the text, which may hold secrets. */
const unexpected = ({ at }: Cursor): SyntaxError =>
  new SyntaxError(`Unexpected character at position ${at} of the JSON`)
