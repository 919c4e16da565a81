import { expect, it } from 'vitest'
import { atOnce } from '../async/slices.ts'
import { encodedList, encodeListItem } from './json-list.ts'

it.each([[[]], [['1']], [['1', '{"a":"ü"}', '[]']]])(
  'encoded items are joined to the list of %j and a newline',
  (items) => {
    const list = atOnce(encodedList(items.map(encodeListItem)))
    expect(new TextDecoder().decode(list)).toBe(`[${items.join(',')}]\n`)
  },
)
