import { describe, expect, it } from 'vitest'
import { readMarkdown } from '../src/widgets/markdown.ts'

const text = (value: string) => ({ kind: 'text', text: value })

describe('readMarkdown()', () => {
  it('reads bold, code and links within a line', () => {
    expect(
      readMarkdown('Disk **nearly full**: run `df -h`, see [docs](https://d.example/a).'),
    ).toEqual([
      {
        kind: 'lines',
        lines: [
          [
            text('Disk '),
            { kind: 'strong', text: 'nearly full' },
            text(': run '),
            { kind: 'code', text: 'df -h' },
            text(', see '),
            { kind: 'link', text: 'docs', url: 'https://d.example/a' },
            text('.'),
          ],
        ],
      },
    ])
  })

  it('reads lists and code blocks between lines', () => {
    expect(readMarkdown('First\n- one\n- two\n```\nat f (a.ts:1)\n  **x**\n```\nlast')).toEqual([
      { kind: 'lines', lines: [[text('First')]] },
      { kind: 'list', items: [[text('one')], [text('two')]] },
      { kind: 'code', text: 'at f (a.ts:1)\n  **x**' },
      { kind: 'lines', lines: [[text('last')]] },
    ])
  })

  it('treats a fence that nothing closes as a line', () => {
    expect(readMarkdown('a\n```js\nb')).toEqual([
      { kind: 'lines', lines: [[text('a')], [text('```js')], [text('b')]] },
    ])
  })

  it('ends a URL before the full stop of its sentence', () => {
    expect(readMarkdown('see https://a.example/b.')).toEqual([
      {
        kind: 'lines',
        lines: [
          [
            text('see '),
            { kind: 'link', text: 'https://a.example/b', url: 'https://a.example/b' },
            text('.'),
          ],
        ],
      },
    ])
  })

  it.each([
    '[x](javascript:alert(1))',
    '[x](data:text/html,y)',
    '<b>bold</b> <img src=x onerror=alert(1)>',
    '![x](/logo.png)',
    '2 ** 3 ** 4',
    '**',
    '`',
    '```',
    'a_b_c * d',
  ])('leaves everything else as it is: %s', (value) => {
    expect(readMarkdown(value)).toEqual([{ kind: 'lines', lines: [[text(value)]] }])
  })

  it('takes linear time for hostile texts', () => {
    const started = performance.now()
    for (const part of ['**', '`', '[', '[a](', '```\n', '- ', '**a'])
      readMarkdown(part.repeat(20_000 / part.length))
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
