import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '@gatehouse/core'
import { defineCollection, isGatehouseError, type StoredRecord } from '@gatehouse/core/store'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runsOf } from '../../../test-support/lane.ts'
import { Database } from '../../../test-support/sqlite.ts'
import { createSqliteStorage, readSqliteSnapshot } from './index.ts'
import { decidePatch, rowVersions } from './patches.ts'
import { schemaSteps } from './schema.ts'

interface Thing {
  readonly name: string
  readonly end?: number
  readonly note?: string | null
}

const things = defineCollection<Thing>({ name: 'things', feed: true, fields: { name: 'text' } })

let folder: string
let files = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-patches-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const newFile = (): string => join(folder, `${files++}.db`)
const open = (filename: string): Storage => createSqliteStorage({ filename, reserveBytes: 0 })

/** All records, as each way of reading shows them. */
async function readAll(storage: Storage): Promise<unknown[]> {
  const byId = (a: StoredRecord, b: StoredRecord): number => (a.id < b.id ? -1 : 1)
  const found = await storage.find(things, { by: 'id', limit: 100 })
  const named = await storage.find(things, { by: 'name', limit: 100 })
  const gotten = await storage.get(
    things,
    found.map(({ id }) => id),
  )
  const changes = await storage.changes(things, 0)
  return [found, named.sort(byId), gotten, 'written' in changes && [...changes.written].sort(byId)]
}

async function readSnapshot(filename: string): Promise<unknown> {
  return readSqliteSnapshot({ filename }, async (snapshot) => {
    expect(await snapshot.findProblems()).toEqual([])
    const records: unknown[] = []
    for await (const record of snapshot.records('things')) records.push(record)
    return records
  })
}

const rowsIn = (filename: string, sql: string): unknown => {
  const database = new Database(filename, { readonly: true })
  const rows = database.rows(sql).map((row) => Object.values(row))
  database.close()
  return rows
}

const texts = (filename: string) => rowsIn(filename, 'SELECT id, value FROM gatehouse_things')

describe('a write that names what changed', () => {
  it('leaves the row as it is, and counts after a restart', async () => {
    const filename = newFile()
    const storage = open(filename)
    const [first = ''] = await storage.commit([things.write('a', { name: 'n', end: 1, note: 'x' })])
    const changed = ['end', 'note']
    const [second = ''] = await storage.commit([
      things.write('a', { name: 'n', end: 2 }, { if: first, changed }),
    ])
    expect(texts(filename)).toEqual([['a', '{"name":"n","end":1,"note":"x"}']])
    await storage.close()
    const again = open(filename)
    expect(await again.get(things, ['a'])).toStrictEqual([
      { id: 'a', value: { name: 'n', end: 2 }, version: second },
    ])
    await again.close()
  })

  it.each([
    ['a declared field', { name: 'm', end: 1 }, ['name'], {}],
    ['a property that is null', { name: 'n', end: 1, note: null }, ['note'], {}],
    ['an expiry', { name: 'n', end: 2 }, ['end'], { expiresAt: Date.now() + 1_000_000 }],
  ])('writes the row if there is %s', async (_, value, changed, expiry) => {
    const filename = newFile()
    const storage = open(filename)
    const [version = ''] = await storage.commit([things.write('a', { name: 'n', end: 1 })])
    await storage.commit([things.write('a', value, { if: version, changed, ...expiry })])
    expect(texts(filename)).toEqual([['a', JSON.stringify(value)]])
    await storage.close()
  })

  it('keeps no more of them than twice the records', async () => {
    const filename = newFile()
    const storage = open(filename)
    const ids = Array.from({ length: 100 }, (_, index) => `${index}`)
    const changed = ['end']
    let versions = await storage.commit(ids.map((id) => things.write(id, { name: 'n', end: 0 })))
    for (let end = 1; end <= 60; end++) {
      const several = end === 1 ? ids : ids.slice(1)
      const first = ids.length - several.length
      const written = await storage.commit(
        several.map((id, index) =>
          things.write(id, { name: 'n', end }, { if: versions[index + first] ?? '', changed }),
        ),
      )
      versions = [...versions.slice(0, first), ...written]
    }
    const [[rows]] = rowsIn(filename, 'SELECT count(*) FROM gatehouse__patches') as [[number]]
    expect(rows).toBeLessThan(15)
    await storage.close()
    const again = open(filename)
    const [oldest, newest] = await again.get(things, ['0', '1'])
    expect([oldest?.value, newest?.value]).toEqual([
      { name: 'n', end: 1 },
      { name: 'n', end: 60 },
    ])
    await again.close()
  })

  it('is seen by connections of the same file, whatever they write', async () => {
    const id = fc.constantFrom('a', 'b', 'c')
    const value = fc.record<Thing>(
      { name: fc.constantFrom('x', 'y'), end: fc.nat(9), note: fc.constantFrom('1', '2') },
      { requiredKeys: ['name'] },
    )
    const kind = fc.constantFrom('whole', 'change', 'change', 'change', 'stale', 'remove', 'reopen')
    const step = fc.record({ kind, id, value, connection: fc.nat(1) })
    const run = async (steps: { kind: string; id: string; value: Thing; connection: number }[]) => {
      const filename = newFile()
      const storages = [open(filename), open(filename)]
      const model = new Map<string, { value: Thing; version: string }>()
      const old = new Map<string, string>()
      for (const { kind, id, value, connection } of steps) {
        const storage = storages[connection] as Storage
        const known = model.get(id)
        if (kind === 'reopen') {
          await storage.close()
          storages[connection] = open(filename)
        } else if (kind === 'remove') {
          if (known === undefined) continue
          await storage.commit([things.remove(id, known.version)])
          model.delete(id)
        } else if (kind === 'stale') {
          const stale = old.get(id)
          if (stale === undefined || stale === known?.version) continue
          for (const changed of [undefined, ['end']]) {
            const options = changed === undefined ? {} : { changed }
            const write = things.write(id, value, { if: stale, ...options })
            const error = await storage.commit([write]).catch((reason: unknown) => reason)
            expect(isGatehouseError(error) && error.reason).toBe('StorageConflict')
          }
          const check = { collection: things, id, check: stale }
          await expect(storage.commit([check])).rejects.toThrow('has changed')
          await expect(storage.commit([things.remove(id, stale)])).rejects.toThrow('has changed')
        } else {
          if (known !== undefined) old.set(id, known.version)
          const isChange = kind === 'change' && known !== undefined
          const next = isChange ? { ...value, name: known.value.name } : value
          const changed = isChange ? { changed: ['end', 'note'] } : {}
          const precondition = known?.version ?? 'absent'
          const [version = ''] = await storage.commit([
            things.write(id, next, { if: precondition, ...changed }),
          ])
          model.set(id, { value: next, version })
        }
        const expected = [...model].map(([key, one]) => ({ id: key, ...one }))
        expected.sort((a, b) => (a.id < b.id ? -1 : 1))
        const whole = [expected, expected, expected, expected]
        for (const one of storages) expect(await readAll(one)).toEqual(whole)
        expect(await readSnapshot(filename)).toEqual(expected)
      }
      for (const one of storages) await one.close()
    }
    const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), run)
    await fc.assert(property, { numRuns: runsOf(20) })
  })
})

it('an older database gets its log of changes when it is opened', async () => {
  const filename = newFile()
  const before = open(filename)
  const [version = ''] = await before.commit([things.write('a', { name: 'n', end: 1 })])
  await before.close()
  const database = new Database(filename)
  database.exec('DROP TABLE gatehouse__patches')
  database.exec('PRAGMA user_version = 1')
  database.close()
  expect(await readSnapshot(filename)).toHaveLength(1)
  const storage = open(filename)
  const write = things.write('a', { name: 'n', end: 2 }, { if: version, changed: ['end'] })
  await storage.commit([write])
  expect((await storage.get(things, ['a']))[0]?.value).toEqual({ name: 'n', end: 2 })
  await storage.close()
  expect(rowsIn(filename, 'PRAGMA user_version')).toEqual([[schemaSteps.length]])
})

it.each([
  ['is the current one without a patch', undefined, [7, 7]],
  ['is the current one if its patch is older, which no longer counts', 6, [7, 7]],
  ['is below the current one if that is the patch', 7, [0, 6]],
  ['does not exist if its patch is newer', 8, [1, 0]],
])('the version of the row of a record %s', (_, revision, versions) => {
  const patch = revision === undefined ? undefined : { revision, names: [], values: {}, epoch: 0 }
  expect(rowVersions('7', patch)).toEqual(versions)
})

describe('a write with changes', () => {
  const value = { name: 'a', note: 'b' }
  const write = { collection: things, id: 'a', value, if: '7', changed: ['note'] } as const
  const own = { revision: 7, names: ['end'], values: { end: 1 }, epoch: 3 }
  const row = (version: number, expires_at: number | null = null) => ({ version, expires_at })
  const patchOf = (...names: string[]) => ({ revision: 8, names, values: value, epoch: 3 })
  const unread = () => expect.unreachable('the row was read')

  it.each<
    [
      state: string,
      changes: object,
      moment: Partial<Parameters<typeof decidePatch>[1]>,
      decided: ReturnType<typeof decidePatch>,
    ]
  >([
    ['on top of a patch of this epoch is a patch', {}, { newest: own }, patchOf('end', 'note')],
    [
      'on top of a patch of another epoch is one if the row agrees',
      {},
      { newest: { ...own, epoch: 2 }, state: () => row(7) },
      patchOf('end', 'note'),
    ],
    [
      'on top of a row is a patch of its own names',
      {},
      { newest: undefined, state: () => row(7) },
      patchOf('note'),
    ],
    [
      'ignores the names of an older patch',
      {},
      { newest: { ...own, revision: 5 }, state: () => row(7) },
      patchOf('note'),
    ],
    ['conflicts with a newer version', {}, { newest: undefined, state: () => row(9) }, 'conflict'],
    [
      'conflicts with an older version',
      {},
      { newest: own, epoch: 4, state: () => row(6) },
      'conflict',
    ],
    [
      'conflicts without a record',
      {},
      { newest: own, epoch: 4, state: () => undefined },
      'conflict',
    ],
    ['is a row if the record expires', {}, { newest: undefined, state: () => row(7, 1) }, 'row'],
    ['is a row if it makes the record expire', { expiresAt: 1 }, { newest: own }, 'row'],
    ['is a row if it changes an indexed field', { changed: ['name'] }, { newest: own }, 'row'],
    ['is a row without a precondition', { if: undefined }, { newest: own }, 'row'],
    ['is a row if it makes a record', { if: 'absent' }, { newest: own }, 'row'],
  ])('%s', (_, changes, moment, decided) => {
    const given = { revision: 8, epoch: 3, newest: undefined, state: unread, ...moment }
    expect(decidePatch({ ...write, ...changes } as typeof write, given)).toEqual(decided)
  })
})
