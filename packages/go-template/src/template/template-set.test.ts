import { describe, expect, it } from 'vitest'
import { templateFunction } from './make-function.ts'
import { valueFromJson } from './make-value.ts'
import type { Templates } from './node.ts'
import { parseTemplates, renderTemplate, renderText } from './template-set.ts'

const source = (name: string, text: string) => ({ name, text })

describe('parseTemplates()', () => {
  it('replaces earlier definitions by later ones, but not by empty ones', () => {
    const set = parseTemplates([
      source('a', '{{ define "x" }}first{{ end }}{{ define "y" }}kept{{ end }}'),
      source('b', '{{ define "x" }}second{{ end }}{{ define "y" }}  {{ end }}'),
    ])
    expect(renderText(set, '{{ template "x" }} {{ template "y" }}', { data: null })).toBe(
      'second kept',
    )
  })

  it('uses the text outside of definitions as the template of the source', () => {
    const set = parseTemplates([source('page.tmpl', 'Hello {{ .name }}!')])
    expect(renderTemplate(set, 'page.tmpl', { data: valueFromJson({ name: 'Ada' }) })).toBe(
      'Hello Ada!',
    )
  })

  it('names the source in errors', () => {
    expect(() => parseTemplates([source('page.tmpl', 'a\n{{ nope }}')])).toThrow(
      'template: page.tmpl:2: function "nope" not defined',
    )
    const set = parseTemplates([source('page.tmpl', 'a\n{{ define "x" }}{{ .A }}{{ end }}')])
    expect(() => renderTemplate(set, 'x', { data: 'text' })).toThrow(
      `template: page.tmpl:2:19: executing "x" at <.A>: can't evaluate field A in type string`,
    )
  })
})

describe('renderTemplate()', () => {
  it('refuses a template that was not defined', () => {
    expect(() => renderTemplate(parseTemplates([]), 'x', { data: null })).toThrow(
      expect.objectContaining({
        reason: 'TemplateExecution',
        message: 'template: x: "x" is an incomplete or empty template',
      }),
    )
  })
})

describe('renderText()', () => {
  const set = parseTemplates([source('base', '{{ define "x" }}<{{ . }}>{{ end }}')])

  it('may call the templates of the set, and replace them for itself only', () => {
    expect(renderText(set, '{{ template "x" 1 }}', { data: null })).toBe('<1>')
    const own = '{{ define "x" }}[{{ . }}]{{ end }}{{ template "x" 1 }}'
    expect(renderText(set, own, { data: null })).toBe('[1]')
    expect(renderText(set, '{{ template "x" 1 }}', { data: null })).toBe('<1>')
  })

  it('returns a text without actions unchanged', () => {
    expect(renderText(set, ' plain }} text ', { data: null })).toBe(' plain }} text ')
    expect(renderText(set, '', { data: null })).toBe('')
  })

  it('prints nothing for definitions alone', () => {
    expect(renderText(set, '{{ define "y" }}a{{ end }}', { data: null })).toBe('')
  })

  it('parses a text once, unless many others follow', () => {
    let reads = 0
    const rewrite = (templates: Templates) => {
      reads += 1
      return templates
    }
    const counted = parseTemplates([], { rewrite })
    const render = (text: string) => renderText(counted, text, { data: null })
    render('{{ 1 }}')
    render('{{ 1 }}')
    expect(reads).toBe(1)
    for (let i = 0; i < 600; i++) render(`{{ 1 }}${i}`)
    expect(reads).toBe(601)
    render('{{ 1 }}')
    expect(reads).toBe(602)
  })

  it('does not cache a text that it could not parse', () => {
    const functions = new Map([['late', templateFunction([], () => 'here')]])
    expect(() => renderText(set, '{{ late }}', { data: null })).toThrow(
      'function "late" not defined',
    )
    expect(renderText(set, '{{ late }}', { data: null, functions })).toBe('here')
    expect(() => renderText(set, '{{ late }}', { data: null })).toThrow(
      'template: :1:3: executing "" at <late>: "late" is not a defined function',
    )
  })

  it('runs the result of a rewriting pass', () => {
    const rewrite = (templates: Templates, root: string): Templates => {
      const changed = new Map(templates)
      const template = templates.get(root)
      const text = { kind: 'text', pos: 0, text: `rewritten ${root}` } as const
      if (template === undefined) return templates
      return changed.set(root, { ...template, root: { kind: 'list', pos: 0, nodes: [text] } })
    }
    const rewriting = parseTemplates([source('page', 'x')], { rewrite })
    expect(renderText(rewriting, 'plain', { data: null })).toBe('rewritten ')
    expect(renderTemplate(rewriting, 'page', { data: null })).toBe('rewritten page')
  })
})
