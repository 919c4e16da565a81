import type { RegexToken } from './regex-tokens.ts'

/** RE2 refuses nested counts with a larger product. */
const maxRepeats = 1_000

interface Part {
  /** The instructions read so far. */
  size: number
  /** The instructions of the last item, to which a count may apply. */
  lastSize: number
  /** The greatest product of nested counts, of all items and of the last one. */
  repeats: number
  lastRepeats: number
}

/**
 * Estimates the number of instructions of a compiled expression, too high rather than too low. Infinity if nested counts multiply
 * to more than RE2 allows.
 */
export function regexSize(tokens: readonly RegexToken[]): number {
  const outer: Part[] = []
  let part = emptyPart()
  for (const token of tokens) {
    switch (token.kind) {
      case 'open':
        outer.push(part)
        part = emptyPart()
        break
      case 'close': {
        const { size, repeats } = part
        part = outer.pop() ?? emptyPart()
        addThing(part, size + 2, repeats)
        break
      }
      case 'repeat':
        repeatLast(part, token.min, token.max)
        if (part.lastRepeats > maxRepeats) return Number.POSITIVE_INFINITY
        break
      case 'text':
      case 'unended':
        addThing(part, token.text.length, 1)
        break
      default:
        addThing(part, 1, 1)
    }
  }
  return outer.reduce((size, unclosed) => size + unclosed.size, part.size)
}

function emptyPart(): Part {
  return { size: 0, lastSize: 0, repeats: 1, lastRepeats: 1 }
}

function addThing(part: Part, size: number, repeats: number): void {
  part.size += size
  part.lastSize = size
  part.repeats = Math.max(part.repeats, repeats)
  part.lastRepeats = repeats
}

function repeatLast(part: Part, min: number, max: number): void {
  const { lastSize, lastRepeats } = part
  const times = max === Number.POSITIVE_INFINITY ? min : max
  part.size -= lastSize
  addThing(part, (lastSize + 1) * Math.max(times, 1) + 1, lastRepeats)
  // `?`, `*` and `+` are not counts. An item repeated zero times does not count.
  if (times !== 1 && (times > 0 || max === 0)) part.lastRepeats = lastRepeats * times
  part.repeats = Math.max(part.repeats, part.lastRepeats)
}
