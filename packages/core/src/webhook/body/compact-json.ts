import { endOfPlainScalar, endOfString, skipBlanks, stringValue } from './json-places.ts'

/** A part of the source, and its replacement. */
interface Edit {
  readonly from: number
  to: number
  readonly text: string
  /** Whether to apply it. A member is dropped only if its name is repeated. */
  isDue: boolean
}

/** An open bracket. */
interface OpenBracket {
  /** For an object: the last member of each name, with the comma after it. */
  readonly members: Map<string, Edit> | undefined
  /** The current member. */
  member: Edit | undefined
  expectsName: boolean
}

/** Normalizes a string to the minimal escapes of JSON.stringify(). */
function plainString(json: string): string {
  return json.includes('\\') || !json.isWellFormed() ? JSON.stringify(stringValue(json)) : json
}

/** Ends the previous member, and drops an earlier one of the same name. */
function beginMember(object: OpenBracket, name: string, at: number): Edit {
  if (object.member !== undefined) object.member.to = at
  const earlier = object.members?.get(name)
  if (earlier !== undefined) earlier.isDue = true
  const member = { from: at, to: at, text: '', isDue: false }
  object.members?.set(name, member)
  object.member = member
  object.expectsName = false
  return member
}

/** The edits that make a value compact, in order, and the end of the value. Reads each character once, without recursion. */
function editsOf(text: string, start: number): { edits: readonly Edit[]; end: number } {
  const edits: Edit[] = []
  const open: OpenBracket[] = []
  let at = start
  do {
    const next = skipBlanks(text, at)
    if (next > at) edits.push({ from: at, to: next, text: '', isDue: true })
    at = next
    const inside = open.at(-1)
    const character = text.charAt(at)
    if (character === '"') {
      at = endOfString(text, next)
      const string = text.slice(next, at)
      const plain = plainString(string)
      if (inside?.members !== undefined && inside.expectsName) {
        edits.push(beginMember(inside, stringValue(string), next))
      }
      if (plain !== string) edits.push({ from: next, to: at, text: plain, isDue: true })
    } else if (character === '{' || character === '[') {
      const members = character === '{' ? new Map<string, Edit>() : undefined
      open.push({ members, member: undefined, expectsName: true })
      at += 1
    } else if (character === '}' || character === ']') {
      open.pop()
      at += 1
    } else if (character === ',' || character === ':') {
      if (inside !== undefined) inside.expectsName = character === ','
      at += 1
    } else {
      at = endOfPlainScalar(text, at)
    }
  } while (open.length > 0 && at < text.length)
  return { edits, end: at }
}

/**
 * Compacts the JSON value that starts at `start`: no white space, members in their order, only the last value of a repeated
 * member (at its last place), numbers with their original characters, strings as JSON.stringify() writes them.
 */
export function compactJson(text: string, start: number): string {
  const { edits, end } = editsOf(text, start)
  const pieces: string[] = []
  let at = start
  for (const { from, to, text: replacement, isDue } of edits) {
    // Edits inside of a dropped member are void.
    if (!isDue || from < at) continue
    pieces.push(text.slice(at, from), replacement)
    at = to
  }
  pieces.push(text.slice(at, end))
  return pieces.join('')
}
