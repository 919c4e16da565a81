import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli, runHere } from '../main.fixture.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  write('own.tmpl', '{{ define "own" }}own of {{ .Receiver }}{{ end }}')
  write('bad.tmpl', '{{ define "x" }}\n{{ if }}{{ end }}{{ end }}')
  write('data.json', '{"receiver":"a.b","alerts":[{"status":"firing","labels":{"a":"<b>"}}]}')
  write('bad.json', '{"receiver":1}')
  write('am.yml', 'route: { receiver: r }\nreceivers: [ { name: r } ]\ntemplates: [ own.tmpl ]\n')
})
afterAll(() => rmSync(folder, { recursive: true }))

const render = (template: string, ...flags: readonly string[]) =>
  runHere(['template', 'render', `--template.text=${template}`, ...flags], folder)

describe('gatehouse template render', () => {
  it('prints the text alone, with the templates of globs, of a configuration and of the service', async () => {
    const template = '{{ template "own" . }} {{ template "__alertmanager" . }}'
    const expected = { exitCode: 0, stdout: 'own of receiver Alertmanager', stderr: '' }
    expect(await render(template, '--template.glob=o*.tmpl')).toEqual(expected)
    expect(await render(template, '--config.file=am.yml')).toEqual(expected)
    const empty = ['template', 'render', '--template.text=']
    expect(await runCli(empty, folder)).toEqual({ ...expected, stdout: '' })
  })

  it('renders data from a file, and escapes HTML if requested', async () => {
    const template = '{{ .Receiver }} {{ range .Alerts.Firing }}{{ .Labels.a }}{{ end }}'
    const data = '--template.data=data.json'
    expect((await render(template, data)).stdout).toBe('a.b <b>')
    expect((await render(template, data, '--template.type=html')).stdout).toBe('a.b &lt;b&gt;')
  })

  it.each([
    ['{{ nope }}', [], 'template: :1: function "nope" not defined'],
    ['x', ['--template.glob=bad.tmpl'], 'template: bad.tmpl:2: missing value for if'],
    ['x', ['--template.glob=['], '[: syntax error in pattern'],
    ['x', ['--template.data=none.json'], 'none.json: no such file or directory'],
    [
      'x',
      ['--template.data=bad.json'],
      'bad.json: json: cannot unmarshal number into Go struct field Data.receiver of type string',
    ],
    ['x', ['--config.file=none.yml'], 'none.yml: no such file or directory'],
  ])(
    '%s with %j prints the problem in one line and exits with 1',
    async (template, flags, line) => {
      expect(await render(template, ...flags)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `${line}\n`,
      })
    },
  )
})
