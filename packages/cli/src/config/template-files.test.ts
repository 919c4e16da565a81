import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { runCli, type Serving, serveCli } from '../main.fixture.ts'
import { readTemplateFiles, withTemplateFiles } from './template-files.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Writes files that contain their own path. */
function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), path)
  }
}

/** The paths of the files that match globs in the folder. */
async function find(...globs: readonly string[]): Promise<readonly string[]> {
  const files = await readTemplateFiles(globs.map((glob) => join(folder, glob)))
  return files.map(({ text }) => text)
}

describe('readTemplateFiles()', () => {
  it('matches any characters, one of a class, and one not in a class', async () => {
    write('a.tmpl', 'b.tmpl', 'c.txt', 'ab.tmpl', '[x].tmpl', '*.tmpl', 'x')
    expect(await find('a.tmpl')).toEqual(['a.tmpl'])
    expect(await find('*.txt')).toEqual(['c.txt'])
    expect(await find('?.tmpl')).toEqual(['*.tmpl', 'a.tmpl', 'b.tmpl'])
    expect(await find('[a-b].tmpl')).toEqual(['a.tmpl', 'b.tmpl'])
    expect(await find('[^a-b].tmpl')).toEqual(['*.tmpl'])
    expect(await find('\\*.tmpl')).toEqual(['*.tmpl'])
    expect(await find('\\[x\\].tmpl')).toEqual(['[x].tmpl'])
  })

  it('keeps the order of the globs, sorts the names of one by bytes, and allows duplicates', async () => {
    write('b.tmpl', 'a.tmpl', 'B.tmpl', 'ä.tmpl', '\u{1f600}.tmpl', '\uff5e.tmpl')
    expect(await find('b*', '*.tmpl')).toEqual([
      'b.tmpl',
      'B.tmpl',
      'a.tmpl',
      'b.tmpl',
      'ä.tmpl',
      '\uff5e.tmpl',
      '\u{1f600}.tmpl',
    ])
  })

  it('accepts patterns for folders too, and names files without their folder', async () => {
    write('x/1/a.tmpl', 'x/2/a.tmpl', 'y/1/a.tmpl', 'x/3')
    expect(await find('[x]/*/a.tmpl')).toEqual(['x/1/a.tmpl', 'x/2/a.tmpl'])
    const files = await readTemplateFiles([`${folder}/x/*/a.tmpl`])
    expect(files.map(({ name }) => name)).toEqual(['a.tmpl', 'a.tmpl'])
  })

  it('returns no files for a missing folder, without an error', async () => {
    write('a.tmpl')
    expect(await find('b.tmpl', 'none/*.tmpl', '*/x.tmpl', 'a.tmpl/*', 'none/x')).toEqual([])
    expect(await readTemplateFiles([''])).toEqual([])
  })

  it('reports unreadable files and invalid globs', async () => {
    mkdirSync(join(folder, 'folder.tmpl'))
    symlinkSync(join(folder, 'gone'), join(folder, 'link.tmpl'))
    await expect(find('f*')).rejects.toThrow(`${folder}/folder.tmpl: is a directory`)
    await expect(find('link.tmpl')).rejects.toThrow('link.tmpl: no such file or directory')
    await expect(find('l*')).rejects.toThrow('link.tmpl: no such file or directory')
    await expect(find('none/[')).rejects.toThrow(`${folder}/none/[: syntax error in pattern`)
  })
})

describe('withTemplateFiles()', () => {
  const text = "route: { receiver: r }\nreceivers: [ { name: r } ]\ntemplates: [ 't/*.tmpl' ]\n"

  it('reads the files that a configuration names, relative to its folder', async () => {
    write('t/a.tmpl')
    expect(await withTemplateFiles({ text, directory: folder, filename: 'am.yml' })).toEqual({
      text,
      directory: folder,
      filename: 'am.yml',
      templateFiles: [{ name: 'a.tmpl', text: 't/a.tmpl' }],
    })
  })

  it('refuses an invalid template file, with its name and the line', async () => {
    write('t/a.tmpl')
    writeFileSync(join(folder, 't/b.tmpl'), '\n\n{{ define "x" }}')
    const error = { reason: 'TemplateSyntax', message: 'template: b.tmpl:3: unexpected EOF' }
    await expect(withTemplateFiles({ text, directory: folder })).rejects.toMatchObject(error)
  })
})

describe('a template file with a syntax error', () => {
  const bad = '{{ define "x" }}\n{{ if }}{{ end }}{{ end }}'
  const problem = 'template: bad.tmpl:2: missing value for if'
  const config = "route: { receiver: r }\nreceivers: [ { name: r } ]\ntemplates: [ '*.tmpl' ]\n"

  beforeEach(() => {
    writeFileSync(join(folder, 'alertmanager.yml'), config)
    writeFileSync(
      join(folder, 'gatehouse.yml'),
      'storage: { sqlite: gatehouse.db }\nalerts: { config: alertmanager.yml }\n',
    )
  })

  it.each([
    [['alertmanager'], 1],
    [['api', '--config=gatehouse.yml'], 2],
  ])('keeps %j from starting, before any other file is created', async (args, exitCode) => {
    writeFileSync(join(folder, 'bad.tmpl'), bad)
    expect(await runCli(args, folder)).toEqual({ exitCode, stdout: '', stderr: `${problem}\n` })
    expect(existsSync(join(folder, 'data'))).toBe(false)
    expect(existsSync(join(folder, 'gatehouse.db'))).toBe(false)
  })

  it('is reported by check-config', async () => {
    writeFileSync(join(folder, 'bad.tmpl'), bad)
    const { exitCode, stdout } = await runCli(['check-config', 'alertmanager.yml'], folder)
    expect(stdout.split('\n').slice(-3)).toEqual([`  FAILED: ${problem}`, '', ''])
    expect(exitCode).toBe(1)
  })

  it('keeps a reload from changing anything', async () => {
    const flags = ['--storage.memory', '--web.listen-address=127.0.0.1:0']
    const server: Serving = await serveCli(['alertmanager', ...flags], folder)
    onTestFinished(async () => {
      server.signal('SIGKILL')
      await server.ended
    })
    writeFileSync(join(folder, 'bad.tmpl'), bad)
    writeFileSync(join(folder, 'alertmanager.yml'), config.replaceAll(' r ', ' other '))
    const reload = await fetch(`${server.url}/-/reload`, { method: 'POST' })
    expect([reload.status, await reload.text()]).toEqual([500, expect.stringContaining(problem)])
    server.signal('SIGHUP')
    await server.logged(/reload failed.*bad\.tmpl:2/)
    const receivers = await fetch(`${server.url}/api/v2/receivers`)
    expect(await receivers.json()).toMatchObject([{ name: 'r' }])
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toContain('alertmanager_config_last_reload_successful 0\n')

    rmSync(join(folder, 'bad.tmpl'))
    // The reload of the signal may still be going on, and this request then gets its answer.
    const reloaded = async () => (await fetch(`${server.url}/-/reload`, { method: 'POST' })).status
    await expect.poll(reloaded).toBe(200)
    const now = await fetch(`${server.url}/api/v2/receivers`)
    expect(await now.json()).toMatchObject([{ name: 'other' }])
  })
})
