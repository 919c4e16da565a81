import { describe, expect, it } from 'vitest'
import { isGatehouseError } from '../errors.ts'
import {
  anyText,
  type Decode,
  decodeInput,
  exactly,
  filledText,
  flag,
  functionLike,
  having,
  json,
  listOf,
  numberFrom,
  objectOf,
  oneOf,
  optional,
  recordOf,
  wholeFrom,
} from './decode.ts'

interface Door {
  name: string
  locked?: boolean
  labels?: Readonly<Record<string, string>>
}

const door = objectOf<Door>({
  name: filledText,
  locked: optional(flag),
  labels: optional(recordOf(anyText)),
})

function refusal<T>(decode: Decode<T>, value: unknown): string {
  try {
    decodeInput('doors', decode, value)
  } catch (error) {
    return isGatehouseError(error) ? error.message : `raw: ${error}`
  }
  return 'none'
}

describe('decodeInput', () => {
  it('returns a copy of the known members', () => {
    const labels = JSON.parse('{"__proto__": "x"}')
    const given = [{ name: 'front', locked: true, labels, colour: 'red' }, { name: 'back' }]
    const read = decodeInput('doors', listOf(door), given)
    expect(read).toEqual([{ name: 'front', locked: true, labels }, { name: 'back' }])
    expect(Object.hasOwn(read[0]?.labels ?? {}, '__proto__')).toBe(true)
    expect(read[0]?.labels).not.toBe(labels)
    expect(decodeInput('labels', recordOf(anyText), new Map([['a', 'b']]))).toEqual({ a: 'b' })
  })

  it('names the path, the expected and the given value', () => {
    expect(refusal(listOf(door), [{ name: 'a' }, { name: 5 }])).toBe(
      'doors[1].name: expected a string, got a number',
    )
    expect(refusal(door, { name: 'a', labels: { 'a b': 1 } })).toBe(
      'doors.labels["a b"]: expected a string, got a number',
    )
    expect(refusal(door, undefined)).toBe('doors: expected an object, got undefined')
    expect(refusal(door, new Date())).toBe('doors: expected an object, got an object of type Date')
    expect(refusal(door, [])).toBe('doors: expected an object, got a list')
    expect(refusal(listOf(door), { length: 2 })).toBe('doors: expected a list, got an object')
    expect(refusal(door, { name: '' })).toBe(
      'doors.name: expected a non-empty string, got an empty string',
    )
    expect(refusal(door, { name: 'a\ud800' })).toBe(
      'doors.name: expected a string, got one with a lone surrogate',
    )
    expect(refusal(oneOf(['a', 'b']), 'c')).toBe('doors: expected "a" or "b", got "c"')
    expect(refusal(wholeFrom(1, 9), 1.5)).toBe(
      'doors: expected a whole number from 1 to 9, got 1.5',
    )
    expect(refusal(numberFrom(0), Number.NaN)).toBe(
      'doors: expected a number of at least 0, got NaN',
    )
    expect(refusal(functionLike('a function'), {})).toBe(
      'doors: expected a function, got an object',
    )
    expect(refusal(having<Map<string, string>>('a Map', 'get', 'set'), { get: () => 1 })).toBe(
      'doors: expected a Map, got one without set()',
    )
  })

  it('does not show the value where a text is expected', () => {
    expect(refusal(filledText, 12345678)).not.toContain('1234')
    expect(refusal(flag, 'correct horse')).not.toContain('horse')
  })

  it('refuses an unknown key of an option object', () => {
    const options = exactly<Door>({
      name: anyText,
      locked: optional(flag),
      labels: optional(recordOf(anyText)),
    })
    expect(refusal(options, { name: 'a', loked: true })).toBe(
      'doors.loked: expected "locked", got an unknown key',
    )
    expect(refusal(options, { name: 'a', x: 1 })).toContain('expected no such key')
  })

  it('turns an exception of a getter or a proxy into a refusal', () => {
    const getter = {
      get name(): string {
        throw new Error('no')
      },
    }
    const expected = 'expected a readable value, got one that throws when it is read'
    expect(refusal(listOf(door), [getter])).toBe(`doors[0].name: ${expected}`)
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(refusal(door, proxy)).toBe(`doors: ${expected}`)
  })

  it('reads a member once, so that a getter cannot return different values', () => {
    let reads = 0
    const given = {
      get name(): string {
        return reads++ === 0 ? 'first' : 'second'
      },
    }
    expect(decodeInput('door', door, given)).toEqual({ name: 'first' })
  })
})

describe('json', () => {
  it('copies JSON values, and refuses cycles, class instances and holes', () => {
    const value = { a: [1, 'x', null, true, { b: {} }] }
    expect(decodeInput('data', json, { ...value, u: undefined })).toStrictEqual(value)
    const circle: unknown[] = []
    circle.push(circle, circle)
    expect(refusal(json, circle)).toMatch(/expected at most 90 levels|at most 100000/)
    for (const bad of [undefined, 1n, Number.NaN, new Date(), new Array(1), () => 1]) {
      expect(refusal(json, bad)).toContain('expected a JSON value')
    }
  })
})
