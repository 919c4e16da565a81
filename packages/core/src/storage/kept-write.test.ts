import { describe, expect, it } from 'vitest'
import { defineCollection } from './collection.ts'
import {
  type BeforeWrite,
  type Kept,
  keptFor,
  mergedChanges,
  toRecord,
  toWrite,
  withStoredVersion,
} from './kept-write.ts'
import type { Write } from './storage.ts'

const timers = defineCollection<{ dueAt: number }>({ name: 'timers', feed: true })
const collections = new Map([[timers.name, timers]])
const entry = (known: Partial<Kept>): Kept => ({
  collection: timers,
  id: 'a',
  value: { dueAt: 1 },
  expiresAt: undefined,
  version: 'memory-1',
  base: 'absent',
  place: 1,
  ...known,
})

describe('what is kept for a refused write', () => {
  const stored = new Map([['memory-1', 'v2']])
  const keep = (write: Write, before: BeforeWrite) =>
    keptFor([write], [before], { collections, stored, place: 2 })[0]
  const at = (version: string, base = version): BeforeWrite => ({ version, base })

  it.each<[string, Write, BeforeWrite, kept: Partial<Kept>]>([
    ['a write', timers.write('a', { dueAt: 1 }), at('absent'), { base: 'absent' }],
    [
      'a write over a stored record',
      timers.write('a', { dueAt: 1 }, { if: 'v1' }),
      at('v1'),
      { base: 'v1' },
    ],
    [
      'a write over a kept one',
      timers.write('a', { dueAt: 1 }, { if: 'memory-2' }),
      at('memory-2', 'v1'),
      { base: 'v1' },
    ],
    [
      'a write over a kept one that is stored by now',
      timers.write('a', { dueAt: 1 }, { if: 'memory-1' }),
      at('v2'),
      { base: 'v2' },
    ],
    ['a removal', timers.remove('a'), at('v1'), { base: 'v1', value: undefined }],
    [
      'a write that expires',
      timers.write('a', { dueAt: 1 }, { expiresAt: 5 }),
      at('absent'),
      { expiresAt: 5 },
    ],
  ])('of %s', (_, write, before, kept) => {
    expect(keep(write, before)).toEqual(entry({ version: 'memory-2', place: 2, ...kept }))
  })

  it('is nothing for a check', () => {
    expect(keep({ collection: timers, id: 'a', check: 'v1' }, at('v1'))).toBeUndefined()
  })

  it.each<[string, Write, BeforeWrite]>([
    ['another version', timers.write('a', { dueAt: 1 }, { if: 'v1' }), at('v2')],
    ['a record', timers.write('a', { dueAt: 1 }, { if: 'absent' }), at('v1')],
    ['no record', { collection: timers, id: 'a', check: 'v1' }, at('absent')],
  ])('is a conflict if there is %s', (_, write, before) => {
    expect(() => keep(write, before)).toThrow(/has changed/)
  })
})

describe('a kept record', () => {
  it.each([
    [entry({}), 'memory-1'],
    [entry({ expiresAt: 11 }), 'memory-1'],
    [entry({ expiresAt: 10 }), undefined],
    [entry({ value: undefined }), undefined],
  ])('is read as if it were stored: %o', (kept, version) => {
    expect(toRecord(kept, 10)?.version).toBe(version)
  })

  it.each<[string, Kept, object]>([
    [
      'is written over the version it was based on',
      entry({ base: 'v1' }),
      { if: 'v1', value: { dueAt: 1 } },
    ],
    ['is removed', entry({ base: 'v1', value: undefined }), { if: 'v1', value: undefined }],
    [
      'is only checked if nothing was stored and nothing is left',
      entry({ value: undefined }),
      { check: 'absent' },
    ],
  ])('%s', (_, kept, write) => {
    expect(toWrite(kept)).toMatchObject(write)
  })

  it('is known by its stored version afterwards', () => {
    const stored = new Map([['memory-1', 'v2']])
    const write = timers.write('a', { dueAt: 1 }, { if: 'memory-1' })
    expect(withStoredVersion(write, stored)).toMatchObject({ if: 'v2' })
    const other = timers.write('a', { dueAt: 1 }, { if: 'v1' })
    expect(withStoredVersion(other, stored)).toBe(other)
  })
})

it('changes show kept writes over stored ones, and the stored ones again once they were given up', () => {
  const record = (id: string) => ({ id, version: `v-${id}`, value: { dueAt: 0 } })
  const found = {
    revision: 7,
    written: [record('a'), record('b'), record('c')],
    removed: ['d', 'e'],
  }
  const merged = mergedChanges(
    {
      found,
      news: [entry({}), entry({ id: 'd' }), entry({ id: 'f', value: undefined })],
      lost: ['c', 'e'],
      given: [record('c'), undefined],
      isStored: (id) => !['a', 'd', 'f'].includes(id),
      now: 10,
    },
    9,
  )
  expect(merged).toMatchObject({ revision: 9, removed: ['e', 'f'] })
  expect(
    'written' in merged && merged.written.map(({ id, version }) => `${id} ${version}`),
  ).toEqual(['b v-b', 'c v-c', 'a memory-1', 'd memory-1'])
})
