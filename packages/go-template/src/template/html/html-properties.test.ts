import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../../test-support/lane.ts'
import { GoError } from '../../go-error.ts'
import { textFunctions } from '../functions/text-functions.ts'
import { renderText } from '../template-set.ts'
import type { Value } from '../value.ts'
import { decodeCss } from './escapers/css-text.ts'
import { parseHtmlTemplates } from './parse-html-templates.ts'
import { decodeReferences, type HtmlPiece, readHtml } from './read-html.fixture.ts'

const set = parseHtmlTemplates([], { functions: textFunctions })

const render = (template: string, data: Value): string => renderText(set, template, { data })

/** Texts that could break out of a context. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '`',
        '&',
        '&lt;',
        '=',
        ' ',
        '/',
        '\\',
        '</script>',
        '<!--',
      ),
      fc.constantFrom('-->', '*/', '//', '${', '}', '\n', '\u2028', '\0', ')', ';', 'url(', ']]>'),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

/** A whole number is an `int`, which has no negative zero. */
const finite = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((number) => (number === 0 ? 0 : number))

/** The text of a piece of HTML. */
function textOfPiece(piece: HtmlPiece | undefined): string {
  return piece?.kind === 'text' ? piece.text : ''
}

function attributeOf(piece: HtmlPiece | undefined, name: string): string | undefined {
  return piece?.kind === 'tag' ? piece.attributes.get(name) : undefined
}

/** NUL is not valid in HTML. All programs show the replacement character instead. */
const shown = (value: string): string => value.replaceAll('\0', '\ufffd')

describe('any value', () => {
  it('stays text between elements', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const [open, text, close] = readHtml(render('<p>x{{.}}</p>', value))
        expect([open, close]).toEqual([
          { kind: 'tag', name: 'p', attributes: new Map() },
          { kind: 'tag', name: '/p', attributes: new Map() },
        ])
        expect(textOfPiece(text)).toBe(`x${shown(value)}`)
      }),
    )
  })

  it.each(['<p title="{{.}}" id=x>', "<p title='{{.}}' id=x>", '<p id=x title={{.}}>'])(
    'stays the value of its attribute in %s',
    (template) => {
      fc.assert(
        fc.property(hostile, (value) => {
          const pieces = readHtml(render(template, value))
          expect(pieces.length).toBe(1)
          expect(attributeOf(pieces[0], 'id')).toBe('x')
          const isEmpty = value === '' && template.endsWith('={{.}}>')
          expect(attributeOf(pieces[0], 'title')).toBe(isEmpty ? 'ZgotmplZ' : shown(value))
        }),
      )
    },
  )

  it.each(['textarea', 'title'])('stays text in a %s', (name) => {
    fc.assert(
      fc.property(hostile, (value) => {
        const pieces = readHtml(render(`<${name}>{{.}}</${name}>x`, value))
        expect(pieces.length).toBe(4)
        expect(textOfPiece(pieces[1])).toBe(shown(value))
      }),
    )
  })

  it('is a single value of a query', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const [link] = readHtml(render('<a href="/x?a={{.}}&b=1">', value))
        const href = new URL(attributeOf(link, 'href') ?? '', 'http://h')
        expect(href.pathname).toBe('/x')
        const [a, b] = href.search.slice('?a='.length).split('&')
        expect([decodeURIComponent(a ?? ''), b]).toEqual([value, 'b=1'])
      }),
    )
  })

  it('does not make a link run a script', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.constant('JavaScript:alert(1)')), (value) => {
        const [link] = readHtml(render('<a href="{{.}}">', value))
        const href = attributeOf(link, 'href') ?? ''
        expect(/^[^/?#]*:/.test(href) && !/^(?:https?|mailto):/i.test(href)).toBe(false)
      }),
    )
  })

  it('is a single value of a script', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, finite, fc.boolean()), (value) => {
        const pieces = readHtml(render('<script>x={{.}};</script>y', value))
        expect(pieces.length).toBe(4)
        const script = textOfPiece(pieces[1])
        expect(JSON.parse(script.slice('x='.length, -';'.length))).toBe(value)
      }),
    )
  })

  it('is a single string of a script', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const pieces = readHtml(render(`<script>x='{{.}}'</script>y`, value))
        expect(pieces.length).toBe(4)
        const literal = textOfPiece(pieces[1]).slice("x='".length, -1)
        expect(JSON.parse(`"${literal}"`)).toBe(value)
      }),
    )
  })

  it('is a single argument in an event handler', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const [button] = readHtml(render('<button onclick="f({{.}})">', value))
        const code = attributeOf(button, 'onclick') ?? ''
        expect(JSON.parse(code.slice('f('.length, -1))).toBe(value)
      }),
    )
  })

  it('is a single string of a style sheet', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const pieces = readHtml(render('<style>p { a: "/{{.}}" }</style>x', value))
        expect(pieces.length).toBe(4)
        const string = textOfPiece(pieces[1]).slice('p { a: "/'.length, -'" }'.length)
        expect(string).not.toMatch(/["\n\f]/)
        expect(decodeCss(string)).toBe(value)
      }),
    )
  })
})

const part = fc.constantFrom(
  ...['<p', '>', '<a href="', '"', "'", ' x', '=', '<script>', '</script>', '<style>', '</style>'],
  ...['<!--', '-->', '/', '*', '//', '`', '${', '{', '}', '\\', 'url(', ')', '&quot;', '\n', '<'],
  ...['<textarea>', '</textarea>', '<meta content="', 'url=', ';', ' srcset="', ' onclick="', '?'],
  ...['{{.}}', '{{. | html}}', '{{. | urlquery}}', '{{safeHtml .}}', '{{if .}}', '{{else}}'],
  ...['{{end}}', '{{range $i := 2}}', '{{break}}', '{{continue}}', '{{template "t" .}}'],
)

describe('any template', () => {
  it('is rendered or refused', () => {
    let rendered = 0
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), hostile, (parts, value) => {
        const [defined = '', ...rest] = parts
        const template = `{{define "t"}}${defined}{{end}}${rest.join('')}`
        try {
          render(template, value)
          rendered += 1
        } catch (error) {
          expect(error).toBeInstanceOf(GoError)
        }
      }),
      { numRuns: runsOf(1_000) },
    )
    expect(rendered).toBeGreaterThan(runsOf(1_000) / 20)
  })

  it('writes references that browsers decode to the same characters', () => {
    expect(decodeReferences(render('{{.}}', `&<>"'+`))).toBe(`&<>"'+`)
  })
})
