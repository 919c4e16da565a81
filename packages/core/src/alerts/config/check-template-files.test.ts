import { expect, it } from 'vitest'
import { checkTemplateFiles } from './check-template-files.ts'

it('accepts files that use the functions of the service', () => {
  const text =
    '{{ define "x" }}{{ template "__subject" . }} {{ routeLabels "a" }} {{ now }}{{ end }}'
  expect(() => checkTemplateFiles([{ name: 'good.tmpl', text }])).not.toThrow()
})

it('reports the file and line of an error', () => {
  const good = { name: 'good.tmpl', text: '{{ define "x" }}{{ end }}' }
  const bad = { name: 'bad.tmpl', text: '{{ define "y" }}\n{{ if }}{{ end }}{{ end }}' }
  const error = expect.objectContaining({
    reason: 'TemplateSyntax',
    message: 'template: bad.tmpl:2: missing value for if',
  })
  expect(() => checkTemplateFiles([good, bad])).toThrow(error)
})
