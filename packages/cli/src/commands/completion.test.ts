import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fishBinary, itWith, zshBinary } from '../../../../test-support/binaries.ts'
import { runCli, runHere } from '../main.fixture.ts'

let script: string

beforeAll(async () => {
  const { exitCode, stdout } = await runCli(['completion', 'bash'], '.')
  expect(exitCode).toBe(0)
  script = stdout
})

/** What bash offers for the last of these words. */
function offered(...words: string[]): readonly string[] {
  const quoted = ['gatehouse', ...words].map((word) => `'${word}'`).join(' ')
  const call = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _gatehouse; printf '%s\\n' "\${COMPREPLY[@]}"`
  const printed = execFileSync('bash', ['--norc', '-c', `${script}\n${call}`], { encoding: 'utf8' })
  return printed.split('\n').filter((line) => line !== '')
}

describe('gatehouse completion bash', () => {
  it('offers commands, and the commands below them', () => {
    expect(offered('')).toEqual(
      expect.arrayContaining(['api', 'alertmanager', 'completion', 'storage', '--version']),
    )
    expect(offered('ch')).toEqual(['check', 'check-config'])
    expect(offered('storage', 'res')).toEqual(['restore'])
  })

  it('offers the flags of a command, also after a value', () => {
    expect(offered('check', '--')).toEqual(['--config', '--strict', '--json', '--help'])
    expect(offered('storage', 'backup', '--to', 'x', '--sq')).toEqual(['--sqlite'])
    expect(offered('alertmanager', '--config')).toEqual(['--config.file'])
    expect(offered('api', '--log.')).toEqual([])
  })

  it('offers the values of a flag that has a few', () => {
    expect(offered('import', 'users', '--from', '')).toEqual([
      'better-auth',
      'authgear',
      'gatehouse',
    ])
    expect(offered('api', '--log-format', '=')).toEqual(['logfmt', 'json'])
    expect(offered('api', '--log-format', '=', 'j')).toEqual(['json'])
  })

  it('offers nothing for the name of a file, so that bash completes it', () => {
    expect(offered('check-config', 'alert')).toEqual([])
    expect(offered('check', '--config', 'con')).toEqual([])
  })

  it('refuses a shell that it does not know', async () => {
    expect(await runHere(['completion', 'tcsh'], '.')).toMatchObject({ exitCode: 2, stdout: '' })
  })
})

describe('gatehouse completion', () => {
  let folder: string
  const write = async (shell: string): Promise<void> => {
    const { stdout } = await runHere(['completion', shell], '.')
    writeFileSync(join(folder, 'completion'), stdout)
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-completion-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  itWith([fishBinary], 'offers commands, flags and their values in fish', async () => {
    await write('fish')
    const offers = (line: string): readonly string[] =>
      execFileSync('fish', ['--no-config', '-c', `source completion; complete -C '${line}'`], {
        encoding: 'utf8',
        cwd: folder,
      }).split('\n')
    expect(offers('gatehouse ch')).toEqual(expect.arrayContaining(['check', 'check-config']))
    expect(offers('gatehouse storage backup --s')).toEqual(['--schema', '--sqlite', ''])
    expect(offers('gatehouse import users --from ')).toEqual(expect.arrayContaining(['authgear']))
    expect(offers('gatehouse import users --from ')).not.toContain('--from')
  })

  itWith([zshBinary], 'completes commands and flags in zsh', async () => {
    await write('zsh')
    const typing = `zmodload zsh/zpty
zpty shell 'PS1="> " zsh -f -i'
zpty -w shell 'source ./completion; bindkey "^I" complete-word; print rea""dy'
zpty -r -m shell out '*ready*'
zpty -w -n shell $'gatehouse storage backup --sq\\t\\n'
zpty -w shell 'print fin""ished'
zpty -r -m shell out '*finished*'
print -r -- $out`
    const printed = execFileSync('zsh', ['-f', '-c', typing], {
      encoding: 'utf8',
      cwd: folder,
      env: { ...process.env, ZDOTDIR: folder, HOME: folder },
    })
    expect(printed).toContain('gatehouse storage backup --sqlite')
  })
})
