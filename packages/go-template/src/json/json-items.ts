import { GoError, isExpectedError } from '../go-error.ts'
import { decodeJson } from './json.ts'
import { findJsonValue } from './json-scanner.ts'

/** Limits of {@link jsonItems}; 0 means none. */
export interface JsonItemsLimits {
  readonly maxItems: number
  /** The greatest length of an item in characters, or of the text if it is not a list. */
  readonly maxItemLength: number
  readonly tooMany: () => Error
  readonly tooLarge: () => Error
}

/** The number of characters parsed in one step. */
const charactersPerStep = 64 * 1024

const blank = /[^ \t\r\n]/g
const quote = 34
const comma = 44
const backslash = 92

/**
 * Reads the first JSON value of a text like {@link decodeJson}, in steps if it is a list. A list that is too long is refused
 * before more of it is parsed than allowed.
 *
 * @throws {GoError} `InvalidJson`, with the text of Go's parser; the error of `limits`.
 */
export function* jsonItems(text: string, limits: JsonItemsLimits): Generator<void, unknown> {
  blank.lastIndex = 0
  const start = blank.exec(text)?.index
  if (start === undefined) return undefined
  if (isWithin(text.length, limits)) return decodeJson(text)
  if (text[start] !== '[') {
    if (isAbove(text.length - start, limits.maxItemLength)) throw tooLarge(text, start, limits)
    return decodeJson(text)
  }
  const items: unknown[] = []
  let from = start + 1
  let count = 0
  for (;;) {
    const { end, itemEnds } = nextBatch(text, from, limits)
    count += itemEnds
    if (isAbove(count, limits.maxItems)) throw limits.tooMany()
    for (const item of parseBatch(text, from, end, items.length > 0)) items.push(item)
    if (text[end] !== ',') return items
    from = end + 1
    yield
  }
}

/**
 * Whether a text of this length is within the limits, whatever it contains. An item has at least one character, and a comma or
 * bracket.
 */
const isWithin = (length: number, { maxItems, maxItemLength }: JsonItemsLimits): boolean =>
  length <= charactersPerStep && !isAbove(length / 2, maxItems) && !isAbove(length, maxItemLength)

const isAbove = (count: number, limit: number): boolean => limit > 0 && count > limit

interface Batch {
  /** The end of its last item: a comma, the closing bracket, or the end of the text. */
  readonly end: number
  readonly itemEnds: number
}

/** Finds the end of the items to parse together. It looks only at brackets and quotes. */
function nextBatch(text: string, from: number, limits: JsonItemsLimits): Batch {
  let depth = 0
  let itemEnds = 0
  let itemFrom = from
  for (let at = from; at < text.length; at++) {
    if (isAbove(at - itemFrom, limits.maxItemLength)) throw tooLarge(text, itemFrom, limits)
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at)
    } else if (code === 0x5b || code === 0x7b) {
      depth++
    } else if (code === 0x5d || code === 0x7d) {
      if (depth === 0) {
        return { end: at, itemEnds: itemEnds + 1 }
      }
      depth--
    } else if (code === comma && depth === 0) {
      itemEnds++
      if (at - from >= charactersPerStep || isAbove(itemEnds, limits.maxItems)) {
        return { end: at, itemEnds }
      }
      itemFrom = at + 1
    }
  }
  if (isAbove(text.length - itemFrom, limits.maxItemLength)) throw tooLarge(text, itemFrom, limits)
  return { end: text.length, itemEnds: itemEnds + 1 }
}

/** The index of the closing quote of the string, or the end of the text. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/** The reason to refuse an item that is too long. Its allowed part may already contain an error. */
function tooLarge(text: string, from: number, limits: JsonItemsLimits): Error {
  try {
    findJsonValue(text.slice(from, from + limits.maxItemLength))
  } catch (error) {
    if (isExpectedError(error) && error.message !== 'unexpected EOF') return error
  }
  return limits.tooLarge()
}

/** Parses the items between two indexes. An item must follow a comma before them. */
function parseBatch(text: string, from: number, end: number, isAfterComma: boolean): unknown[] {
  const batch = text.slice(from, end)
  try {
    const items = decodeJson(`[${batch}${text[end] === undefined ? '' : ']'}`)
    const mayBeEmpty = !isAfterComma && text[end] === ']'
    const isAllowed = text[end] !== '}' && (mayBeEmpty || batch.trim() !== '')
    if (isAllowed && Array.isArray(items)) return items
  } catch (error) {
    if (!isExpectedError(error)) throw error
  }
  // The error is in these items or right after them. A null stands in for the items before.
  findJsonValue(`[${isAfterComma ? 'null,' : ''}${text.slice(from, end + 1)}`)
  throw new GoError('BadRequest', 'InvalidJson', 'unexpected EOF')
}
