import { describe, expect, it } from 'vitest'
import { postgresSchemaSql } from './migration.ts'
import { createNames } from './names.ts'

const longest = { schema: undefined, prefix: `p${'_'.repeat(15)}` }
/** Names of 40 letters that differ in one place. */
const variants = (letter: string): string[] =>
  Array.from({ length: 40 }, (_, at) => `${letter.repeat(at)}x${letter.repeat(39 - at)}`)

describe('names', () => {
  it('are readable for operators', () => {
    const names = createNames({ schema: undefined, prefix: 'gatehouse_' })
    expect(names.table('silences')).toBe('"gatehouse_silences"')
    expect(names.feed('silences')).toBe('"gatehouse_silences.feed"')
    expect(names.index('silences', 'by_state')).toBe('"gatehouse_silences.by_state"')
    expect(names.version).toBe('"gatehouse__schema"')
    expect(names.feeds).toBe('"gatehouse__feeds"')
  })

  it('of tables include the schema, those of indexes do not', () => {
    const names = createNames({ schema: 'Gate', prefix: 'g_' })
    expect(names.table('a')).toBe('"Gate"."g_a"')
    expect(names.feed('a')).toBe('"Gate"."g_a.feed"')
    expect(names.version).toBe('"Gate"."g__schema"')
    expect(names.index('a', 'by_b')).toBe('"g_a.by_b"')
    expect([names.table('a'), names.feed('a'), names.index('a', 'by_b')].map(names.plain)).toEqual([
      'g_a',
      'g_a.feed',
      'g_a.by_b',
    ])
  })

  it('are never longer than the 63 bytes that PostgreSQL keeps', () => {
    const names = createNames(longest)
    const all = variants('c').flatMap((collection) => [
      names.table(collection),
      names.feed(collection),
      names.unnumbered(collection),
      names.index(collection, 'expires_at'),
      ...variants('f').map((field) => names.index(collection, `by_${field}`)),
    ])
    for (const name of [...all, names.version, names.feeds].map(names.plain)) {
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63)
    }
    expect(new Set(all).size).toBe(all.length)
    expect(names.channel.length).toBeLessThanOrEqual(63)
  })

  it('are the same in every process', () => {
    const field = 'f'.repeat(40)
    const [one, other] = [createNames(longest), createNames(longest)]
    expect(one.index('collection', `by_${field}`)).toBe(other.index('collection', `by_${field}`))
    expect(one.lock).toBe(other.lock)
  })

  it('give each place its own lock, a number that PostgreSQL and JSON can hold', () => {
    const schemas = [undefined, 'a', 'b', 'public']
    const locks = schemas.flatMap((schema) =>
      ['g_', 'h_', 'gatehouse_'].map((prefix) => createNames({ schema, prefix }).lock),
    )
    expect(new Set(locks).size).toBe(locks.length)
    expect(locks.every((lock) => Number.isSafeInteger(lock) && lock >= 0)).toBe(true)
  })

  it.each(['', '_', '1a', 'A', 'a-b', 'a"', 'a.b', 'ä', `a${'b'.repeat(16)}`, 'a\n'])(
    'refuse the prefix %j',
    (prefix) => {
      expect(() => postgresSchemaSql({ collections: [], prefix })).toThrow('options.prefix')
    },
  )

  it.each(['', '1a', 'a-b', 'a"', 'a.b', 'ä', 'a'.repeat(64), 'a b', 'a\n'])(
    'refuse the schema %j',
    (schema) => {
      expect(() => postgresSchemaSql({ collections: [], schema })).toThrow('options.schema')
    },
  )
})
