import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStartablePrograms } from './startable-programs.ts'

describe('startable programs', () => {
  let folder = ''
  const place = async (name: string, text: string, mode = 0o755): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, text)
    await chmod(path, mode)
    return path
  }
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-programs-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('are binaries, and scripts whose interpreter exists', async () => {
    const programs = createStartablePrograms()
    expect(programs.has(process.execPath)).toBe(true)
    for (const line of [
      '#!/bin/sh',
      '#! /bin/sh -e',
      '#!\t/usr/bin/env node',
      `#!${'/.'.repeat(90)}/bin/sh`,
    ]) {
      expect(programs.has(await place('script', `${line}\nexit`))).toBe(true)
    }
    await symlink(process.execPath, join(folder, 'link'))
    expect(programs.has(join(folder, 'link'))).toBe(true)
  })

  it('are not folders, files without permission, or files of an unknown kind', async () => {
    const programs = createStartablePrograms()
    await mkdir(join(folder, 'dir'))
    const others = [
      join(folder, 'absent'),
      join(folder, 'dir'),
      await place('plain', '#!/bin/sh', 0o644),
      await place('bare', 'exit 3'),
      await place('empty', ''),
      await place('lost', '#!/absent/interpreter\n'),
      await place('folder', `#!${folder}\n`),
      await place('nothing', '#!\n'),
      '/dev/null',
    ]
    for (const path of others) expect(programs.has(path)).toBe(false)
  })

  it('are checked again once they have changed', async () => {
    const programs = createStartablePrograms()
    const interpreter = await place('interpreter', '#!/bin/sh')
    const script = await place('script', `#!${interpreter}\n`)
    expect([programs.has(script), programs.has(script)]).toEqual([true, true])
    await chmod(script, 0o644)
    expect(programs.has(script)).toBe(false)
    await chmod(script, 0o755)
    expect(programs.has(script)).toBe(true)
    await rm(interpreter)
    expect(programs.has(script)).toBe(false)
  })
})
