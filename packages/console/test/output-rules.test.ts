import { describe, expect, it } from 'vitest'
import { plainStyle, plainText, readAnsi } from '../src/output/ansi.ts'
import { createOutputLines, lineName, type OutputLine } from '../src/output/output-lines.ts'
import { lineParts, searchLines } from '../src/output/search-lines.ts'
import { findSections, shownLines } from '../src/output/sections.ts'

const e = '\u001b'

const shownIn = (text: string): readonly string[] =>
  readAnsi(text, plainStyle).spans.map(({ text, style }) => {
    const names = Object.entries(style).flatMap(([name, value]) =>
      value === true ? [name] : value ? [`${name}=${value}`] : [],
    )
    return [text, ...names].join(' ')
  })

describe('readAnsi()', () => {
  it('reads colours and renditions', () => {
    expect(shownIn(`a${e}[1;31mb${e}[0mc`)).toEqual(['a', 'b bold foreground=red', 'c'])
    expect(shownIn(`${e}[4;92;104mx${e}[24;39;49my`)).toEqual([
      'x underline foreground=bright-green background=bright-blue',
      'y',
    ])
    expect(shownIn(`${e}[7mx${e}[27my${e}[mz`)).toEqual(['x inverse', 'y', 'z'])
  })

  it('shows colours of the large palettes as the nearest ones', () => {
    expect(shownIn(`${e}[38;5;9ma`)).toEqual(['a foreground=bright-red'])
    expect(shownIn(`${e}[38;5;196ma`)).toEqual(['a foreground=bright-red'])
    expect(shownIn(`${e}[48;5;232ma`)).toEqual(['a background=black'])
    expect(shownIn(`${e}[38;2;0;200;10;1ma`)).toEqual(['a foreground=green bold'])
    expect(shownIn(`${e}[38:5:12ma`)).toEqual(['a foreground=bright-blue'])
    expect(shownIn(`${e}[38;5;999ma${e}[38ma${e}[999mb`)).toEqual(['a', 'a', 'b'])
  })

  it('drops every other sequence, and keeps the text of links', () => {
    expect(plainText(`${e}]8;;javascript:alert(1)${e}\\text${e}]8;;\u0007!`)).toBe('text!')
    expect(plainText(`${e}[2J${e}[1;1H${e}(Bx${e}]0;title\u0007y${e}Pq${e}\\z`)).toBe('xyz')
    expect(plainText(`${e}]never ends`)).toBe('never ends')
    expect(plainText(`a${e}`)).toBe('a␛')
  })

  it('shows invisible characters, and those that change the order of text', () => {
    expect(plainText('a\0b\u0008c\u007f\u0085\td\u202e\u2066')).toBe(
      'a␀b␈c␡[U+0085]\td[U+202E][U+2066]',
    )
  })

  it('takes time in proportion to the text', () => {
    const cost = (length: number): number => {
      const texts = [`${e}]`, `${e}[1;`, `${e}[`, `${e}P\u0007`].map((part) => part.repeat(length))
      const start = process.cpuUsage()
      for (const text of texts) readAnsi(text, plainStyle)
      return process.cpuUsage(start).user
    }
    cost(20_000)
    expect(cost(200_000)).toBeLessThan(40 * (cost(20_000) + 10_000))
  })
})

const textsOf = (lines: readonly OutputLine[]): readonly string[] =>
  lines.map(({ number, stream, text }) => `${number ?? '+'} ${stream} ${text}`)

describe('the lines of an output', () => {
  it('are joined from pieces, each stream for itself', () => {
    const output = createOutputLines()
    for (const piece of ['a', 'b\nc', 'd\n', '\n']) output.add('stdout', piece)
    output.add('stdout', 'open')
    output.add('stderr', 'err\n')
    output.add('stdout', ' end\r\n')
    expect(textsOf(output.lines)).toEqual([
      '1 stdout ab',
      '2 stdout cd',
      '3 stdout ',
      '4 stdout open end',
      '1 stderr err',
    ])
  })

  it('have the same names however the streams are mixed', () => {
    const pieces = [
      ['stdout', 'a\n'],
      ['stderr', 'b\n'],
      ['stdout', 'c\n'],
    ] as const
    const namesOf = (order: readonly number[]): readonly string[] => {
      const output = createOutputLines()
      for (const at of order) {
        const [stream, text] = pieces[at] ?? pieces[0]
        output.add(stream, text)
      }
      return output.lines.map((line) => `${lineName(line)} ${line.text}`).sort()
    }
    expect(namesOf([0, 1, 2])).toEqual(['1 a', '2 c', 'e1 b'])
    expect(namesOf([0, 2, 1])).toEqual(namesOf([0, 1, 2]))
  })

  it('carry the style over from line to line', () => {
    const output = createOutputLines()
    output.add('stdout', `${e}[31mred\nstill\n`)
    output.add('stderr', 'plain\n')
    expect(output.lines.map(({ style }) => style.foreground)).toEqual([undefined, 'red', undefined])
  })

  it('show only the last step of a progress bar', () => {
    const output = createOutputLines()
    for (let n = 0; n <= 1_000; n++) output.add('stdout', `${n} %\r`)
    expect(output.lines[0]?.text.length).toBeLessThan(20)
    output.add('stdout', '\ndone')
    expect(textsOf(output.lines)).toEqual(['1 stdout 1000 %', '2 stdout done'])
  })

  it('are split if they are very long, but not inside a character or a sequence', () => {
    const limits = { maxCharacters: 1_000, maxLines: 100, maxLineLength: 100 }
    const output = createOutputLines(limits)
    output.add('stdout', `${'x'.repeat(99)}😀${'y'.repeat(96)}${e}[31mz\nnext`)
    expect(output.lines.map(({ text }) => text)).toEqual([
      'x'.repeat(99),
      `😀${'y'.repeat(96)}`,
      `${e}[31mz`,
      'next',
    ])
    expect(output.lines.map(({ number }) => number)).toEqual([1, undefined, undefined, 2])
  })

  it('are bounded: the oldest are dropped, and counted', () => {
    const output = createOutputLines({ maxCharacters: 10_000, maxLines: 50, maxLineLength: 100 })
    for (let n = 1; n <= 1_000; n++) output.add('stdout', `line ${n}\n`)
    expect(output.lines.length).toBeLessThanOrEqual(50)
    expect(output.lines.at(-1)?.text).toBe('line 1000')
    expect(output.dropped + output.lines.length).toBe(1_000)
    const long = createOutputLines({ maxCharacters: 10_000, maxLines: 5_000, maxLineLength: 100 })
    for (let n = 0; n < 1_000; n++) long.add('stdout', 'x'.repeat(1_000))
    expect(long.lines.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(10_000)
  })
})

describe('the sections of an output', () => {
  const sectionsIn = (...pieces: readonly string[]) => {
    const output = createOutputLines()
    for (const piece of pieces) {
      const isError = piece.startsWith('err:')
      output.add(isError ? 'stderr' : 'stdout', `${isError ? piece.slice(4) : piece}\n`)
    }
    const sections = findSections(output.lines)
    const folded = shownLines(output.lines, sections, () => true)
    return {
      titles: [...sections.values()].map(({ title, size }) => `${title} (${size})`),
      folded: folded.map((index) => output.lines[index]?.text),
      open: shownLines(output.lines, sections, () => false).length,
    }
  }

  it('begin at headings, and last until the next one', () => {
    expect(sectionsIn('a', '==> One', 'b', 'c', `${e}[1m==>${e}[0m Two`, 'd')).toEqual({
      titles: ['One (2)', 'Two (1)'],
      folded: ['a', '==> One', `${e}[1m==>${e}[0m Two`],
      open: 6,
    })
    expect(sectionsIn('==>', ' ==> no', '==> nothing below').titles).toEqual([])
  })

  it('are groups that end, whose headings are lines', () => {
    const lines = ['::group::Install', '==> x', 'y', '::endgroup::', 'after', '::endgroup::']
    expect(sectionsIn(...lines)).toEqual({
      titles: ['Install (2)'],
      folded: ['::group::Install', 'after', '::endgroup::'],
      open: 5,
    })
    expect(sectionsIn('::group::A', 'a', '::group::B', 'b').titles).toEqual(['A (1)', 'B (1)'])
  })

  it('belong to one stream: errors stay in sight', () => {
    expect(sectionsIn('==> One', 'a', 'err:wrong', 'b', 'err:==> Trace', 'err:at')).toEqual({
      titles: ['One (2)', 'Trace (1)'],
      folded: ['==> One', 'wrong', '==> Trace'],
      open: 6,
    })
  })
})

describe('searching an output', () => {
  const output = createOutputLines()
  output.add('stdout', `one\n${e}[1mTw${e}[0mo twO\nthree\n`)
  const [, second] = output.lines

  it('finds lines in any case, across escape sequences', () => {
    expect(searchLines(output.lines, 'two')).toEqual([1])
    expect(searchLines(output.lines, 'E')).toEqual([0, 2])
    expect(searchLines(output.lines, '')).toEqual([])
    expect(searchLines(output.lines, '[1m')).toEqual([])
  })

  it('marks what it found', () => {
    if (second === undefined) throw new Error('no line')
    const { parts, hidden } = lineParts(second, 'two', 1_000)
    expect(parts.map(({ text, isFound }) => `${isFound ? '*' : ''}${text}`)).toEqual([
      '*Tw',
      '*o',
      ' ',
      '*twO',
    ])
    expect(hidden).toBe(0)
  })

  it('folds a long line', () => {
    const long = { key: 0, stream: 'stdout', number: 1, style: plainStyle } as const
    const { parts, hidden } = lineParts({ ...long, text: 'ab'.repeat(50_000) }, 'ab', 1_000)
    expect(parts.map(({ text }) => text).join('')).toHaveLength(1_000)
    expect(hidden).toBe(99_000)
    expect(parts.length).toBeLessThan(500)
  })
})
