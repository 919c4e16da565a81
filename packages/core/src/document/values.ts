import { nearestWord } from '../input/suggestion.ts'
import {
  type Decode,
  itemPlace,
  type Member,
  membersOf,
  type Place,
  type Reading,
  report,
} from './place.ts'
import { type CoreScalar, resolveCoreScalar } from './scalar.ts'

/** What a node stands for, if it is a scalar. */
export function scalarAt({ node }: Pick<Place, 'node'>): CoreScalar | undefined {
  return node.kind === 'scalar' ? resolveCoreScalar(node) : undefined
}

/** Notes that a value is not of the type it must be of; the value itself is not shown. */
export function reportType(place: Place, expected: string): undefined {
  const kind = scalarAt(place)?.kind
  if (kind === 'null') return report(place, 'wrong_type', `is empty, but must be ${expected}`)
  return report(place, 'wrong_type', `must be ${expected}`)
}

/** Any text, also an empty one. */
export const text: Decode<string> = (place) => {
  const scalar = scalarAt(place)
  if (scalar?.kind === 'text') return soundText(place, scalar.value)
  const isUnquoted = scalar?.kind === 'number' || scalar?.kind === 'flag'
  return reportType(place, isUnquoted ? 'text: put it in quotes' : 'text')
}

/** Text that no system call takes is refused wherever it stands. */
function soundText(place: Place, value: string): string | undefined {
  if (value.includes('\0')) return report(place, 'out_of_range', 'must not hold a NUL character')
  if (!value.isWellFormed()) {
    return report(place, 'out_of_range', 'must not hold half of a surrogate pair')
  }
  return value
}

/** A text that is more than blanks. */
export const filledText: Decode<string> = (place) => {
  const value = text(place)
  return value === undefined ? undefined : filled(place, value)
}

/** Refuses a text that is nothing but blanks. */
function filled(place: Place, value: string): string | undefined {
  return value.trim() === '' ? report(place, 'empty', 'must not be empty') : value
}

/** A filled text with a rule of its own; `isSound` says whether it follows the rule, `expected` what the rule is. */
export function textLike(isSound: (value: string) => boolean, expected: string): Decode<string> {
  return (place) => {
    const value = filledText(place)
    if (value === undefined || isSound(value)) return value
    return report(place, 'out_of_range', `must be ${expected}`)
  }
}

/** `true` or `false`. */
export const flag: Decode<boolean> = (place) => {
  const scalar = scalarAt(place)
  if (scalar?.kind === 'flag') return scalar.value
  const isQuoted = scalar?.kind === 'text' && /^(?:true|false)$/.test(scalar.value)
  return reportType(place, isQuoted ? 'true or false: write it without quotes' : 'true or false')
}

/** A number, not a text that looks like one. */
function numberAt(place: Place, expected: string): number | undefined {
  const scalar = scalarAt(place)
  if (scalar?.kind === 'number') return scalar.value
  const isQuoted = scalar?.kind === 'text' && /^\s*[-+]?[\d.]+\s*$/.test(scalar.value)
  return reportType(place, isQuoted ? `${expected}: write it without quotes` : expected)
}

/** A whole number in a range, both ends included. */
export function integer(least: number, most: number = Number.MAX_SAFE_INTEGER): Decode<number> {
  const isOpen = most === Number.MAX_SAFE_INTEGER
  const range = isOpen ? `at least ${least}` : `from ${least} to ${most}`
  return (place) => {
    const value = numberAt(place, 'a whole number')
    if (value === undefined) return undefined
    if (Number.isFinite(value) && !Number.isInteger(value))
      return reportType(place, 'a whole number')
    if (value >= least && value <= most) return value
    return report(place, 'out_of_range', `must be ${range}`)
  }
}

/** One of some words. */
export function oneOf<Word extends string>(...words: readonly Word[]): Decode<Word> {
  return (place) => {
    const value = text(place)
    return value === undefined ? undefined : knownWord(place, value, words)
  }
}

/** The word a text is; refuses any other text. */
export function knownWord<Word extends string>(
  place: Place,
  value: string,
  words: readonly Word[],
): Word | undefined {
  const known = words.find((word) => word === value)
  if (known !== undefined) return known
  const nearest = nearestWord(value, words)
  const suggestion = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  return report(place, 'out_of_range', `must be one of ${words.join(', ')}${suggestion}`)
}

/** A list; items that are not sound are reported and left out. */
export function listOf<T, Notes extends Reading>(
  item: Decode<T, Notes>,
): Decode<readonly T[], Notes> {
  return (place) => {
    const { node } = place
    if (node.kind !== 'sequence') return reportType(place, 'a list')
    return node.items.flatMap((child, index) => {
      const value = item(itemPlace(place, child, index))
      return value === undefined ? [] : [value]
    })
  }
}

/** A list with at least one item. */
export function filledListOf<T, Notes extends Reading>(
  item: Decode<T, Notes>,
): Decode<readonly T[], Notes> {
  const list = listOf(item)
  return (place) => {
    const { node } = place
    const isEmpty = node.kind === 'sequence' && node.items.length === 0
    return isEmpty ? report(place, 'empty', 'must not be an empty list') : list(place)
  }
}

/** A mapping with keys of the user's choice; members that are not sound are reported and left out. */
export function mapOf<Key, T, Notes extends Reading>(
  readKey: (member: Member<Notes>) => Key | undefined,
  value: Decode<T, Notes>,
): Decode<ReadonlyMap<Key, T>, Notes> {
  return (place) => {
    if (place.node.kind !== 'mapping') return reportType(place, 'a mapping')
    const entries = new Map<Key, T>()
    for (const member of membersOf(place)) {
      const key = readKey(member)
      const decoded = value(member.valuePlace)
      if (key !== undefined && decoded !== undefined) entries.set(key, decoded)
    }
    return entries
  }
}
