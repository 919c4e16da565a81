import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../main.fixture.ts'

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
    expect(offered('api', '--log-format', '=')).toEqual(['text', 'logfmt', 'json'])
    expect(offered('api', '--log-format', '=', 'j')).toEqual(['json'])
  })

  it('offers nothing for the name of a file, so that bash completes it', () => {
    expect(offered('check-config', 'alert')).toEqual([])
    expect(offered('check', '--config', 'con')).toEqual([])
  })

  it('refuses a shell that it does not know', async () => {
    expect(await runCli(['completion', 'tcsh'], '.')).toMatchObject({ exitCode: 2, stdout: '' })
  })
})
