import { describe, expect, it } from 'vitest'
import { randomBytes } from '../../crypto/crypto.ts'
import { crockfordAlphabet, randomCrockford, randomText } from './random.ts'

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Answers all 256 values of a byte, over and over. */
function everyByte() {
  let next = 0
  return (size: number) => Uint8Array.from({ length: size }, () => next++ % 256)
}

function countCharacters(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return counts
}

describe('a random string', () => {
  it.each(['0123456789', alphanumeric])(
    'has each character of %s equally often if the bytes are uniform',
    (alphabet) => {
      const usable = 256 - (256 % alphabet.length)
      const counts = countCharacters(randomText(everyByte(), alphabet, usable * 3))
      expect([...counts.keys()].sort()).toEqual([...alphabet].sort())
      expect(new Set(counts.values())).toEqual(new Set([(usable * 3) / alphabet.length]))
    },
  )

  it('skips bytes that would bias it towards some characters', () => {
    const answers = [[255, 9], [250], [249]]
    const asked: number[] = []
    const random = (size: number): Uint8Array => {
      asked.push(size)
      return Uint8Array.from(answers.shift() ?? [])
    }
    expect(randomText(random, '0123456789', 2)).toBe('99')
    expect(asked).toEqual([2, 1, 1])
  })

  it('stops if the source keeps returning the same unusable bytes', () => {
    const random = (size: number): Uint8Array => new Uint8Array(size).fill(255)
    expect(() => randomText(random, '0123456789', 6)).toThrow(/does not return random bytes/)
  })
})

describe('a random string with five bits a character', () => {
  it('has each character equally often if the bytes are uniform', () => {
    const counts = countCharacters(randomCrockford(everyByte(), 256 * 8))
    expect([...counts.keys()].sort()).toEqual([...crockfordAlphabet].sort())
    expect(new Set(counts.values())).toEqual(new Set([64]))
  })

  it.each([
    [32, 20],
    [10, 7],
    [1, 1],
  ])('of %d characters draws %d bytes at once', (length, size) => {
    const asked: number[] = []
    const text = randomCrockford((count) => {
      asked.push(count)
      return randomBytes(count)
    }, length)
    expect(text).toMatch(/^[0-9A-HJKMNP-TV-Z]+$/)
    expect(text).toHaveLength(length)
    expect(asked).toEqual([size])
  })

  it('depends on every bit of the bytes that it encodes whole', () => {
    const zero = randomCrockford((size) => new Uint8Array(size), 32)
    for (let bit = 0; bit < 160; bit++) {
      const text = randomCrockford((size) => {
        const bytes = new Uint8Array(size)
        bytes[bit >> 3] = 1 << (bit & 7)
        return bytes
      }, 32)
      expect(text).not.toBe(zero)
    }
  })
})

it.each([
  ['too few', new Uint8Array(3)],
  ['too many', new Uint8Array(30)],
  ['none', new Uint8Array(0)],
])('a source that returns %s bytes is refused', (_what, bytes) => {
  expect(() => randomCrockford(() => bytes, 32)).toThrow(`${bytes.length} bytes, not 20`)
  expect(() => randomText(() => bytes, '01', 8)).toThrow(`${bytes.length} bytes, not 8`)
})
