import { expect, it } from 'vitest'
import type { Query } from '../../storage/storage.ts'
import { idsOf, notes, type StorageFactory, things, useStorage } from './harness.ts'

/** Tests finding records by a declared field or by id. */
export function describeFind(factory: StorageFactory): void {
  const test = useStorage(factory)

  const find = async (query: Query): Promise<string[]> =>
    idsOf(await test.storage.find(things, query))

  const writeSizes = (sizes: Readonly<Record<string, number>>): Promise<unknown> =>
    test.storage.commit(Object.entries(sizes).map(([id, size]) => things.write(id, { size })))

  it('returns whole records', async () => {
    const [version] = await test.storage.commit([things.write('a', { name: 'x', note: 'n' })])
    const found = await test.storage.find(things, { by: 'name', equals: 'x', limit: 1 })
    expect(found).toEqual([{ id: 'a', value: { name: 'x', note: 'n' }, version }])
  })

  it('by equality, ordered by id', async () => {
    await writeSizes({ c: 1, a: 1, b: 2, d: 1 })
    expect(await find({ by: 'size', equals: 1, limit: 10 })).toEqual(['a', 'c', 'd'])
    expect(await find({ by: 'size', equals: 1, limit: 10, order: 'desc' })).toEqual(['d', 'c', 'a'])
    expect(await find({ by: 'size', equals: 3, limit: 10 })).toEqual([])
  })

  it('by a range that includes its start and excludes its end', async () => {
    await writeSizes({ a: 1, b: 2, c: 3, d: 4 })
    expect(await find({ by: 'size', from: 2, to: 4, limit: 10 })).toEqual(['b', 'c'])
    expect(await find({ by: 'size', from: 3, limit: 10 })).toEqual(['c', 'd'])
    expect(await find({ by: 'size', to: 3, limit: 10 })).toEqual(['a', 'b'])
    expect(await find({ by: 'size', from: 2, to: 4, limit: 10, order: 'desc' })).toEqual(['c', 'b'])
    expect(await find({ by: 'size', from: 4, to: 2, limit: 10 })).toEqual([])
  })

  it('orders by the field, then by id, and can reverse the whole order', async () => {
    await writeSizes({ z: 1, y: 2, x: 2, w: 0 })
    expect(await find({ by: 'size', limit: 10 })).toEqual(['w', 'z', 'x', 'y'])
    expect(await find({ by: 'size', limit: 10, order: 'desc' })).toEqual(['y', 'x', 'z', 'w'])
  })

  it('compares numbers by their value', async () => {
    await writeSizes({ a: 10, b: 9, c: -1, d: 0, e: 0.5, f: -1.5, g: 1e15, h: -1e15 })
    expect(await find({ by: 'size', limit: 10 })).toEqual(['h', 'f', 'c', 'd', 'e', 'b', 'a', 'g'])
    expect(await find({ by: 'size', equals: 0.5, limit: 10 })).toEqual(['e'])
  })

  it('compares texts by their UTF-8 bytes', async () => {
    const ordered = [
      '',
      ' ',
      'A',
      'Z',
      'a',
      'a ',
      'ab',
      'b',
      'é',
      '\ud7ff',
      '\ue000',
      '\uffff',
      '🚀',
    ]
    const { storage } = test
    const writes = ordered.map((name, index) => things.write(`id-${99 - index}`, { name }))
    await storage.commit(writes)
    const found = await things.find(storage, { by: 'name', limit: 100 })
    expect(found.map(({ value }) => value.name)).toEqual(ordered)
    const ids = ordered.filter((id) => id !== '')
    await storage.commit(ids.map((id) => notes.write(id, null)))
    expect(idsOf(await storage.find(notes, { by: 'id', limit: 100 }))).toEqual(ids)
    const later = await storage.find(notes, { by: 'id', from: '\ue000', limit: 100 })
    expect(idsOf(later)).toEqual(['\ue000', '\uffff', '🚀'])
  })

  it('by id, with the same bounds and orders', async () => {
    await writeSizes({ b: 1, a: 2, c: 3 })
    expect(await find({ by: 'id', limit: 10 })).toEqual(['a', 'b', 'c'])
    expect(await find({ by: 'id', limit: 10, order: 'desc' })).toEqual(['c', 'b', 'a'])
    expect(await find({ by: 'id', from: 'b', limit: 10 })).toEqual(['b', 'c'])
    expect(await find({ by: 'id', to: 'b', limit: 10 })).toEqual(['a'])
    expect(await find({ by: 'id', equals: 'b', limit: 10 })).toEqual(['b'])
  })

  it('does not find a record by a field that it lacks, but by id', async () => {
    const { storage } = test
    await storage.commit([
      things.write('none', {}),
      things.write('null', { name: null, size: null }),
      things.write('both', { name: '', size: 0 }),
      { collection: things, id: 'text', value: 'no object' },
      { collection: things, id: 'list', value: ['no object'] },
    ])
    for (const order of ['asc', 'desc'] as const) {
      expect(await find({ by: 'name', limit: 10, order })).toEqual(['both'])
      expect(await find({ by: 'size', limit: 10, order })).toEqual(['both'])
      expect(await find({ by: 'size', to: 1, limit: 10, order })).toEqual(['both'])
    }
    expect(await find({ by: 'id', limit: 10 })).toEqual(['both', 'list', 'none', 'null', 'text'])
  })

  it('finds a record only by its current value', async () => {
    const { storage } = test
    await writeSizes({ a: 1, b: 1, c: 1 })
    expect(await find({ by: 'size', equals: 1, limit: 10 })).toEqual(['a', 'b', 'c'])
    await storage.commit([
      things.write('a', { size: 2 }),
      things.write('b', {}),
      things.remove('c'),
    ])
    expect(await find({ by: 'size', equals: 1, limit: 10 })).toEqual([])
    expect(await find({ by: 'size', limit: 10 })).toEqual(['a'])
  })

  it('returns the first records up to the limit', async () => {
    await writeSizes({ a: 3, b: 2, c: 1 })
    expect(await find({ by: 'size', limit: 2 })).toEqual(['c', 'b'])
    expect(await find({ by: 'size', limit: 2, order: 'desc' })).toEqual(['a', 'b'])
  })

  it.each([
    { by: 'size', order: 'asc' },
    { by: 'size', order: 'desc' },
    { by: 'id', order: 'asc' },
    { by: 'id', order: 'desc' },
  ] as const)(
    'page after page by $by $order returns every record once, in order',
    async (query) => {
      const { storage } = test
      const writes = Array.from({ length: 53 }, (_, index) =>
        things.write(`id-${(index * 17) % 53}`, { size: index % 4 }),
      )
      await storage.commit(writes)
      const all = await find({ ...query, limit: 100 })
      expect(new Set(all).size).toBe(53)
      const paged: string[] = []
      let after: Query['after']
      for (;;) {
        const page = await things.find(storage, { ...query, limit: 7, ...(after && { after }) })
        paged.push(...idsOf(page))
        const last = page.at(-1)
        if (last === undefined) break
        after = { id: last.id, key: query.by === 'id' ? last.id : (last.value.size ?? 0) }
      }
      expect(paged).toEqual(all)
    },
  )

  it('continues after a record that no longer exists, or within bounds', async () => {
    const { storage } = test
    await writeSizes({ a: 1, b: 1, c: 1, d: 2, e: 3 })
    await storage.commit([things.remove('b')])
    const after = { key: 1, id: 'b' }
    expect(await find({ by: 'size', limit: 10, after })).toEqual(['c', 'd', 'e'])
    expect(await find({ by: 'size', limit: 10, after, order: 'desc' })).toEqual(['a'])
    expect(await find({ by: 'size', limit: 10, after, equals: 1 })).toEqual(['c'])
    expect(await find({ by: 'size', limit: 10, after, equals: 1, order: 'desc' })).toEqual(['a'])
    expect(await find({ by: 'size', limit: 10, after, from: 2, to: 3 })).toEqual(['d'])
  })

  it('a lone surrogate in a query text counts as U+FFFD', async () => {
    const { storage } = test
    await storage.commit([things.write('a', { name: '\ufffd' }), things.write('b', { name: 'b' })])
    expect(await find({ by: 'name', equals: '\ud800', limit: 10 })).toEqual(['a'])
    expect(await find({ by: 'name', from: '\udfff', limit: 10 })).toEqual(['a'])
  })

  it('a query text with NUL, which no key contains, sorts right after the part before the NUL', async () => {
    await test.storage.commit(['a', 'aa', 'b'].map((name) => things.write(name, { name })))
    for (const by of ['name', 'id']) {
      expect(await find({ by, equals: 'a\0', limit: 10 })).toEqual([])
      expect(await find({ by, from: 'a\0', limit: 10 })).toEqual(['aa', 'b'])
      expect(await find({ by, to: 'a\0b', limit: 10 })).toEqual(['a'])
      const after = { key: 'a\0', id: 'a\0' }
      expect(await find({ by, limit: 10, after })).toEqual(['aa', 'b'])
      expect(await find({ by, limit: 10, after, order: 'desc' })).toEqual(['a'])
    }
    const after = { key: 'a', id: 'a\0' }
    expect(await find({ by: 'name', limit: 10, after })).toEqual(['aa', 'b'])
    expect(await find({ by: 'name', limit: 10, after, order: 'desc' })).toEqual(['a'])
  })

  it('an invalid query is a TypeError', async () => {
    const { storage } = test
    const unfit: Query[] = [
      { by: 'note', limit: 1 },
      { by: 'constructor', limit: 1 },
      { by: '__proto__', limit: 1 },
      { by: 'size', limit: 0 },
      { by: 'size', limit: 10_001 },
      { by: 'size', limit: 1.5 },
      { by: 'size', limit: 1, equals: '1' },
      { by: 'size', limit: 1, from: Number.NaN },
      { by: 'name', limit: 1, to: 1 },
      { by: 'id', limit: 1, equals: 1 },
      { by: 'size', limit: 1, after: { key: 'a', id: 'a' } },
      { by: 'size', limit: 1, equals: 1, from: 1 },
      { by: 'size', limit: 1, equals: 1, after: { key: 2, id: 'a' } },
    ]
    for (const query of unfit) {
      await expect(storage.find(things, query), JSON.stringify(query)).rejects.toThrow(TypeError)
    }
    expect(await storage.find(things, { by: 'size', limit: 10_000 })).toEqual([])
  })
}
