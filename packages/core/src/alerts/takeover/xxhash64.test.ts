import { expect, it } from 'vitest'
import { xxhash64 } from './xxhash64.ts'

it.each([
  ['', 'ef46db3751d8e999'],
  ['a', 'd24ec4f1a98c6e5b'],
  ['abc', '44bc2cf5ad770999'],
  ['Nobody inspects the spammish repetition', 'fbcea83c8a378bf1'],
])('xxhash64 of %j', (text, hash) => {
  expect(xxhash64(new TextEncoder().encode(text)).toString(16)).toBe(hash)
})
