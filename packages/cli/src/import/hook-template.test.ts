import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withReferences } from './hook-outside.ts'
import { looksLikeTemplate, renderHooks } from './hook-template.ts'

const brace = (inner: string) => `\${${inner}}`

describe('a hooks file as a template', () => {
  let folder: string
  let others: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hooks-'))
    others = mkdtempSync(join(tmpdir(), 'others-'))
    writeFileSync(join(folder, 'key'), 'from a file\n')
    writeFileSync(join(others, 'key'), 'from elsewhere\n')
    symlinkSync(join(others, 'key'), join(folder, 'link'))
  })
  afterAll(() => {
    for (const made of [folder, others]) rmSync(made, { recursive: true })
  })

  const rendered = (text: string, environment: Record<string, string> = {}, more: string[] = []) =>
    renderHooks('hooks.json', text, { environment, folders: [folder, ...more] })
  const referred = (text: string, environment?: Record<string, string>) =>
    withReferences(rendered(text, environment))

  it.each([
    ['{{ getenv "A" }}', 'env:A'],
    ['{{- getenv `A` | js -}}', 'env:A'],
    ['{{ "A" | getenv }}', undefined],
    ['{{ credential "A" | js | print }}', 'cred:A'],
    ['{{ cat "/run/secrets/a" }}', 'file:/run/secrets/a'],
  ])('%s becomes a reference, and nothing is read', (text, reference) => {
    expect(referred(text)).toBe(reference === undefined ? '' : brace(reference))
  })

  it('finds a credential in a variable if there is no folder of them', () => {
    expect(referred('{{ credential "A" }}', { A: 'x' })).toBe(brace('env:A'))
    const systemd = { A: 'x', CREDENTIALS_DIRECTORY: folder }
    expect(referred('{{ credential "A" }}', systemd)).toBe(brace('cred:A'))
    expect(rendered('{{ credential "key" | html }}', systemd)).toBe('from a file')
  })

  it('starts relative paths at the folder of the file', () => {
    expect(referred('{{ cat "key" }}')).toBe(brace(`file:${folder}/key`))
  })

  it('sees values in conditions, variables and other functions', () => {
    const text =
      '{{ if eq (getenv "A") "x" }}{{ $a := getenv "A" }}{{ $a }}{{ getenv "B" | html }}{{ end }}'
    expect(rendered(text, { A: 'x', B: '<' })).toBe('x&lt;')
    expect(rendered(text, { A: 'y' })).toBe('')
    expect(rendered('{{ with cat "key" }}{{ . }}{{ end }}')).toBe('from a file')
    expect(referred('{{ if true }}{{ getenv "A" }}{{ else }}{{ getenv "B" }}{{ end }}')).toBe(
      brace('env:A'),
    )
  })

  it.each([
    '{{ cat "../x" | html }}',
    '{{ cat "link" | html }}',
    '{{ if cat "/etc/passwd" }}{{ end }}',
  ])('%s reads no file of another folder', (text) => {
    expect(() => rendered(text)).toThrow(/^hooks\.json: its template reads .*(?:outside|not here)/)
  })

  it('reads files of a folder that is named', () => {
    expect(rendered('{{ cat "link" | html }}', {}, [others])).toBe('from elsewhere')
  })

  it.each([
    '[\n{"secret": "{{ getenv \\"A\\" | js }}"}]',
    '[\n{"secret": "{{ "a" }}{{getenv \\"A\\"}}"}]',
  ])('explains escaped quotes in %j', (text) => {
    expect(() => rendered(text)).toThrow(
      /^hooks\.json: line 2: a quote between \{\{ and \}\} has no backslash/,
    )
  })

  it('has no other function, and says where it is', () => {
    expect(() => rendered('\n{{ title "a" }}')).toThrow(
      'hooks.json:2: function "title" not defined',
    )
    expect(() => rendered('{{ "A" | `getenv as a mark` }}')).toThrow('hooks.json')
  })

  it('is recognized', () => {
    expect(looksLikeTemplate('{{ getenv "A" }}')).toBe(true)
    expect(looksLikeTemplate('{{- if eq (credential "A") "" }}')).toBe(true)
    expect(looksLikeTemplate('["{{ .Names }}", "getenv"]')).toBe(false)
  })
})
