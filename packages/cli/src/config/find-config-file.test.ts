import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { programFolders } from '../program-folders.ts'
import { failureLines } from './failure.ts'
import { findConfigFile } from './find-config-file.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  for (const name of ['a', 'b']) mkdirSync(join(root, name))
})
afterEach(() => rmSync(root, { recursive: true }))

const at = (path: string): string => join(root, path)
const touch = (...paths: string[]): void => {
  for (const path of paths) writeFileSync(at(path), '')
}

describe('findConfigFile()', () => {
  it('prefers config.yaml to config.yml to config.json, and reports ignored files', async () => {
    touch('a/config.json')
    expect(await findConfigFile([at('a')])).toEqual({ path: at('a/config.json'), ignored: [] })
    touch('a/config.yml')
    expect(await findConfigFile([at('a')])).toEqual({
      path: at('a/config.yml'),
      ignored: [at('a/config.json')],
    })
    touch('a/config.yaml')
    expect(await findConfigFile([at('a')])).toEqual({
      path: at('a/config.yaml'),
      ignored: [at('a/config.yml'), at('a/config.json')],
    })
  })

  it('searches the next folder only if the one before has none', async () => {
    touch('b/config.yaml')
    mkdirSync(at('a/config.yaml')) // a folder is not a file
    expect((await findConfigFile([at('gone'), at('a'), at('b')])).path).toBe(at('b/config.yaml'))
    touch('a/config.json')
    expect((await findConfigFile([at('a'), at('b')])).path).toBe(at('a/config.json'))
  })

  it('lists every folder it searched once, with the names in order', async () => {
    const failure = await findConfigFile([at('a'), at('b'), at('a')]).catch((error) => error)
    expect(failureLines(failure)).toEqual([
      'there is no configuration file: name one with --config FILE',
      `${at('a')}: has none of config.yaml, config.yml, config.json`,
      `${at('b')}: has none of config.yaml, config.yml, config.json`,
    ])
  })
})

describe('programFolders()', () => {
  const node = { execPath: '/usr/bin/node', isSingleFile: false }

  it('lists the folder of a link before that of its target', () => {
    touch('a/main.js')
    symlinkSync(at('a/main.js'), at('b/gatehouse'))
    expect(programFolders({ ...node, invokedAs: at('b/gatehouse') })).toEqual([at('b'), at('a')])
    expect(programFolders({ ...node, invokedAs: at('a/main.js') })).toEqual([at('a')])
  })

  it('accepts a program named without its extension', () => {
    expect(programFolders({ ...node, invokedAs: at('a/main') })).toEqual([at('a')])
  })

  it('lists the folder of a single-file build', () => {
    const start = { execPath: at('a/gatehouse'), isSingleFile: true, invokedAs: 'api' }
    expect(programFolders(start)).toEqual([at('a')])
    expect(programFolders({ ...node, invokedAs: undefined })).toEqual([])
  })
})
