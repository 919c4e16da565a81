import { expect, it } from 'vitest'
import type { Json } from '../../storage/storage.ts'
import { notes, type StorageFactory, things, useStorage } from './harness.ts'

const nested = (depth: number): Json => {
  let value: Json = 'core'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { in: value }
  return value
}

/** Tests that a store accepts all valid values and returns them unchanged. */
export function describeValues(factory: StorageFactory): void {
  const test = useStorage(factory)

  it('returns every JSON value unchanged', async () => {
    const { storage } = test
    const values: Json[] = [
      null,
      true,
      false,
      0,
      -1.5,
      0.1,
      5e-324,
      1.7976931348623157e308,
      Number.MAX_SAFE_INTEGER,
      2 ** 60,
      '',
      'text',
      'it\'s a "text" \\ % _ ? $1 :name',
      'é 日本 🚀 \u2028',
      [],
      {},
      [null, [1, ['two']], { three: [] }],
      { a: { b: { c: [1, 2, 3] } }, '': 'empty name', 'a.b': 1, 'a"b': 2 },
    ]
    const ids = values.map((_, index) => `value-${index}`)
    await storage.commit(values.map((value, index) => notes.write(`value-${index}`, value)))
    expect((await storage.get(notes, ids)).map((record) => record?.value)).toEqual(values)
  })

  it('returns strings with NUL and lone surrogates unchanged', async () => {
    const { storage } = test
    const value = { 'name\0': 'a\0b', '\udc00': '\ud800', pair: '\ud83d\ude80' }
    await storage.commit([notes.write('a', value)])
    const [record] = await storage.get(notes, ['a'])
    expect(record?.value).toEqual(value)
  })

  it('returns properties with names that every JavaScript object has', async () => {
    const { storage } = test
    const text =
      '{"__proto__":{"polluted":true},"constructor":"c","toString":"t","hasOwnProperty":1}'
    await storage.commit([notes.write('a', JSON.parse(text)), things.write('a', JSON.parse(text))])
    for (const collection of [notes, things]) {
      const [record] = await storage.get(collection, ['a'])
      expect(JSON.stringify(record?.value)).toBe(text)
    }
  })

  it('null is a value, not a removal', async () => {
    const { storage } = test
    await storage.commit([notes.write('a', null)])
    expect(await storage.get(notes, ['a'])).toMatchObject([{ value: null }])
  })

  it('a property that is undefined counts as missing', async () => {
    const { storage } = test
    await storage.commit([notes.write('a', { here: 1, missing: undefined })])
    expect((await notes.get(storage, 'a'))?.value).toEqual({ here: 1 })
  })

  it('a value nests at most 100 deep', async () => {
    const { storage } = test
    await storage.commit([
      notes.write('a', nested(100)),
      { collection: things, id: 'a', value: { deep: nested(99) } },
    ])
    expect((await notes.get(storage, 'a'))?.value).toEqual(nested(100))
    await expect(storage.commit([notes.write('b', nested(101))])).rejects.toThrow(TypeError)
    await expect(storage.commit([notes.write('b', nested(100_000))])).rejects.toThrow(TypeError)
  })

  it('a value that JSON cannot hold is a TypeError, and nothing is written', async () => {
    const { storage } = test
    const cycle: unknown[] = []
    cycle.push(cycle)
    const unfit: unknown[] = [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1n,
      Symbol('s'),
      () => 1,
      new Date(0),
      new Map(),
      new Uint8Array(1),
      [undefined],
      new Array(1),
      cycle,
    ]
    for (const value of unfit) {
      for (const held of [value, { in: value }, [value]]) {
        const writes = [notes.write('other', 1), notes.write('a', held)]
        await expect(storage.commit(writes)).rejects.toThrow(TypeError)
      }
    }
    expect(await storage.get(notes, ['other', 'a'])).toEqual([undefined, undefined])
  })

  it('a declared field with a value that is not a valid key is a TypeError', async () => {
    const { storage } = test
    const unfit = [
      { name: 1 },
      { name: 'a\0' },
      { name: '\ud800' },
      { name: 'x'.repeat(1_025) },
      { name: 'é'.repeat(513) },
      { name: ['a'] },
      { size: '1' },
      { size: true },
      { size: 2 ** 54 },
    ]
    for (const value of unfit) {
      const write = { collection: things, id: 'a', value }
      await expect(storage.commit([write]), JSON.stringify(value)).rejects.toThrow(TypeError)
    }
    expect(await storage.get(things, ['a'])).toEqual([undefined])
  })

  it('a declared field holds any text of up to 1,024 bytes', async () => {
    const { storage } = test
    const letter = (index: number): string =>
      String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000))
    const name = `${Array.from({ length: 341 }, (_, index) => letter(index)).join('')}x`
    const id = `${Array.from({ length: 170 }, (_, index) => letter(index + 341)).join('')}yz`
    await storage.commit([things.write(id, { name }), things.write('b', { name: 'x' })])
    expect(await storage.find(things, { by: 'name', equals: name, limit: 2 })).toMatchObject([
      { id },
    ])
    expect(await storage.find(things, { by: 'name', from: name, limit: 2 })).toMatchObject([{ id }])
  })

  it('an expiresAt that is not an instant is a TypeError', async () => {
    const { storage } = test
    const write = notes.write('a', 1, { expiresAt: Number.NaN })
    await expect(storage.commit([write])).rejects.toThrow(TypeError)
  })
}
