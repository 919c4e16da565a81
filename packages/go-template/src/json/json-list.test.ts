import { expect, it } from 'vitest'
import { atOnce } from './at-once.fixture.ts'
import { encodedList, encodeListItem } from './json-list.ts'

it.each([[[]], [['1']], [['1', '{"a":"ü"}', '[]']]])(
  'encoded items are joined to the list of %j and a newline',
  (items) => {
    const list = atOnce(encodedList(items.map(encodeListItem)))
    expect(new TextDecoder().decode(list)).toBe(`[${items.join(',')}]\n`)
  },
)

it('encoded items take little more memory than their bytes', () => {
  const items = Array.from({ length: 1_000 }, () => encodeListItem('x'.repeat(806)))
  const buffers = new Set(items.map(({ buffer }) => buffer))
  const bytes = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0)
  // Others share the first pool, and the last one is not full.
  expect(bytes - 2 * Buffer.poolSize).toBeLessThan(1.1 * 807 * items.length)
})
