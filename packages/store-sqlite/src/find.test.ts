import { type Collection, defineCollection, type Query } from '@gatehouse/core/store'
import { expect, it } from 'vitest'
import { findClauses } from './find.ts'

const things: Collection = defineCollection<{ size?: number; name?: string }>({
  name: 'things',
  fields: { size: 'number', name: 'text' },
})
const size = "json_extract(value, '$.size')"
const name = "json_extract(value, '$.name')"

const rows: [Partial<Query>, where: string, order: string, values: unknown[]][] = [
  [{ by: 'id' }, 'id >= ?', 'id ASC', ['']],
  [{ by: 'id', order: 'desc' }, 'id >= ?', 'id DESC', ['']],
  [{ by: 'id', from: 'a', to: 'b' }, 'id >= ? AND id < ?', 'id ASC', ['a', 'b']],
  [{ by: 'id', after: { key: 'a', id: 'a' } }, 'id >= ? AND id > ?', 'id ASC', ['', 'a']],
  [{ by: 'size' }, `${size} >= ?`, `${size} ASC, id ASC`, [Number.NEGATIVE_INFINITY]],
  [{ by: 'name' }, `${name} >= ?`, `${name} ASC, id ASC`, ['']],
  [{ by: 'size', equals: 3 }, `${size} = ?`, 'id ASC', [3]],
  [
    { by: 'size', equals: 3, order: 'desc', after: { key: 3, id: 'a' } },
    `${size} = ? AND id < ?`,
    'id DESC',
    [3, 'a'],
  ],
  [
    { by: 'size', from: 1, to: 9, order: 'desc', after: { key: 3, id: 'a' } },
    `${size} >= ? AND ${size} < ? AND ${size} <= ? AND (${size} < ? OR id < ?)`,
    `${size} DESC, id DESC`,
    [1, 9, 3, 3, 'a'],
  ],
  [{ by: 'name', equals: 'a\0b' }, `${name} = CAST(? AS TEXT)`, 'id ASC', [Buffer.from('a\0b')]],
]

it.each(rows)('%j selects by %s', (query, where, order, values) => {
  const checked = { by: 'id', limit: 9, ...query }
  expect(findClauses(things, checked)).toEqual({ where, order, values })
})
