const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Tab, line feed, carriage return and space. */
const isBlank = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** The first position from `at` on that is not white space. */
export function skipBlanks(text: string, at: number): number {
  let next = at
  while (isBlank(text.charCodeAt(next))) next += 1
  return next
}

/** Most strings end within this many characters. */
const nearby = 32

/** The end of the string whose opening quote is at `at`; the end of the text if it is not closed. */
export function endOfString(text: string, at: number): number {
  let next = at + 1
  const near = Math.min(text.length, next + nearby)
  while (next < near) {
    const code = text.charCodeAt(next)
    if (code === quote) return next + 1
    next += code === backslash ? 2 : 1
  }
  // In a long string the engine searches a hundred times as fast as this loop.
  for (;;) {
    const end = text.indexOf('"', next)
    if (end < 0) return text.length
    let start = end
    while (start > next && text.charCodeAt(start - 1) === backslash) start -= 1
    const isEscaped = (end - start) % 2 === 1
    if (!isEscaped) return end + 1
    next = end + 1
  }
}

/** The end of the number or literal that starts at `at`. */
export function endOfPlainScalar(text: string, at: number): number {
  let next = at
  while (next < text.length) {
    const code = text.charCodeAt(next)
    if (code === comma || code === closeBracket || code === closeBrace || isBlank(code)) return next
    next += 1
  }
  return next
}

/** The end of the value that starts at `at`, in a text known to be JSON. */
function endOfValue(text: string, at: number): number {
  let depth = 0
  let next = at
  do {
    const code = text.charCodeAt(next)
    if (code === quote) {
      next = endOfString(text, next)
      continue
    }
    if (code === openBrace || code === openBracket) depth += 1
    else if (code === closeBrace || code === closeBracket) depth -= 1
    else if (depth === 0) return endOfPlainScalar(text, next)
    next += 1
  } while (depth > 0 && next < text.length)
  return next
}

/** Whether brackets of any text are nested deeper than `maxDepth`. Reads each character once, which is cheaper than parsing. */
export function isNestedDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0
  let next = 0
  while (next < text.length) {
    const code = text.charCodeAt(next)
    if (code === quote) {
      next = endOfString(text, next)
      continue
    }
    if (code === openBrace || code === openBracket) {
      depth += 1
      if (depth > maxDepth) return true
    } else if (code === closeBrace || code === closeBracket) {
      depth -= 1
    }
    next += 1
  }
  return false
}

/** The text between the quotes of a JSON string. */
export function stringValue(json: string): string {
  return json.includes('\\') ? String(JSON.parse(json)) : json.slice(1, -1)
}

/** The start of the value of a member, the last one if the name is repeated; -1 if there is none. */
export function placeOfMember(text: string, object: number, name: string): number {
  let found = -1
  let at = object
  do {
    const key = skipBlanks(text, at + 1)
    if (text.charCodeAt(key) !== quote) break
    const end = endOfString(text, key)
    const value = skipBlanks(text, skipBlanks(text, end) + 1)
    if (stringValue(text.slice(key, end)) === name) found = value
    at = skipBlanks(text, endOfValue(text, value))
  } while (text.charCodeAt(at) === comma)
  return found
}

/**
 * The text of a member of the object at the beginning of a text that may break off anywhere; `undefined` if there is no complete
 * one. Later members may repeat it.
 */
export function leadingText(cut: string, name: string): string | undefined {
  const object = skipBlanks(cut, 0)
  if (cut.charCodeAt(object) !== openBrace) return undefined
  try {
    const place = placeOfMember(cut, object, name)
    const end = cut.charAt(place) === '"' ? endOfString(cut, place) : cut.length
    return end < cut.length ? stringValue(cut.slice(place, end)) : undefined
  } catch (error) {
    // A string that breaks off, or that is not JSON.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The start of an array item; -1 if the array is shorter. */
export function placeOfItem(text: string, array: number, index: number): number {
  let at = skipBlanks(text, array + 1)
  if (text.charCodeAt(at) === closeBracket) return -1
  for (let passed = 0; passed < index; passed++) {
    at = skipBlanks(text, endOfValue(text, at))
    if (text.charCodeAt(at) !== comma) return -1
    at = skipBlanks(text, at + 1)
  }
  return at
}
