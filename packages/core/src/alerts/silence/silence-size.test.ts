import { expect, it } from 'vitest'
import { silenceSize } from './silence-size.ts'

const silence = {
  matchers: [{ name: 'a', value: 'b', isRegex: false, isEqual: true }],
  startsAt: 1_000,
  endsAt: 2_000,
  updatedAt: 1_500,
  createdBy: 'me',
  comment: '',
}

it('counts each field with its tag and length, and leaves out empty fields', () => {
  // id 2+2, matcher 2+6 alone and 2+8 in its set, times 2+2, 2+2 and 2+2+5 (500 ms in ns), createdBy 2+2
  expect(silenceSize('id', silence, 0)).toBe(2 + (4 + 8 + 10 + 4 + 4 + 10 + 4) + 4)
})

it('grows by the bytes of the comment, not by its characters', () => {
  const base = silenceSize('id', { ...silence, comment: 'x' }, 0)
  expect(silenceSize('id', { ...silence, comment: '☃' }, 0)).toBe(base + 2)
})
