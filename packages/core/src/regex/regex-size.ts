import type { RegexToken } from './regex-tokens.ts'

/** RE2 refuses counts that, nested in each other, come to more. */
const mostRepeats = 1_000

interface Part {
  /** Instructions of what has been read. */
  size: number
  /** Instructions of the last thing read, which a count may follow. */
  lastSize: number
  /** The most that nested counts multiply to, of all and of the last thing read. */
  repeats: number
  lastRepeats: number
}

/**
 * About how many instructions an expression compiles to, rather too many than too few. Infinity when
 * nested counts multiply to more than RE2 allows.
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
        if (part.lastRepeats > mostRepeats) return Number.POSITIVE_INFINITY
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
  // `?`, `*` and `+` are no counts; what is repeated zero times is not looked into.
  if (times !== 1 && (times > 0 || max === 0)) part.lastRepeats = lastRepeats * times
  part.repeats = Math.max(part.repeats, part.lastRepeats)
}
