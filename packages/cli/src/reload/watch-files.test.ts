import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Logger, silentLogger } from '@gatehouse/core'
import { createManualClock, type ManualClock } from '@gatehouse/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createReadFiles } from '../config/read-files.ts'
import { type FileWatch, watchFiles } from './watch-files.ts'

let folder = ''
let path = ''
let clock: ManualClock
let changes = 0
let warnings: string[] = []
let watching: FileWatch

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  path = join(folder, 'config.yaml')
  writeFileSync(path, 'one')
  clock = createManualClock()
  changes = 0
  // A look of the test before may still be under way.
  const own: string[] = []
  warnings = own
  const logger: Logger = { ...silentLogger, warn: (_, message) => void own.push(message) }
  watching = watchFiles({ onChange: () => changes++, logger, clock })
})
afterEach(async () => {
  await watching.stop()
  rmSync(folder, { recursive: true })
})

async function follow(...paths: readonly string[]): Promise<void> {
  const files = createReadFiles()
  for (const one of paths) await files.read(one)
  watching.follow(files.digests)
}

/** Advances time until this many changes were reported. File system events arrive at any time. */
async function changed(count: number, stepMs = 100): Promise<void> {
  await expect
    .poll(
      () => {
        clock.advance(stepMs)
        return changes
      },
      { interval: 20 },
    )
    .toBe(count)
}

/** Settles once all earlier writes were noticed and checked: another watch has seen a later write. */
async function looked(): Promise<void> {
  const marker = join(folder, 'marker')
  writeFileSync(marker, 'before')
  const files = createReadFiles()
  await files.read(marker)
  let seen = 0
  const other = watchFiles({ onChange: () => seen++, logger: silentLogger, clock })
  other.follow(files.digests)
  writeFileSync(marker, 'after')
  await expect
    .poll(
      () => {
        clock.advance(300)
        return seen
      },
      { interval: 20 },
    )
    .toBe(1)
  await other.stop()
}

describe('watchFiles()', () => {
  it('reports a file that is written, and one that is replaced by renaming', async () => {
    await follow(path)
    writeFileSync(path, 'two')
    await changed(1)
    writeFileSync(`${path}.new`, 'three')
    renameSync(`${path}.new`, path)
    await changed(2)
  })

  it('ignores a file that is rewritten with the same content, and other files beside it', async () => {
    await follow(path)
    writeFileSync(path, 'one')
    writeFileSync(join(folder, 'other.yaml'), 'new')
    await looked()
    expect(changes).toBe(0)
  })

  it('reports a change between reading and watching', async () => {
    const files = createReadFiles()
    await files.read(path)
    writeFileSync(path, 'two')
    watching.follow(files.digests)
    await changed(1)
  })

  it('reports a changed link above the file, as mounted configurations have it', async () => {
    for (const [name, text] of [
      ['v1', 'one'],
      ['v2', 'two'],
    ] as const) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'app.yaml'), text)
    }
    symlinkSync('v1', join(folder, 'data'))
    symlinkSync('data/app.yaml', join(folder, 'app.yaml'))
    await follow(join(folder, 'app.yaml'))
    symlinkSync('v2', join(folder, 'data.new'))
    renameSync(join(folder, 'data.new'), join(folder, 'data'))
    await changed(1)
  })

  it('only warns about a file that vanishes, and reports it when it is back with other content', async () => {
    await follow(path)
    unlinkSync(path)
    await expect
      .poll(() => {
        clock.advance(100)
        return warnings
      })
      .toEqual(['the file is gone'])
    writeFileSync(path, 'one')
    await looked()
    expect(changes).toBe(0)
    writeFileSync(path, 'two')
    await changed(1)
    expect(warnings).toHaveLength(1)
  })

  it('reports a file that could not be read at first, without a warning while it is not there', async () => {
    const late = join(folder, 'late')
    const files = createReadFiles()
    await expect(files.read(late)).rejects.toThrow('ENOENT')
    watching.follow(files.digests)
    await looked()
    expect([changes, warnings]).toEqual([0, []])
    writeFileSync(late, 'here')
    await changed(1)
  })

  it('reports a new file that matches a pattern, and one that is gone, but no other', async () => {
    const files = createReadFiles()
    expect(await files.find(join(folder, '*.yaml'))).toEqual([path])
    watching.follow(files.digests)
    writeFileSync(join(folder, 'other.txt'), 'a')
    await looked()
    expect(changes).toBe(0)
    writeFileSync(join(folder, 'new.yaml'), 'a')
    await changed(1)
    unlinkSync(path)
    await changed(2)
  })

  it('checks every five seconds if there are no events, as when the folder itself is replaced', async () => {
    const inner = join(folder, 'inner')
    const file = join(inner, 'config.yaml')
    mkdirSync(inner)
    writeFileSync(file, 'one')
    await follow(file)
    renameSync(inner, join(folder, 'old'))
    clock.advance(6_000)
    await looked()
    mkdirSync(inner)
    writeFileSync(file, 'two')
    await changed(1, 1_000)
  })

  it('follows other files when asked, and none once it is stopped', async () => {
    const other = join(folder, 'other.yaml')
    writeFileSync(other, 'a')
    await follow(path)
    await follow(other)
    writeFileSync(path, 'two')
    await looked()
    expect(changes).toBe(0)
    writeFileSync(other, 'b')
    await changed(1)
    await watching.stop()
    writeFileSync(other, 'c')
    await looked()
    expect(changes).toBe(1)
  })
})
