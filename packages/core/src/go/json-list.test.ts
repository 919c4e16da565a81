import { describe, expect, it } from 'vitest'
import { bodyText, encodedList, encodeListItem, jsonList } from './json-list.ts'

describe('a list in pieces', () => {
  it.each([[[]], [['1']], [['1', '{"a":"ü"}', '[]']]])(
    'of %j is the list of the texts',
    (items) => {
      expect(bodyText(jsonList(items))).toBe(`[${items.join(',')}]\n`)
      expect(bodyText(encodedList(items.map(encodeListItem)))).toBe(`[${items.join(',')}]`)
    },
  )
})
