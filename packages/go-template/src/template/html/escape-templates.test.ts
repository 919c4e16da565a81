import { describe, expect, it } from 'vitest'
import { GoError } from '../../go-error.ts'
import { textFunctions } from '../functions/text-functions.ts'
import { stringMapType, struct, typedText } from '../make-value.ts'
import { renderTemplate, renderText } from '../template-set.ts'
import type { Value } from '../value.ts'
import { parseHtmlTemplates } from './parse-html-templates.ts'

const set = parseHtmlTemplates([], { functions: textFunctions, missingKey: 'zero' })
const data = struct(
  { name: 'Data' },
  {
    X: '<x>',
    Url: 'javascript:alert(1)',
    True: true,
    Html: typedText('template.HTML', '<b>&amp;'),
    Map: { kind: 'map', type: stringMapType, entries: new Map([['a', 'b']]) },
  },
)

const render = (template: string, value: Value = data): string =>
  renderText(set, template, { data: value })

describe('the output of an action', () => {
  it.each([
    ['{{.X}}', '&lt;x&gt;'],
    ['{{.Html}}', '<b>&amp;'],
    ['{{.Map.missing}}|{{.Map}}', '|map[a:b]'],
    ['{{$x := .X}}{{$x}}{{$x = "y"}}{{$x}}', '&lt;x&gt;y'],
    [
      '<p title="{{.X}}" id={{.X}} {{.X}}={{.X}}>',
      '<p title="&lt;x&gt;" id=&lt;x&gt; ZgotmplZ=&lt;x&gt;>',
    ],
    ['<a href="{{.Url}}">', '<a href="#ZgotmplZ">'],
    ['<a href="/{{.Url}}">', '<a href="/javascript:alert%281%29">'],
    ['<a href="?{{.Url}}">', '<a href="?javascript%3aalert%281%29">'],
    ['<a href={{.Url}}>', '<a href=#ZgotmplZ>'],
    ['<img srcset="{{.Url}}, /b">', '<img srcset="#ZgotmplZ, /b">'],
    ['<meta content="0; url={{.Url}}">', '<meta content="0; url=#ZgotmplZ">'],
    ['<meta content="{{.Url}}">', '<meta content="javascript:alert(1)">'],
    [
      '<a style="color: {{.X}}; a: url(\'{{.Url}}\')">',
      '<a style="color: ZgotmplZ; a: url(\'#ZgotmplZ\')">',
    ],
    ['<style>a { b: "/{{.X}}" }</style>', '<style>a { b: "/\\3cx\\3e " }</style>'],
    [
      '<style>a: url("/x{{.X}}"); b: url({{.Url}})</style>',
      '<style>a: url("/x%3cx%3e"); b: url(#ZgotmplZ)</style>',
    ],
    [
      '<script>a = {{.X}} / 2 + /{{.X}}/</script>',
      '<script>a = "\\u003cx\\u003e" / 2 + /\\u003cx\\u003e/</script>',
    ],
    ["<script>'{{.X}}'+`{{.X}}`</script>", "<script>'\\u003cx\\u003e'+`\\u003cx\\u003e`</script>"],
    ['<script>`a\x24{ {{.X}} }`</script>', '<script>`a\x24{ "\\u003cx\\u003e" }`</script>'],
    ['<script>// {{.X}}\n</script>', '<script>\n</script>'],
    ['<script type="text/x">{{.X}}</script>', '<script type="text/x">&lt;x&gt;</script>'],
    ['<title>{{.Html}}</title>', '<title>&lt;b&gt;&amp;</title>'],
    ['a<!-- {{.X}} -->b', 'ab'],
    ['{{.X | html}}{{html .X "&"}}', '&lt;x&gt;&lt;x&gt;&amp;'],
    ['<a href="?x={{urlquery .X}}">', '<a href="?x=%3Cx%3E">'],
  ])('%s', (template, output) => {
    expect(render(template)).toBe(output)
  })
})

describe('branches', () => {
  it.each([
    ['<p title={{if .True}}{{.X}}{{end}}>', '<p title=&lt;x&gt;>'],
    ['<p {{if .True}}id{{end}}=x>', '<p id=x>'],
    ['<a href="{{if .True}}/a{{else}}/b{{end}}{{.Url}}">', '<a href="/ajavascript:alert%281%29">'],
    ['{{if .True}}<b>{{else}}<i>{{end}}{{.X}}', '<b>&lt;x&gt;'],
    ['<div{{range $k, $v := .Map}} {{$k}}="{{$v}}"{{end}}>', '<div a="b">'],
    ['{{range .Map}}{{if .}}{{break}}{{end}}<b>{{continue}}<b {{end}}', ''],
    ['<a href="{{with .Map}}{{range .}}{{.}}{{end}}{{end}}">', '<a href="b">'],
  ])('%s', (template, output) => {
    expect(render(template)).toBe(output)
  })

  const text = '{stateText delimNone urlPartNone jsCtxRegexp attrNone elementNone <nil>}'
  const tag = '{stateTag delimNone urlPartNone jsCtxRegexp attrNone elementNone <nil>}'

  it.each([
    [
      'x\n {{if .X}}<a{{end}}',
      `html/template::2:6: {{if}} branches end in different contexts: ${tag}, ${text}`,
    ],
    [
      '{{with .X}}{{else}}<a{{end}}',
      `html/template::1:7: {{with}} branches end in different contexts: ${text}, ${tag}`,
    ],
    [
      '{{range .Map}}<b {{end}}',
      'html/template::1: on range loop re-entry: "<" in attribute name: "<b "',
    ],
    [
      '{{range .Map}}<a{{if .}}{{break}}{{end}}>{{end}}',
      `html/template::1:26: at range loop break: {{range}} branches end in different contexts: ${text}, ${tag}`,
    ],
    [
      '<a href="{{if .X}}x{{else}}?y{{end}}{{.X}}">',
      'html/template::1:38: {{.X}} appears in an ambiguous context within a URL',
    ],
    [
      '<script>{{if .X}}1{{end}} / 2',
      'html/template: \'/\' could start a division or regexp: "/ 2"',
    ],
    [
      '<a href="x',
      'html/template: ends in a non-text context: {stateURL delimDoubleQuote urlPartPreQuery jsCtxRegexp attrURL elementNone <nil>}',
    ],
    ['<a "x', 'html/template: "\\"" in attribute name: " \\"x"'],
    [
      '{{.X | html | print}}',
      'html/template::1:2: predefined escaper "html" disallowed in template',
    ],
    ['<a x={{.X | html}}>', 'html/template::1:7: predefined escaper "html" disallowed in template'],
    ['{{template "none"}}', 'html/template::1:11: no such template "none"'],
  ])('%s is refused', (template, message) => {
    let found: unknown
    try {
      render(template)
    } catch (error) {
      found = error
    }
    expect(found).toBeInstanceOf(GoError)
    expect(found).toMatchObject({ kind: 'Invalid', reason: 'TemplateUnsafe', message })
  })
})

describe('templates that call each other', () => {
  it('are escaped for each context in which they are called', () => {
    const template =
      '{{define "x"}}{{.}}{{end}}{{template "x" .X}}<a href="{{template "x" .Url}}" title={{template "x" .X}}>'
    expect(render(template)).toBe('&lt;x&gt;<a href="#ZgotmplZ" title=&lt;x&gt;>')
  })

  it('have the context in their names when they fail', () => {
    expect(() => render('{{define "x"}}{{.Nope}}{{end}}<a href="{{template "x" .}}">')).toThrow(
      'executing "x$htmltemplate_stateURL_delimDoubleQuote_attrURL" at <.Nope>',
    )
  })

  it('may open what others close, repeatedly', () => {
    const template =
      '{{define "open"}}<script>{{end}}{{template "open"}}</script>{{template "open"}}{{.X}}</script>'
    expect(render(template)).toBe('<script></script><script>"\\u003cx\\u003e"</script>')
  })

  it('may call themselves', () => {
    const list = '{{define "l"}}<b>{{if .}}{{template "l" ""}}{{end}}</b>{{.}}{{end}}'
    expect(render(`${list}{{template "l" .X}}`)).toBe('<b><b></b></b>&lt;x&gt;')
    const path = '{{define "p"}}{{.}}{{if .}}{{template "p" ""}}{{end}}/{{end}}'
    expect(render(`${path}<a href="{{template "p" .Url}}">`)).toBe('<a href="#ZgotmplZ//">')
  })

  it('may not change the context at each recursive call', () => {
    const template = '{{define "q"}}{{template "q"}}"{{end}}<script>{{template "q"}}'
    expect(() => render(template)).toThrow(
      'html/template::1:14: cannot compute output context for template q$htmltemplate_stateJS_elementScript',
    )
  })

  it('are not modified for others', () => {
    const shared = parseHtmlTemplates([
      { name: 'a', text: '{{define "x"}}{{.}}{{end}}{{template "x" .}}' },
    ])
    expect(renderText(shared, '<a title={{template "x" .}}>', { data: ' ' })).toBe(
      '<a title=&#32;>',
    )
    expect(renderTemplate(shared, 'a', { data: '<' })).toBe('&lt;')
  })
})

describe('templates that are nested', () => {
  const nested = (depth: number, inner: string): string =>
    `${'{{if .}}'.repeat(depth)}${inner}${'{{end}}'.repeat(depth)}`

  it('are escaped at any depth that can be parsed', () => {
    const template = `{{define "x"}}${nested(190, '{{.}}')}{{end}}${nested(190, '{{template "x" .}}')}`
    expect(render(template, '<')).toBe('&lt;')
  })

  it('take no longer when contexts change in each range', () => {
    const ranges = `${'{{range .}}x '.repeat(150)}${'{{end}}'.repeat(150)}`
    expect(render(`<a ${ranges}>`, [])).toBe('<a >')
  })

  const chain = (length: number, body: (i: number) => string): string => {
    const defined = Array.from({ length }, (_, i) => `{{define "${i}"}}${body(i)}{{end}}`)
    return `${defined.join('')}{{define "${length}"}}{{end}}<a href="{{template "0"}}">`
  }

  it.each([
    ['each calls the next', chain(3_000, (i) => `{{template "${i + 1}"}}`), 'nested more than 400'],
    [
      'each calls itself and the next',
      chain(
        40,
        (i) => `"><a href="{{template "${i + 1}"}}"><a href="{{if .}}{{template "${i}"}}{{end}}x`,
      ),
      'too much to escape',
    ],
    [
      'in contexts without end',
      '{{define "x"}}`\x24{ {{template "x"}}{{end}}<script>{{template "x"}}',
      '100 deep',
    ],
  ])('are refused where %s', (_, template, message) => {
    expect(() => render(template)).toThrow(GoError)
    expect(() => render(template)).toThrow(message)
  })
})
