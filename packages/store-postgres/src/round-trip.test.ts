import type { Json } from '@gatehouse/core'
import { defineCollection, type Query } from '@gatehouse/core/store'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runsOf } from '../../../test-support/lane.ts'
import { describeWithPostgres } from '../../../test-support/postgres/use-postgres.ts'
import { useStorages } from '../test/use-storages.ts'

const records = defineCollection<unknown>({
  name: 'records',
  fields: { text: 'text', number: 'number' },
})

/** Any text, including NUL and lone surrogates. */
const anyText = fc
  .array(fc.oneof(fc.nat({ max: 0xffff }), fc.constantFrom(0, 0xd800, 0xdfff, 0xfdd0, 0x5c)), {
    maxLength: 8,
  })
  .map((units) => String.fromCharCode(...units))

/** A text for a field, with letters of one to four bytes. */
const keyText = fc.string({
  unit: fc.constantFrom('a', 'B', 'z', 'é', '中', '\uffff', '😀'),
  maxLength: 3,
})

const key = fc.record({
  text: keyText,
  number: fc.oneof(
    fc.constantFrom(0, 1, 2),
    fc.maxSafeInteger(),
    fc.double({ min: -1e12, max: 1e12, noNaN: true }).map((number) => number + 0),
  ),
})

/** Orders texts by UTF-8 bytes, and numbers by value. */
const compare = (one: string | number, other: string | number): number =>
  typeof one === 'string'
    ? Buffer.compare(Buffer.from(one), Buffer.from(String(other)))
    : one - Number(other)

describeWithPostgres('values in the database', () => {
  const test = useStorages()

  it('round-trip unchanged', async () => {
    const storage = test.open()
    const value = fc.oneof(
      anyText,
      fc.jsonValue({ stringUnit: 'binary' }),
      fc.dictionary(anyText, anyText),
    )
    await fc.assert(
      fc.asyncProperty(value, async (given) => {
        await storage.commit([{ collection: records, id: 'a', value: { in: given } as Json }])
        const stored = await records.get(storage, 'a')
        expect(JSON.stringify(stored?.value)).toBe(JSON.stringify({ in: given }))
      }),
      { numRuns: runsOf(66) },
    )
  })

  it('are found by their fields in the order of bytes and of numbers', async () => {
    const storage = test.open()
    await fc.assert(
      fc.asyncProperty(
        fc.array(key, { minLength: 1, maxLength: 20 }),
        key,
        async (values, bound) => {
          const old = await storage.find(records, { by: 'id', limit: 100 })
          await storage.commit(old.map(({ id }) => ({ collection: records, id, value: undefined })))
          await storage.commit(values.map((value, index) => records.write(`${index}`, value)))
          for (const by of ['text', 'number'] as const) {
            const rows = values.map((value, index) => ({ key: value[by], id: `${index}` }))
            const sorted = rows.sort((a, b) => compare(a.key, b.key) || compare(a.id, b.id))
            const ids = (of: typeof rows): string[] => of.map(({ id }) => id)
            const found = async (query: Partial<Query>): Promise<string[]> =>
              (await storage.find(records, { by, limit: 50, ...query })).map(({ id }) => id)
            const limit = bound[by]
            const middle = sorted[Math.floor(sorted.length / 2)] ?? { key: limit, id: '' }

            expect(await found({})).toEqual(ids(sorted))
            expect(await found({ order: 'desc' })).toEqual(ids(sorted).reverse())
            expect(await found({ from: limit })).toEqual(
              ids(sorted.filter((row) => compare(row.key, limit) >= 0)),
            )
            expect(await found({ to: limit })).toEqual(
              ids(sorted.filter((row) => compare(row.key, limit) < 0)),
            )
            expect(await found({ equals: middle.key })).toEqual(
              ids(sorted.filter((row) => row.key === middle.key)),
            )
            expect(await found({ after: middle })).toEqual(
              ids(sorted.slice(sorted.indexOf(middle) + 1)),
            )
          }
        },
      ),
      { numRuns: runsOf(30) },
    )
  })

  it('can be read with plain SQL', async () => {
    const storage = test.open()
    const expiresAt = Date.now() + 60_000
    await storage.commit([records.write('a', { text: 'readable', number: 1.5 }, { expiresAt })])
    const sql = `SELECT id, expires_at, value, value::jsonb ->> 'text' FROM gatehouse_records`
    expect(await test.rows(sql)).toEqual([
      ['a', expiresAt, '{"text":"readable","number":1.5}', 'readable'],
    ])
  })
})
