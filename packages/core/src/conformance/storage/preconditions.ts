import { expect, it } from 'vitest'
import { isConflict, type Json, type Write } from '../../storage/storage.ts'
import { changesSince, notes, type StorageFactory, things, useStorage } from './harness.ts'

/** Tests that a commit is made only if its preconditions hold. */
export function describePreconditions(factory: StorageFactory): void {
  const test = useStorage(factory)

  const isRefused = async (...writes: Write[]): Promise<boolean> => {
    try {
      await test.storage.commit(writes)
      return false
    } catch (error) {
      if (isConflict(error)) return true
      throw error
    }
  }

  it('absent holds where there is no record', async () => {
    const { storage } = test
    await storage.commit([notes.write('a', 1, { if: 'absent' })])
    expect(await isRefused(notes.write('a', 2, { if: 'absent' }))).toBe(true)
    await storage.commit([notes.remove('a')])
    expect(await isRefused(notes.write('a', 3, { if: 'absent' }))).toBe(false)
    expect(await storage.get(notes, ['a'])).toMatchObject([{ value: 3 }])
  })

  it('a version holds while it is the current one', async () => {
    const { storage } = test
    const [first = ''] = await storage.commit([notes.write('a', 1)])
    const [second = ''] = await storage.commit([notes.write('a', 2, { if: first })])
    expect(await isRefused(notes.write('a', 3, { if: first }))).toBe(true)
    expect(await isRefused(notes.remove('a', first))).toBe(true)
    expect(await storage.get(notes, ['a'])).toMatchObject([{ value: 2, version: second }])
    expect(await isRefused(notes.remove('a', second))).toBe(false)
    expect(await isRefused(notes.remove('a', second))).toBe(true)
    expect(await isRefused(notes.write('a', 4, { if: second }))).toBe(true)
    expect(await storage.get(notes, ['a'])).toEqual([undefined])
  })

  it('a write that names what changed replaces the value like any other', async () => {
    const { storage } = test
    const write = (value: Json, version: string): Write => ({
      collection: things,
      id: 'a',
      value,
      if: version,
      changed: ['end', 'note'],
    })
    const [first = ''] = await storage.commit([things.write('a', { name: 'x', end: 1, note: 'n' })])
    const { revision } = await changesSince(storage, things, 0)
    const [second = ''] = await storage.commit([write({ name: 'x', end: 2 }, first)])
    const record = { id: 'a', value: { name: 'x', end: 2 }, version: second }
    expect(await storage.get(things, ['a'])).toEqual([record])
    expect(await storage.find(things, { by: 'name', equals: 'x', limit: 2 })).toEqual([record])
    expect(await changesSince(storage, things, revision)).toMatchObject({ written: [record] })
    expect(await isRefused(write({ name: 'x', end: 3 }, first))).toBe(true)
    expect(await isRefused(things.write('a', { name: 'y' }, { if: first }))).toBe(true)
    expect(await isRefused(things.remove('a', first))).toBe(true)
    await storage.commit([write({ name: 'x', note: 'm' }, second)])
    const [third] = await storage.get(things, ['a'])
    expect(third?.value).toEqual({ name: 'x', note: 'm' })
    expect(await isRefused(things.write('a', { name: 'y' }, { if: third?.version ?? '' }))).toBe(
      false,
    )
    expect((await storage.get(things, ['a']))[0]?.value).toEqual({ name: 'y' })
  })

  it('a text that is not a version never holds', async () => {
    const { storage } = test
    await storage.commit([notes.write('a', 1)])
    for (const version of ['', 'no version', '0', '-1', 'NaN', 'null']) {
      for (const id of ['a', 'missing']) {
        expect(await isRefused(notes.write(id, 2, { if: version }))).toBe(true)
        expect(await isRefused(notes.remove(id, version))).toBe(true)
        expect(await isRefused({ collection: notes, id, check: version })).toBe(true)
      }
    }
  })

  it('a check holds like the precondition of a write, and writes nothing', async () => {
    const { storage } = test
    const [version = ''] = await storage.commit([things.write('a', { size: 1 })])
    const { revision } = await changesSince(storage, things, 0)
    const check = (id: string, expected: string): Write => ({
      collection: things,
      id,
      check: expected,
    })
    expect(await isRefused(check('a', version), check('b', 'absent'))).toBe(false)
    expect(await isRefused(check('a', 'absent'))).toBe(true)
    expect(await isRefused(check('b', version))).toBe(true)
    expect(await isRefused(check('a', version), notes.write('n', 1))).toBe(false)
    expect(await isRefused(check('b', version), notes.write('n', 2))).toBe(true)
    expect(await storage.get(notes, ['n'])).toMatchObject([{ value: 1 }])
    expect(await changesSince(storage, things, revision)).toMatchObject({
      written: [],
      removed: [],
    })
    expect((await storage.get(things, ['a']))[0]?.version).toBe(version)
  })

  it('an expired record counts as absent', async () => {
    const { storage, clock } = test
    const expiresAt = clock.now() + 10
    const ids = ['a', 'b', 'c', 'd']
    const [version = ''] = await storage.commit(ids.map((id) => notes.write(id, 1, { expiresAt })))
    clock.advance(10)
    expect(await isRefused({ collection: notes, id: 'a', check: version })).toBe(true)
    expect(await isRefused({ collection: notes, id: 'a', check: 'absent' })).toBe(false)
    expect(await isRefused(notes.write('b', 2, { if: version }))).toBe(true)
    expect(await isRefused(notes.remove('c', version))).toBe(true)
    expect(await isRefused(notes.write('d', 2, { if: 'absent' }))).toBe(false)
    expect(await storage.get(notes, ids)).toMatchObject([
      undefined,
      undefined,
      undefined,
      { value: 2 },
    ])
  })

  it('one failed precondition prevents all writes, in every collection', async () => {
    const { storage } = test
    const [version = ''] = await storage.commit([
      things.write('old', { size: 1 }),
      things.write('gone', { size: 1 }),
    ])
    const before = await storage.find(things, { by: 'size', limit: 10 })
    const { revision } = await changesSince(storage, things, 0)
    const refused = await isRefused(
      notes.write('n', 1),
      things.write('new', { size: 2 }),
      things.write('old', { size: 2 }, { if: version }),
      things.remove('gone'),
      notes.write('missing', 1, { if: version }),
    )
    expect(refused).toBe(true)
    expect(await storage.get(notes, ['n'])).toEqual([undefined])
    expect(await storage.find(things, { by: 'size', limit: 10 })).toEqual(before)
    expect(await storage.changes(things, revision)).toEqual({ revision, written: [], removed: [] })
    expect(await isRefused(things.write('old', { size: 3 }, { if: version }))).toBe(false)
  })

  it('the conflict names the collection and the id', async () => {
    const { storage } = test
    const commit = storage.commit([notes.write('ok', 1), notes.write('a', 1, { if: '7' })])
    await expect(commit).rejects.toMatchObject({
      kind: 'Conflict',
      reason: 'StorageConflict',
      info: { collection: 'notes', id: 'a' },
    })
  })
}
