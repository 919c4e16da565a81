import { plainText } from './ansi.ts'
import type { OutputLine, OutputStream } from './output-lines.ts'

/** A part of an output that can be folded: a line `==> …` or `::group::…`, and what the same stream writes below it. */
export interface OutputSection {
  /** The index of its heading. */
  readonly start: number
  /** The index after its last line. */
  readonly end: number
  readonly title: string
  /** Whether it began with `::group::`. */
  readonly isGroup: boolean
  /** The index of its `::endgroup::`. */
  readonly endMark: number | undefined
  /** The number of lines below its heading. */
  readonly size: number
}

/** What a group begins with. */
export const groupMark = '::group::'

type Mark =
  | { readonly kind: 'end' }
  | { readonly kind: 'heading' | 'group'; readonly title: string }

/** What a line says about sections. Most lines are judged by their first character. */
function markOf({ number, text }: OutputLine): Mark | undefined {
  if (number === undefined || !'=:\u001b'.includes(text.charAt(0))) return undefined
  const plain = plainText(text.slice(0, maxMarkLength))
  if (/^==> \S/.test(plain)) return { kind: 'heading', title: plain.slice(4) }
  if (plain.startsWith(groupMark)) return { kind: 'group', title: plain.slice(groupMark.length) }
  return plain.trimEnd() === '::endgroup::' ? { kind: 'end' } : undefined
}

/** A mark stands at the beginning of a line, perhaps behind colours. */
const maxMarkLength = 500

type OpenSection = Pick<OutputSection, 'start' | 'title' | 'isGroup'> & { readonly before: number }

/**
 * The sections of an output with at least one line, by the index of their heading. A group lasts until `::endgroup::` or the next
 * group; headings in it are lines. Any other section lasts until the next one. The two streams have sections of their own,
 * because the order between them is not recorded.
 */
export function findSections(lines: readonly OutputLine[]): ReadonlyMap<number, OutputSection> {
  const sections = new Map<number, OutputSection>()
  const open: { [Stream in OutputStream]?: OpenSection | undefined } = {}
  const counts = { stdout: 0, stderr: 0 }
  const close = (stream: OutputStream, end: number, endMark?: number): void => {
    const begun = open[stream]
    if (begun === undefined) return
    const { before, ...section } = begun
    const size = counts[stream] - before
    if (size > 0) sections.set(section.start, { ...section, end, endMark, size })
  }
  for (const [index, line] of lines.entries()) {
    const { stream } = line
    const mark = markOf(line)
    const isInGroup = open[stream]?.isGroup === true
    if (mark?.kind === 'end' && isInGroup) {
      close(stream, index + 1, index)
      open[stream] = undefined
      continue
    }
    const begins = mark?.kind === 'group' || (mark?.kind === 'heading' && !isInGroup)
    if (begins) close(stream, index)
    if (line.number !== undefined) counts[stream]++
    if (begins) {
      const { title, kind } = mark
      open[stream] = { start: index, title, isGroup: kind === 'group', before: counts[stream] }
    }
  }
  for (const stream of ['stdout', 'stderr'] as const) close(stream, lines.length)
  return sections
}

/** The indexes of the lines to show: all but those below folded headings, and the marks of the ends of groups. */
export function shownLines(
  lines: readonly OutputLine[],
  sections: ReadonlyMap<number, OutputSection>,
  isFolded: (section: OutputSection) => boolean,
): readonly number[] {
  const inside: { [Stream in OutputStream]?: OutputSection } = {}
  const shown: number[] = []
  for (const [index, { stream }] of lines.entries()) {
    const own = sections.get(index)
    if (own !== undefined) inside[stream] = own
    const section = inside[stream]
    const isBelow = section !== undefined && index > section.start && index < section.end
    const isHidden = isBelow && (index === section.endMark || isFolded(section))
    if (!isHidden) shown.push(index)
  }
  return shown
}
