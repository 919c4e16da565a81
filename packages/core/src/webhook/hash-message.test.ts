import { describe, expect, it } from 'vitest'
import { hashMessage } from './hash-message.ts'

describe('hashMessage', () => {
  it.each([
    ['abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ['', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
    ['pässwörd', 'f517ddf1d32a112ff1ad55c66d1b12cb38e7e8f7'],
  ])('hashes %j with the SHA-1 of its UTF-8 bytes', (message, hash) => {
    expect(hashMessage({ message })).toEqual({ message: hash, hash, algorithm: 'sha1' })
  })

  it('treats half a surrogate pair as U+FFFD', () => {
    expect(hashMessage({ message: '\ud800' })).toEqual(hashMessage({ message: '\ufffd' }))
  })
})
