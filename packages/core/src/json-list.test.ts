import { expect, it } from 'vitest'
import { jsonList } from './json-list.ts'

it('pieces joined by nothing are the list of the texts, with a newline behind it', () => {
  const textOf = (items: readonly string[]): string => jsonList(items).join('')
  expect(textOf([])).toBe('[]\n')
  expect(textOf(['1'])).toBe('[1]\n')
  expect(textOf(['1', '{"a":2}', '[]'])).toBe('[1,{"a":2},[]]\n')
})
