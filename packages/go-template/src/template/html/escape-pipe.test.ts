import { describe, expect, it } from 'vitest'
import { formatNode } from '../format-node.ts'
import type { ActionNode } from '../node.ts'
import { parseSource } from '../parse/parse-source.ts'
import { escapePipe } from './escape-pipe.ts'
import type { EscaperName } from './escaper-name.ts'

const options = { hasFunction: () => true, maxSource: 1_000, maxNesting: 10 }

function actionOf(text: string): ActionNode {
  const [node] = parseSource({ name: '', text }, options).get('')?.root.nodes ?? []
  if (node?.kind !== 'action') throw new TypeError(`no action: ${text}`)
  return node
}

const html: readonly EscaperName[] = ['_html_template_htmlescaper']
const link: readonly EscaperName[] = [
  '_html_template_urlfilter',
  '_html_template_urlnormalizer',
  '_html_template_attrescaper',
]

describe('a pipeline', () => {
  it.each([
    ['{{.A}}', html, '.A | _html_template_htmlescaper'],
    ['{{f .A | g}}', html, 'f .A | g | _html_template_htmlescaper'],
    ['{{.A | html}}', html, '.A | html'],
    ['{{html .A .B}}', html, '_eval_args_ .A .B | html'],
    ['{{html}}', html, 'html'],
    ['{{.A | urlquery}}', html, '.A | urlquery | _html_template_htmlescaper'],
    ['{{urlquery .A}}', html, '_eval_args_ .A | urlquery | _html_template_htmlescaper'],
    ['{{.A | html}}', link, '.A | _html_template_urlfilter | _html_template_urlnormalizer | html'],
    [
      '{{.A | urlquery}}',
      link,
      '.A | _html_template_urlfilter | urlquery | _html_template_attrescaper',
    ],
    ['{{html.A}}', html, 'html.A | _html_template_htmlescaper'],
    ['{{.A}}', [], '.A'],
  ])('%s with %j becomes %s', (text, escapers, escaped) => {
    expect(formatNode(escapePipe(actionOf(text).pipe, escapers))).toBe(escaped)
  })

  it('is not modified', () => {
    const { pipe } = actionOf('{{html .A}}')
    escapePipe(pipe, html)
    expect(formatNode(pipe)).toBe('html .A')
  })
})
