import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decodeTemplateData } from '../notification/decode-template-data.ts'
import { createFixture } from '../service.fixture.ts'
import { type RenderTemplateOptions, renderTemplate } from './render-template.ts'

const files = [{ name: 'own.tmpl', text: '{{ define "own" }}{{ .Status | toUpper }}{{ end }}' }]
const text = 'route: { receiver: a.b, group_by: [team] }\nreceivers: [ { name: a.b } ]\n'

const render = (template: string, options?: RenderTemplateOptions): string => {
  const { alerts } = createFixture({ config: { text, templateFiles: files } })
  return renderTemplate(alerts, template, options)
}

describe('renderTemplate()', () => {
  it('finds the templates that come with the service and those of its files', () => {
    expect(render('{{ template "own" . }} {{ template "__alertmanager" . }}')).toBe(
      'FIRING Alertmanager',
    )
  })

  it('renders a sample like a notification to the receiver of the root route', () => {
    const template = '{{ .Receiver }} {{ .GroupLabels }} {{ .CommonLabels }} {{ .ExternalURL }}'
    const labels = { alertname: 'A', team: 'x' }
    expect(render(template, { sample: { alerts: [{ labels, status: 'resolved' }] } })).toBe(
      'a\\.b team=x alertname=A, team=x http://localhost:9093',
    )
  })

  it('escapes its output as HTML only on request', () => {
    const sample = { alerts: [{ annotations: { summary: '<b>' } }] }
    const template = '<i>{{ .CommonAnnotations.summary }}</i>'
    expect(render(template, { sample })).toBe('<i><b></i>')
    expect(render(template, { sample, type: 'html' })).toBe('<i>&lt;b&gt;</i>')
  })

  it.each([
    ['{{ if }}', 'TemplateSyntax', 'template: :1: missing value for if'],
    [
      '{{ .Nope }}',
      'TemplateExecution',
      'template: :1:3: executing "" at <.Nope>: can\'t evaluate field Nope in type template.Data',
    ],
  ])('reports the error in %s', (template, reason, message) => {
    const error = expect.objectContaining({ reason, message })
    expect(() => render(template)).toThrow(error)
  })

  it('renders data as given, and derives nothing from it', () => {
    const data = decodeTemplateData('{"receiver":"a.b","alerts":[{"labels":{"a":"b"}}]}')
    const template = '{{ .Receiver }}|{{ .Status }}|{{ len .Alerts }}|{{ len .CommonLabels }}'
    expect(render(template, { data })).toBe('a.b||1|0')
  })
})

interface Recorded {
  readonly data: object
  readonly cases: readonly {
    readonly type: 'text' | 'html'
    readonly template: string
    readonly output?: string
    readonly follow?: object
  }[]
}

describe('data in JSON', () => {
  it('renders the same text as the recorded reference', () => {
    const vectors = new URL('../../../vectors/alerts/templates.json', import.meta.url)
    const { data, cases }: Recorded = JSON.parse(readFileSync(vectors, 'utf8'))
    const { alerts } = createFixture()
    const facts = decodeTemplateData(JSON.stringify(data))
    const recorded = cases.filter(({ output, follow }) => output !== undefined && !follow)
    expect(recorded.length).toBeGreaterThan(100)
    for (const { type, template, output } of recorded) {
      expect({ template, output: renderTemplate(alerts, template, { type, data: facts }) }).toEqual(
        { template, output },
      )
    }
  })
})
