import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Ended, runCli, runHere } from '../main.fixture.ts'

let folder: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'))
  const { exitCode } = await runHere(['init', '--yes', '--services', 'sign-in'], folder)
  expect(exitCode).toBe(0)
})
afterEach(() => rmSync(folder, { recursive: true }))

function importing(users: readonly object[], ...flags: readonly string[]): Promise<Ended> {
  writeFileSync(join(folder, 'users.json'), JSON.stringify(users))
  return runHere(
    ['import', 'users', 'users.json', '--from', 'gatehouse', '--config', 'config.yaml', ...flags],
    folder,
  )
}

const users = [
  { id: 'ada', email: 'ada@example.com' },
  { email: 'not an address' },
  { email: 'ADA@example.com' },
  { email: 1 },
  { password: { type: 'bcrypt', password_hash: 'a-secret' }, email: 'bob@example.com' },
  { nickname: 'x', email: 'cleo@example.com' },
  {},
]

describe('gatehouse import users', () => {
  it('refuses in a dry run exactly the users that it refuses, in words and without secrets', async () => {
    const trial = await importing(users, '--dry-run')
    expect(trial.stdout).toBe(
      '1 user can be imported, 0 already there, 6 would fail; nothing was stored\n',
    )
    expect(trial.exitCode).toBe(1)
    expect(existsSync(join(folder, 'gatehouse.db'))).toBe(false)
    const real = await importing(users)
    expect(real.stdout).toBe('1 user imported, 0 already there, 6 failed\n')
    expect(real.exitCode).toBe(1)
    expect(trial.stderr).toBe(real.stderr)
    const lines = real.stderr.trim().split('\n')
    expect(lines).toHaveLength(6)
    for (const line of lines) expect(line).not.toMatch(/[{}"]|a-secret|undefined/)
    expect(lines[1]).toBe('user 3: identity already exists')
    expect(lines[2]).toBe('user 4: email: must be of type string, not integer, number')
  })

  it('sees in a dry run what the storage has, and stores nothing', async () => {
    expect((await importing(users.slice(0, 1))).exitCode).toBe(0)
    const taken = [{ email: 'ada@example.com' }, { id: 'ada', email: 'new@example.com' }]
    const again = await importing(taken, '--dry-run', '--json')
    expect(JSON.parse(again.stdout)).toEqual({ users: 2, stored: 0, present: 1, failed: 1 })
    const fresh = [{ email: 'new@example.com' }]
    expect((await importing(fresh, '--dry-run')).stdout).toContain('1 user can be imported, ')
    expect((await importing(fresh)).stdout).toContain('1 user imported, ')
  })

  it('says of a missing file what other commands say', async () => {
    const missing = ['import', 'users', 'nope.json', '--from', 'gatehouse']
    const { exitCode, stderr } = await runCli([...missing, '--config', 'config.yaml'], folder)
    expect([exitCode, stderr]).toEqual([2, 'nope.json: no such file or directory\n'])
  })
})
