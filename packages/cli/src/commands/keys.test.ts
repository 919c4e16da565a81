import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ListedSigningKey } from '@gatehouse/core/auth'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Ended, runCli, runHere } from '../main.fixture.ts'

let folder: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-keys-'))
  const { exitCode } = await runHere(['init', '--yes', '--services', 'sign-in'], folder)
  expect(exitCode).toBe(0)
})
afterEach(() => rmSync(folder, { recursive: true }))

const keys = (...line: readonly string[]): Promise<Ended> =>
  runHere(['keys', ...line, '--config', 'config.yaml'], folder)

const keysOf = ({ stdout }: Ended): readonly (ListedSigningKey & { made: never })[] =>
  JSON.parse(stdout).keys

describe('gatehouse keys', () => {
  it('says that the file has no tokens', async () => {
    const { exitCode, stderr } = await runCli(['keys', 'list', '--config', 'config.yaml'], folder)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('has no section "tokens"')])
  })

  describe('with tokens', () => {
    beforeEach(() => appendFileSync(join(folder, 'authgear.yaml'), '\ntokens: {}\n'))

    it('lists and rotates them', async () => {
      expect((await keys('list')).stdout).toBe('no key yet: the first token makes it\n')
      const [first] = keysOf(await keys('rotate', '--json'))
      expect(first).toEqual({
        kid: expect.any(String),
        signs: 'sessions',
        state: 'signing',
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        active_from: expect.stringMatching(/^\d{4}-.*Z$/),
      })
      const rotated = await keys('rotate')
      expect(rotated.stdout.split('\n')).toEqual([
        expect.stringContaining(`${first?.kid}  signing  made `),
        expect.stringMatching(/^\S+ {2}next {2}made \S+ {2}signs from \S+$/),
        '',
      ])
      expect((await keys('list')).stdout).toBe(rotated.stdout)
    })

    it('ends all others with --revoke, and shows no private key', async () => {
      const [first] = keysOf(await keys('rotate', '--json'))
      const answer = await keys('rotate', '--revoke', '--json')
      const left = keysOf(answer)
      expect(left.map(({ state }) => state)).toEqual(['signing'])
      expect(left[0]?.kid).not.toBe(first?.kid)
      expect(answer.stdout).not.toMatch(/sealed|"d"/)
    })
  })

  it('refuses a storage in memory', async () => {
    const path = join(folder, 'config.yaml')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace(/^storage:\n.*\n/m, 'storage: { memory: true }\n'))
    const { exitCode, stderr } = await keys('list')
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('the storage is in memory')])
  })
})
