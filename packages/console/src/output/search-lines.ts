import { type AnsiStyle, plainText, readAnsi } from './ansi.ts'
import type { OutputLine } from './output-lines.ts'

/** The most lines that a search finds. */
export const maxFound = 10_000

/** The indexes of the lines whose text contains a word, in any case. */
export function searchLines(lines: readonly OutputLine[], word: string): readonly number[] {
  const wanted = word.toLowerCase()
  const found: number[] = []
  if (wanted === '') return found
  for (let index = 0; index < lines.length && found.length < maxFound; index++) {
    const text = plainText(lines[index]?.text ?? '')
    if (text.toLowerCase().includes(wanted)) found.push(index)
  }
  return found
}

/** A piece of a line in one style. */
export interface LinePart {
  readonly text: string
  readonly style: AnsiStyle
  /** Whether it is a part of what is searched for. */
  readonly isFound: boolean
}

/**
 * The parts of a line as it is shown.
 *
 * @param most the most characters to show.
 */
export function lineParts(
  { text, style: start }: OutputLine,
  word: string,
  most: number,
): { readonly parts: readonly LinePart[]; readonly hidden: number } {
  const { spans } = readAnsi(text, start)
  const whole = spans.map((span) => span.text).join('')
  const borders = foundBorders(whole, word)
  const parts: LinePart[] = []
  let at = 0
  for (const span of spans) {
    const end = Math.min(at + span.text.length, most)
    let from = at
    for (const border of [...borders.filter((one) => one > at && one < end), end]) {
      if (border <= from) continue
      const isFound = borders.filter((one) => one <= from).length % 2 === 1
      parts.push({ text: whole.slice(from, border), style: span.style, isFound })
      from = border
    }
    at += span.text.length
    if (at >= most) break
  }
  return { parts, hidden: Math.max(0, whole.length - most) }
}

/** The most places of a word that are marked in one line. */
const maxMarked = 200

/** Where each place of a word begins and ends, alternately. */
function foundBorders(text: string, word: string): readonly number[] {
  const lower = text.toLowerCase()
  const wanted = word.toLowerCase()
  // Some characters change their length with their case.
  if (wanted === '' || lower.length !== text.length) return []
  const borders: number[] = []
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
    if (borders.length >= 2 * maxMarked) break
    // Adjacent places are one.
    if (borders.at(-1) === at) borders.pop()
    else borders.push(at)
    borders.push(at + wanted.length)
  }
  return borders
}
