import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from './main.fixture.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The bytes of the program that a command loads. V8 lists every script it ran. */
async function loadedBytes(line: string): Promise<number> {
  const coverage = join(folder, 'coverage')
  await runCli(line.split(' '), folder, '', { NODE_V8_COVERAGE: coverage })
  const [file = ''] = readdirSync(coverage)
  const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8'))
  const urls: readonly string[] = result.map(({ url }: { url: string }) => url)
  const own = urls.filter((url) => url.startsWith('file:') && url.includes('/dist/'))
  return own.reduce((bytes, url) => bytes + statSync(fileURLToPath(url)).size, 0)
}

describe('the overview of the commands', () => {
  it('has a line for each command below the heading of its group, and ends with the documentation', async () => {
    const { stdout, exitCode } = await runCli(['--help'], folder)
    expect(exitCode).toBe(0)
    const headings = [...stdout.matchAll(/^([\w-]+):$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual([
      'Options',
      'Serve',
      'Alerts',
      'Webhooks',
      'Data',
      'Sign-in',
      'Tools',
      'Examples',
    ])
    expect(stdout.match(/^ {2}[a-z][a-z-]* (?:\[command\])? +[a-z]/gm)).toHaveLength(20)
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^Documentation: https:\/\/\S+$/)
  })

  it('loads no command, and a command without flags of its own loads no service', async () => {
    expect(await loadedBytes('--help')).toBeLessThan(200_000)
    expect(await loadedBytes('storage --help')).toBeLessThan(250_000)
  })

  it('suggests the command of a misspelt name, and prints the help of a named one', async () => {
    expect((await runCli(['chek'], folder)).stderr).toContain('(Did you mean check?)')
    const { stdout } = await runCli(['help', 'storage'], folder)
    expect(stdout).toContain('check-records')
  })
})
