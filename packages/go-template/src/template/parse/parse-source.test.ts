import { describe, expect, it } from 'vitest'
import { formatNode } from '../format-node.ts'
import { defaultLimits } from '../limits.ts'
import type { Templates } from '../node.ts'
import { parseSource } from './parse-source.ts'

const options = { ...defaultLimits, hasFunction: (name: string) => name !== 'missing' }

const parse = (text: string, name = 'page'): Templates => parseSource({ name, text }, options)

/** Parses a template and formats the tree as text. */
const rewrite = (text: string): string => {
  const template = parse(text).get('page')
  return template === undefined ? '' : formatNode(template.root)
}

describe('parseSource()', () => {
  it('returns the definitions, and the rest under the name of the source', () => {
    const templates = parse('a{{ define "x" }}b{{ end }}c{{ block "y" . }}d{{ end }}')
    expect(Array.from(templates.keys()).sort()).toEqual(['page', 'x', 'y'])
    expect(rewrite('a{{ define "x" }}b{{ end }}c')).toBe('ac')
  })

  it.each([
    ['{{ .A.B.C | print 1 `x` "y" }}', '{{.A.B.C | print 1 `x` "y"}}'],
    ['{{ $x := (index .A 0).B }}{{ $x.C }}', '{{$x := (index .A 0).B}}{{$x.C}}'],
    [
      '{{range $i, $x := .}}{{$i}}{{else}}none{{end}}',
      '{{range $i, $x := .}}{{$i}}{{else}}none{{end}}',
    ],
    ['{{if 1}}a{{else if 2}}b{{end}}', '{{if 1}}a{{else}}{{if 2}}b{{end}}{{end}}'],
    ['{{with 1}}a{{else with 2}}b{{end}}', '{{with 1}}a{{else}}{{with 2}}b{{end}}{{end}}'],
    ['{{template "x"}}{{template "y" .}}', '{{template "x"}}{{template "y" .}}'],
    ['{{range 3}}{{break}}{{continue}}{{end}}', '{{range 3}}{{break}}{{continue}}{{end}}'],
    ['{{nil}}{{true}}{{.}}{{$}}', '{{nil}}{{true}}{{.}}{{$}}'],
    ['a {{- /* gone */ -}} b', 'ab'],
  ])('reads %s', (text, written) => expect(rewrite(text)).toBe(written))

  it('gives the position of a node', () => {
    const [, action] = parse('é{{ .A }}').get('page')?.root.nodes ?? []
    expect(action?.pos).toBe(4)
  })

  it.each([
    ['{{ missing }}', 'template: page:1: function "missing" not defined'],
    ['\n\n{{ if }}', 'template: page:3: missing value for if'],
    ['{{ if true }}\n{{ end', 'template: page:2: unclosed action'],
    ['{{ if true\n\n', 'template: page:3: unclosed action started at page:1'],
    ['{{ "a\n" }}', 'template: page:1: unterminated quoted string'],
    [
      '{{ .A\n§ }}',
      "template: page:2: unrecognized character in action: U+00A7 '§' in action started at page:1",
    ],
    ['{{ . }}{{ ) }}', 'template: page:1: unexpected right paren'],
    ['{{ with 1 }}{{ else if 2 }}{{ end }}', 'template: page:1: unexpected <if> in input'],
  ])('refuses %j', (text, message) => {
    expect(() => parse(text)).toThrow(message)
  })

  it('refuses duplicate definitions of a name, except empty ones', () => {
    expect(() => parse('{{define "x"}}a{{end}}{{define "x"}}b{{end}}')).toThrow(
      'template: page:1: template: multiple definition of template "x"',
    )
    const templates = parse('{{define "x"}}a{{end}}{{define "x"}} \n{{end}}')
    expect(templates.get('x')?.root.nodes).toMatchObject([{ kind: 'text', text: 'a' }])
  })

  it('throws descriptive errors', () => {
    expect(() => parse('\n{{ end }}')).toThrow(
      expect.objectContaining({
        kind: 'Invalid',
        reason: 'TemplateSyntax',
        info: { template: 'page', line: 2 },
      }),
    )
  })

  it.each([
    ['parentheses', '{{ ', '(', '1', ')', ' }}'],
    ['conditions', '', '{{if 1}}', 'x', '{{end}}', ''],
    ['alternatives', '{{if 0}}', '{{else if 0}}', '{{else}}x', '', '{{end}}'],
  ])('limits the nesting of %s', (_, start, open, inner, close, end) => {
    const nest = (depth: number): string =>
      start + open.repeat(depth) + inner + close.repeat(depth) + end
    expect(() => parse(nest(199))).not.toThrow()
    expect(() => parse(nest(10_000))).toThrow('template: page:1: nested deeper than 200 levels')
  })

  it('limits the length of a text', () => {
    const read = () =>
      parseSource({ name: 'p', text: 'x'.repeat(11) }, { ...options, maxSource: 10 })
    expect(read).toThrow('template: p:1: longer than 10 characters')
  })

  it.each([
    ['a long line of actions', '{{.}}'.repeat(200_000)],
    ['many lines', '\n{{.}}'.repeat(170_000)],
    ['a long string', `{{"${'\\\\'.repeat(500_000)}"}}`],
    ['a long number', `{{${'1'.repeat(1_000_000)}i}}`],
    [
      'many variables',
      `${'{{ $x := 1 }}'.repeat(40_000)}{{ $y := 1 }}${'{{ $y }}'.repeat(50_000)}`,
    ],
    ['many blanks', `{{${' '.repeat(1_000_000)}}}`],
    ['an unclosed comment', `{{/*${'*'.repeat(1_000_000)}`],
  ])('takes little time for %s', (_, text) => {
    const before = process.cpuUsage()
    try {
      parse(text)
    } catch (error) {
      expect(error).toMatchObject({ reason: 'TemplateSyntax' })
    }
    // Time of the processor: a busy machine does not matter. Quadratic work would take minutes.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000)
  })
})
