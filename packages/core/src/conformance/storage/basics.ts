import { expect, it } from 'vitest'
import { defineCollection } from '../../storage/collection.ts'
import { isDescribed } from '../../storage/describe.ts'
import { notes, type StorageFactory, things, useStorage } from './harness.ts'

/** Tests that writes and removals take effect, all or nothing. */
export function describeBasics(factory: StorageFactory): void {
  const test = useStorage(factory)

  it('get() returns records in the order of the ids, undefined where there is none', async () => {
    const { storage } = test
    await storage.commit([notes.write('a', 1), notes.write('b', 2)])
    const records = await storage.get(notes, ['b', 'missing', 'a', 'b'])
    expect(records.map((record) => record?.value)).toEqual([2, undefined, 1, 2])
    expect(records[0]).toMatchObject({ id: 'b', value: 2 })
    expect(await storage.get(notes, [])).toEqual([])
  })

  it('get() finds nothing under an invalid id', async () => {
    const { storage } = test
    await storage.commit([notes.write('\ufffd', 1)])
    const ids = ['', 'x'.repeat(513), 'a\0b', '\ud800']
    expect(await storage.get(notes, ids)).toEqual([undefined, undefined, undefined, undefined])
  })

  it('describe(), if there is one, names the kind and shows that the data grows', async () => {
    const { storage } = test
    if (!isDescribed(storage)) return
    await storage.commit([notes.write('first', 1)])
    const before = await storage.describe()
    const text = 'x'.repeat(10_000)
    await storage.commit(Array.from({ length: 100 }, (_, i) => notes.write(`${i}`, `${i}${text}`)))
    const after = await storage.describe()
    expect(after.kind).toMatch(/^[a-z]+$/)
    for (const name of ['bytes', 'records'] as const) {
      const [small, large] = [before[name], after[name]]
      expect((large ?? 1) > (small ?? 0), name).toBe(true)
    }
    expect(after.freeBytes ?? 0).toBeLessThanOrEqual(after.bytes ?? 0)
  })

  it('a later write replaces the value and the version', async () => {
    const { storage } = test
    const [first] = await storage.commit([notes.write('a', 1)])
    const [second] = await storage.commit([notes.write('a', 2)])
    expect(second).not.toBe(first)
    expect(await storage.get(notes, ['a'])).toEqual([{ id: 'a', value: 2, version: second }])
  })

  it('commit() returns the versions of its writes in their order, empty for removals and checks', async () => {
    const { storage } = test
    const [version = ''] = await storage.commit([notes.write('kept', 1), notes.write('gone', 1)])
    const versions = await storage.commit([
      notes.write('new', 1),
      notes.remove('gone'),
      { collection: notes, id: 'kept', check: version },
    ])
    const [record] = await storage.get(notes, ['new'])
    expect(versions).toEqual([record?.version, '', ''])
  })

  it('an empty commit does nothing', async () => {
    expect(await test.storage.commit([])).toEqual([])
  })

  it('removing a record makes it absent, removing a missing one is not an error', async () => {
    const { storage } = test
    await storage.commit([notes.write('a', 1)])
    await storage.commit([notes.remove('a'), notes.remove('never there')])
    await storage.commit([notes.remove('a')])
    expect(await storage.get(notes, ['a'])).toEqual([undefined])
  })

  it('one id names different records in different collections', async () => {
    const { storage } = test
    await storage.commit([notes.write('a', 1), things.write('a', { name: 'x' })])
    await storage.commit([notes.remove('a')])
    expect(await things.get(storage, 'a')).toMatchObject({ value: { name: 'x' } })
  })

  it('a version is not reused for one id, even after a removal or an expiry', async () => {
    const { storage, clock } = test
    const versions: string[] = []
    for (let round = 0; round < 10; round++) {
      const expiresAt = clock.now() + 10
      versions.push(...(await storage.commit([notes.write('a', round)])))
      versions.push(...(await storage.commit([notes.write('a', round, { expiresAt })])))
      clock.advance(10)
      versions.push(...(await storage.commit([notes.write('a', round, { if: 'absent' })])))
      await storage.commit([notes.remove('a')])
    }
    expect(new Set(versions).size).toBe(30)
    expect(versions).not.toContain('')
  })

  it('two writes that name the same record are a TypeError, and nothing is written', async () => {
    const { storage } = test
    const other = notes.write('other', 1)
    for (const second of [notes.write('a', 2), notes.remove('a')]) {
      await expect(storage.commit([other, notes.write('a', 1), second])).rejects.toThrow(TypeError)
    }
    const check = { collection: notes, id: 'a', check: 'absent' } as const
    await expect(storage.commit([other, notes.write('a', 1), check])).rejects.toThrow(TypeError)
    expect(await storage.get(notes, ['a', 'other'])).toEqual([undefined, undefined])
  })

  it('an id is 1 to 512 bytes of UTF-8 without NUL and lone surrogates', async () => {
    const { storage } = test
    const fit = ['x', 'y'.repeat(512), 'é'.repeat(256), '🚀'.repeat(128), 'a\'b"c%_\\', '__proto__']
    await storage.commit(fit.map((id) => notes.write(id, id)))
    const values = (await storage.get(notes, fit)).map((record) => record?.value)
    expect(values).toEqual(fit)
    const unfit = ['', 'y'.repeat(513), 'é'.repeat(257), `${'🚀'.repeat(128)}x`, 'a\0', 'a\ud800']
    for (const id of unfit) {
      const writes = [notes.write('b', 1), notes.write(id, 1)]
      await expect(storage.commit(writes), JSON.stringify(id)).rejects.toThrow(TypeError)
    }
    expect(await storage.get(notes, ['b'])).toEqual([undefined])
  })

  it('a collection with an invalid name or field is a TypeError', async () => {
    const { storage } = test
    const good = { name: 'good', fields: {}, feed: false }
    const names = ['', 'Upper', '1st', 'with space', 'a;b', '"', 'x'.repeat(41)]
    for (const collection of [
      ...names.map((name) => ({ ...good, name })),
      { ...good, fields: { 'a b': 'text' } } as const,
      { ...good, fields: { id: 'text' } } as const,
      { ...good, fields: { size: 'text', SIZE: 'text' } } as const,
    ]) {
      await expect(storage.get(collection, ['a'])).rejects.toThrow(TypeError)
      expect(() => defineCollection(collection)).toThrow(TypeError)
    }
  })

  it('two collections with one name that differ otherwise are a TypeError', async () => {
    const { storage } = test
    await storage.get(notes, ['a'])
    expect(await storage.get({ name: 'notes', fields: {}, feed: false }, ['a'])).toEqual([
      undefined,
    ])
    await expect(storage.get({ ...notes, feed: true }, ['a'])).rejects.toThrow(TypeError)
    await expect(storage.get({ ...notes, fields: { a: 'text' } }, ['a'])).rejects.toThrow(TypeError)
  })
}
