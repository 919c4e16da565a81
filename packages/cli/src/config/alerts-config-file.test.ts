import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { runCli, runHere, serveCli } from '../main.fixture.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  write(
    'config.yaml',
    `listen: 127.0.0.1:0
watch: true
storage: { memory: true }
alerts:
  config: alertmanager.yml
  config_parts:
  - { files: [teams/storage.yml], matchers: ['team="storage"'] }
  - { files: ['more/*.yml'] }
`,
  )
  write('alertmanager.yml', 'route: { receiver: all }\nreceivers: [{ name: all }]\n')
  write(
    'teams/storage.yml',
    `route: { receiver: storage }
receivers:
- name: storage
  webhook_configs: [{ url: "http://127.0.0.1:1/\${file:path}" }]
templates: ['*.tmpl']
`,
  )
  write('teams/path', 's3cr3t\n')
  write('teams/storage.tmpl', '{{ define "storage" }}{{ end }}')
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

describe('a configuration in parts', () => {
  it('is served as one, and a changed part is loaded again', async () => {
    const server = await serveCli(['api', '--config', 'config.yaml'], folder)
    onTestFinished(async () => {
      server.signal('SIGTERM')
      await server.ended
    })
    const get = async (path: string): Promise<string> =>
      (await fetch(`${server.url}/api/v2/${path}`)).text()
    const receivers = async (): Promise<unknown> =>
      JSON.parse(await get('receivers')).map(({ name }: { readonly name: string }) => name)
    expect(await receivers()).toEqual(['all', 'storage'])
    const { config } = JSON.parse(await get('status'))
    expect(config.original).toContain('- team="storage"')
    expect(config.original).not.toContain('s3cr3t')
    const part = 'receivers: [{ name: other }]\n'
    write('teams/storage.yml', part)
    await server.logged(/configuration loaded/)
    expect(await receivers()).toEqual(['all', 'other'])
    write('teams/storage.yml', 'receivers: [{ name: all }]\n')
    expect(await server.logged(/reload failed/)).toContain(
      'teams/storage.yml:1:13: the receiver \\"all\\" is already defined at',
    )
  })

  it('is refused with the file and line of every problem', async () => {
    write('more/a.yml', 'receivers: [{ name: a }]\n')
    write('more/b.yml', 'receivers:\n- name: a\nroute: { receiver: c }\n')
    write('teams/storage.tmpl', '{{ define "email.default.html" }}{{ end }}')
    const first = await runCli(['check', '--config', 'config.yaml'], folder)
    expect([first.exitCode, first.stderr]).toEqual([
      2,
      `${folder}/more/b.yml:2:3: the receiver "a" is already defined at ${folder}/more/a.yml:1:13
${folder}/more/b.yml:3:20: undefined receiver "c" used in route
`,
    ])
    rmSync(join(folder, 'more'), { recursive: true })
    const second = await runHere(['check', '--config', 'config.yaml'], folder)
    expect(second.stderr).toContain(
      `${folder}/teams/storage.yml:1:1: storage.tmpl:1:1: the template "email.default.html" is already defined`,
    )
    write(
      'config.yaml',
      "storage: { memory: true }\nalerts: { config: alertmanager.yml, config_parts: [{ files: [a.yml], matchers: ['x'] }] }\n",
    )
    const third = await runHere(['check', '--config', 'config.yaml'], folder)
    expect(third.stderr).toMatch(
      /^config.yaml:2:.*alerts.config_parts\[0\].matchers\[0\]: bad matcher/,
    )
    expect(third.stderr).toContain('a.yml: no such file or directory')
  })
})
