import { expect, it } from 'vitest'
import { checkTemplateFiles } from './check-template-files.ts'

it('takes files that may use what the service brings along', () => {
  const text =
    '{{ define "x" }}{{ template "__subject" . }} {{ routeLabels "a" }} {{ now }}{{ end }}'
  expect(() => checkTemplateFiles([{ name: 'good.tmpl', text }])).not.toThrow()
})

it('says in which file and line something is wrong', () => {
  const good = { name: 'good.tmpl', text: '{{ define "x" }}{{ end }}' }
  const bad = { name: 'bad.tmpl', text: '{{ define "y" }}\n{{ if }}{{ end }}{{ end }}' }
  const error = expect.objectContaining({
    reason: 'TemplateSyntax',
    message: 'template: bad.tmpl:2: missing value for if',
  })
  expect(() => checkTemplateFiles([good, bad])).toThrow(error)
})
