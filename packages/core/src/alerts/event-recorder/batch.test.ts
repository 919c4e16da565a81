import { expect, it } from 'vitest'
import { batchSize } from './batch.ts'

it.each([
  ['takes what waits', ['aa', 'bb'], { events: 9, bytes: 9 }, 2],
  ['stops at the most events', ['aa', 'bb', 'cc'], { events: 2, bytes: 99 }, 2],
  ['takes lines and commas of exactly the most bytes', ['aa', 'bb'], { events: 9, bytes: 5 }, 2],
  ['stops before the most bytes are exceeded', ['aa', 'bb'], { events: 9, bytes: 4 }, 1],
  ['takes one line, however long', ['aaaa', 'b'], { events: 9, bytes: 1 }, 1],
])('a batch %s', (_, lines, limits, size) => {
  expect(batchSize(lines, limits)).toBe(size)
})
