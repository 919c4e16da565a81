import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '@gatehouse/core'
import { defineCollection } from '@gatehouse/core/store'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { bundleFixture, startFixture } from '../../../test-support/fixture-process.ts'
import { Database } from '../../../test-support/sqlite.ts'

const entries = defineCollection<{ writer: string; round: number }>({
  name: 'entries',
  fields: { writer: 'text' },
  feed: true,
})
const counters = defineCollection<number>({ name: 'counters' })

/** Reads all records, however many there are, because writers that are not stopped cannot be counted. */
async function allIds(storage: Storage): Promise<readonly string[]> {
  const ids: string[] = []
  const limit = 10_000
  for (;;) {
    const last = ids.at(-1)
    const after = last === undefined ? {} : { after: { key: last, id: last } }
    const page = await entries.find(storage, { by: 'id', limit, ...after })
    ids.push(...page.map(({ id }) => id))
    if (page.length < limit) return ids
  }
}

describe('several processes on one file', () => {
  let writer: string
  let folder: string
  let filename: string

  beforeAll(async () => {
    writer = await bundleFixture(new URL('./writer.fixture.ts', import.meta.url))
    return () => rm(writer)
  })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-sqlite-'))
    filename = join(folder, 'test.db')
  })
  afterEach(() => rm(folder, { recursive: true }))

  const startWriters = (names: readonly string[], commits: number | 'Infinity') =>
    names.map((name) => ({ name, process: startFixture(writer, [filename, name, `${commits}`]) }))

  it('create and fill a new database together, and lose nothing', async () => {
    const writers = startWriters(['a', 'b', 'c', 'd'], 25)
    expect(await Promise.all(writers.map(({ process }) => process.ended))).toEqual([0, 0, 0, 0])
    const storage = createSqliteStorage({ filename })
    expect((await counters.get(storage, 'all'))?.value).toBe(100)
    for (const { name } of writers) {
      const found = await entries.find(storage, { by: 'writer', equals: name, limit: 1_000 })
      expect(found).toHaveLength(125)
    }
    await storage.close()
  })

  it('see each other: a follower of the changes receives every commit', async () => {
    const storage = createSqliteStorage({ filename })
    let { revision } = await storage.changes(entries, 0)
    const seen = new Set<string>()
    const writers = startWriters(['a', 'b'], 50)
    let running = writers.length
    for (const { process } of writers) void process.ended.then(() => running--)
    const follow = async (): Promise<void> => {
      const changes = await entries.changes(storage, revision)
      if ('reset' in changes) throw new Error('the feed does not reach back')
      expect(changes.revision).toBeGreaterThanOrEqual(revision)
      for (const { id } of changes.written) {
        expect(seen.has(id)).toBe(false)
        seen.add(id)
      }
      revision = changes.revision
    }
    while (running > 0) {
      await storage.commit([entries.write('mine', { writer: 'me', round: seen.size })])
      await follow()
      seen.delete('mine')
      await new Promise((resolve) => setImmediate(resolve))
    }
    await follow()
    expect(seen.size).toBe(2 * 50 * 5)
    await storage.close()
  })

  it('killed at any point, leave everything that was acknowledged, and no partial commit', async () => {
    const acknowledged = new Set<string>()
    for (const [round, lines] of [3, 20, 60].entries()) {
      const writers = startWriters([`a${round}`, `b${round}`], 'Infinity')
      await Promise.all(writers.map(({ process }) => process.hasWritten(lines)))
      await Promise.all(writers.map(({ process }) => process.kill()))
      for (const { name, process } of writers) {
        for (const line of process.lines) acknowledged.add(`${name}-${line}`)
      }

      const check = new Database(filename)
      expect(check.value('PRAGMA integrity_check')).toBe('ok')
      check.close()

      const storage = createSqliteStorage({ filename })
      const found = await allIds(storage)
      const commits = new Map<string, number>()
      for (const id of found) {
        const commit = id.slice(0, id.lastIndexOf('-'))
        commits.set(commit, (commits.get(commit) ?? 0) + 1)
      }
      for (const commit of acknowledged) expect(commits.has(commit), commit).toBe(true)
      expect(new Set(commits.values())).toEqual(new Set([5]))
      expect((await counters.get(storage, 'all'))?.value).toBe(commits.size)
      const changes = await entries.changes(storage, 0)
      expect('written' in changes && changes.written.length).toBe(found.length)
      await storage.close()
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(2 * (3 + 20 + 60))
  })
})

describe('without a package for SQLite', () => {
  const open = async (): Promise<readonly string[]> => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-sqlite-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = await bundleFixture(new URL('./open.fixture.ts', import.meta.url), { folder })
    const { lines, ended } = startFixture(file, [])
    expect(await ended).toBe(0)
    return lines
  }

  if (process.getBuiltinModule('node:sqlite') === undefined) {
    it('and without an SQLite in Node.js, says what to install', async () => {
      const [name, message] = await open()
      expect(name).toBe('StorageDriverMissing')
      expect(message).toContain('npm install @photostructure/sqlite@1')
    })
  } else {
    it('uses the SQLite of Node.js', async () => {
      expect(await open()).toEqual(['opened'])
    })
  }
})
