import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { block, integer, optional, text } from '@gatehouse/core/config'
import { afterAll, describe, expect, it } from 'vitest'
import { duration, oneOfThese, readConfigFile, readTextFile } from './config-file.ts'
import { failureLines } from './failure.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const pond = block<{
  fish: number | bigint
  owner: string | undefined
  feed: number
  water: string
}>({
  typeName: 'pond',
  fields: {
    fish: { kind: integer('uint') },
    owner: { kind: optional(text) },
    feed: { kind: duration },
    water: { kind: oneOfThese(['fresh', 'salt']) },
  },
  check({ fish }, report) {
    if (fish > 9) report('the pond is too small', 'fish')
  },
})

async function problemsOf(path: string): Promise<readonly string[]> {
  return readConfigFile(path, pond).then(() => [], failureLines)
}

describe('readConfigFile()', () => {
  it('reads YAML and JSON', async () => {
    const yaml = file('pond.yml', 'fish: 3\nfeed: 1d\nwater: salt\n')
    const json = file('pond.json', '{"fish": 3, "feed": "1d", "water": "salt"}')
    for (const path of [yaml, json]) {
      const { value, directory, filename } = await readConfigFile(path, pond)
      expect(value).toEqual({ fish: 3, feed: 86_400_000, water: 'salt' })
      expect({ directory, filename }).toEqual({ directory: folder, filename: path })
    }
  })

  it('reports every problem with its line and column, in order', async () => {
    const path = file('bad.yml', 'water: mud\nfish: many\nfrogs: 1\nfeed: 5x\n')
    expect(await problemsOf(path)).toEqual([
      `${path}:1:8: "mud" must be one of fresh, salt`,
      `${path}:2:7: cannot unmarshal !!str \`many\` into uint`,
      `${path}:3:1: field frogs not found in type pond`,
      `${path}:4:7: not a valid duration string: "5x"`,
    ])
  })

  it('checks the combination of values', async () => {
    const path = file('full.yml', 'owner: ann\nfish: 10\n')
    expect(await problemsOf(path)).toEqual([`${path}:2:7: the pond is too small`])
  })

  it('reports the place of a YAML error', async () => {
    const path = file('broken.yml', 'fish: 1\nowner: [ann\n')
    const [line = ''] = await problemsOf(path)
    expect(line.startsWith(`${path}:`)).toBe(true)
    expect(line).toMatch(/:\d+:\d+: yaml: line \d+: /)
  })
})

describe('readTextFile()', () => {
  it('reports a missing file and a folder in one line', async () => {
    await expect(readTextFile(join(folder, 'nope.yml'))).rejects.toThrow(
      `${folder}/nope.yml: no such file or directory`,
    )
    await expect(readTextFile(folder)).rejects.toThrow(`${folder}: is a directory`)
  })
})
