import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSecretBox } from './secret-box.ts'

const first = { id: 'k1', key: 'an old key of the host, 32 bytes at least' }
const second = { id: 'k2', key: new Uint8Array(32).fill(9) }
const box = createSecretBox([first])

/** Every text that differs from a sealed one in a single character. */
function* alterations(sealed: string): Generator<string> {
  for (let i = 0; i < sealed.length; i++) {
    const other = sealed[i] === 'A' ? 'B' : 'A'
    yield sealed.slice(0, i) + other + sealed.slice(i + 1)
    yield sealed.slice(0, i) + sealed.slice(i + 1)
  }
}

describe('a sealed value', () => {
  it('opens to the same value, only with the same associated data', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, associated) => {
        const json = JSON.parse(JSON.stringify(value))
        const sealed = box.seal(json, associated)
        expect(box.open(sealed, associated)).toEqual(json)
        expect(box.open(sealed, `${associated} `)).toBeUndefined()
      }),
    )
  })

  it('is never the same twice and does not reveal the value', () => {
    const sealed = Array.from({ length: 100 }, () => box.seal({ secret: 'K5QW4ZLO' }, 'totp'))
    expect(new Set(sealed).size).toBe(100)
    for (const text of sealed) {
      expect(text).toMatch(/^k1\.[\w-]+$/)
      expect(Buffer.from(text.slice(3), 'base64url').toString('latin1')).not.toContain('K5QW')
    }
  })

  it('does not open when a character is changed or missing', () => {
    for (const altered of alterations(box.seal({ a: 1 }, 'x'))) {
      expect(box.open(altered, 'x')).toBeUndefined()
    }
  })

  it.each([
    '',
    'k1',
    'k1.',
    'k1.A',
    '.AAAA',
    'k9.AAAA',
    `k1.${'A'.repeat(32)}`,
    'k1.é',
    `k1.${'A'.repeat(80)}=`,
  ])('cannot be %j', (text) => {
    expect(box.open(text, 'x')).toBeUndefined()
  })

  it('does not open with another key of the same id', () => {
    const other = createSecretBox([{ ...second, id: 'k1' }])
    expect(other.open(box.seal('a', 'x'), 'x')).toBeUndefined()
  })

  it('opens with an earlier key as long as that key is present', () => {
    const sealed = box.seal(['a'], 'x')
    const rotated = createSecretBox([second, first])
    expect(rotated.open(sealed, 'x')).toEqual(['a'])
    expect(rotated.isCurrent(sealed)).toBe(false)
    const again = rotated.seal(['a'], 'x')
    expect(rotated.isCurrent(again)).toBe(true)
    expect(box.open(again, 'x')).toBeUndefined()
    expect(createSecretBox([second]).open(sealed, 'x')).toBeUndefined()
    expect(createSecretBox([second]).open(again, 'x')).toEqual(['a'])
  })
})

describe('a MAC', () => {
  it('is the same only for the same purpose and text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (purpose, text, other) => {
        const mac = box.mac(purpose, text)
        expect(mac).toMatch(/^k1\.[\w-]{43}$/)
        expect(box.mac(purpose, text)).toBe(mac)
        expect(box.checkMac(purpose, text, mac)).toBe(true)
        expect(box.checkMac(purpose, other, mac)).toBe(other === text)
        expect(box.checkMac(other, text, mac)).toBe(other === purpose)
      }),
    )
  })

  it('by an earlier key is recognised and can be looked up as long as that key is present', () => {
    const mac = box.mac('otp', '123456')
    const rotated = createSecretBox([second, first])
    expect(rotated.macs('otp', '123456')).toEqual([rotated.mac('otp', '123456'), mac])
    expect(rotated.mac('otp', '123456')).toMatch(/^k2\./)
    expect(rotated.checkMac('otp', '123456', mac)).toBe(true)
    expect(createSecretBox([second]).checkMac('otp', '123456', mac)).toBe(false)
  })

  it.each(['', 'k1', 'k1.', 'é', 'k1.AAAA'])('cannot be %j', (mac) => {
    expect(box.checkMac('otp', '123456', mac)).toBe(false)
  })

  it('does not change when a key is written as bytes instead of text', () => {
    const bytes = new TextEncoder().encode(first.key)
    const same = createSecretBox([{ id: 'k1', key: bytes }])
    expect(same.mac('otp', '1')).toBe(box.mac('otp', '1'))
    bytes.fill(0)
    expect(same.mac('session', '1')).toBe(box.mac('session', '1'))
  })
})

describe('a secret box', () => {
  it('does not reveal its keys when printed', () => {
    const shown = inspect(box, { depth: 9, showHidden: true }) + JSON.stringify(box)
    expect(shown).not.toContain('an old key')
  })

  it.each([
    ['no key', [], /at least one key/],
    [
      'a short key',
      [{ id: 'k', key: 'too short, I fear' }],
      /options\.secrets\.k: expected a key of at least 32 bytes, got .*17/,
    ],
    [
      'short bytes',
      [{ id: 'k', key: new Uint8Array(31) }],
      /expected a key of at least 32 bytes, got .*31/,
    ],
    [
      'two keys of one id',
      [first, { ...second, id: 'k1' }],
      /expected keys with different ids, got the same id twice/,
    ],
    ['an empty id', [{ ...first, id: '' }], /1 to 64 letters/],
    ['an id with a dot', [{ ...first, id: 'a.b' }], /1 to 64 letters/],
  ])('is not made with %s', (_what, keys, message) => {
    expect(() => createSecretBox(keys)).toThrow(message)
  })

  it('does not quote keys in its errors', () => {
    expect(() => createSecretBox([{ id: 'k', key: 'hunter2' }])).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    )
  })
})
