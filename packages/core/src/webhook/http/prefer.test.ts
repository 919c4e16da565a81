import { expect, it } from 'vitest'
import { readPreferences } from './prefer.ts'

it.each([
  [undefined, false, undefined],
  ['', false, undefined],
  ['respond-async', true, undefined],
  ['Respond-Async, wait=10', true, 10_000],
  ['wait = "3"; foo="a", respond-async', true, 3_000],
  ['wait=0', false, 0],
  ['wait=1, wait=2', false, 1_000],
  ['wait=', false, undefined],
  ['wait=-1', false, undefined],
  ['wait=1.5', false, undefined],
  ['wait=9999999999', false, undefined],
  ['return=minimal, handling=lenient', false, undefined],
  [`${','.repeat(100_000)}respond-async`, false, undefined],
])('reads %j', (header, respondAsync, waitMs) => {
  expect(readPreferences(header)).toEqual({ respondAsync, waitMs })
})
