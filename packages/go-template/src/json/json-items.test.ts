import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../test-support/lane.ts'
import { GoError } from '../go-error.ts'
import { atOnce } from './at-once.fixture.ts'
import { decodeJson } from './json.ts'
import { type JsonItemsLimits, jsonItems } from './json-items.ts'

const none: JsonItemsLimits = {
  maxItems: 0,
  maxItemLength: 0,
  tooMany: () => new GoError('TooLarge', 'TooMany', 'too many'),
  tooLarge: () => new GoError('TooLarge', 'TooLong', 'too long'),
}

function outcome(read: () => unknown): unknown {
  try {
    return { value: read() }
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

const read = (text: string, limits: Partial<JsonItemsLimits> = {}) =>
  outcome(() => atOnce(jsonItems(text, { ...none, ...limits })))

describe('jsonItems', () => {
  // Longer than the part that is parsed in one step.
  const filler = JSON.stringify('x'.repeat(70_000))

  it('returns the same as the whole parser, and fails in the same way', () => {
    const piece = fc.constantFrom(
      ...[
        '[',
        ']',
        '{',
        '}',
        ',',
        ':',
        '"',
        '"a"',
        '"\\""',
        '"]"',
        '\\',
        '1',
        'null',
        ' ',
        '\n',
        'x',
      ],
      ...['{"a":[1]}', '[[]]', filler, `${filler},`, `,${filler}`, ' '.repeat(70_000), '\\ud800'],
    )
    const text = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, fc.boolean(), (inner, isList) => {
        const whole = isList ? `[${inner}]` : inner
        expect(read(whole)).toEqual(outcome(() => decodeJson(whole)))
      }),
      { numRuns: runsOf(200) },
    )
  })

  it('reads long lists in several steps', () => {
    const list = Array.from({ length: 10_000 }, (_, i) => ({ a: `${i}`, b: ['"', '\\', ']'] }))
    const steps = jsonItems(JSON.stringify(list), none)
    let count = 0
    let step = steps.next()
    for (; !step.done; step = steps.next()) count++
    expect(step.value).toEqual(list)
    expect(count).toBeGreaterThan(3)
  })

  it('refuses one item more than the limit, whatever follows', () => {
    expect(read('[1,2,3]', { maxItems: 3 })).toEqual({ value: [1, 2, 3] })
    expect(read('[1,2,3,4]', { maxItems: 3 })).toBe('too many')
    expect(read('[1,2,3,4,', { maxItems: 3 })).toBe('too many')
    expect(read(`[${filler},${filler},1,2]`, { maxItems: 3 })).toBe('too many')
  })

  it('refuses an item that is too long, and a text that is not a list', () => {
    expect(read('["12345"]', { maxItemLength: 7 })).toEqual({ value: ['12345'] })
    expect(read('["123456"]', { maxItemLength: 7 })).toBe('too long')
    expect(read('[1,"1234567890', { maxItemLength: 7 })).toBe('too long')
    expect(read('{"a":"12345"}', { maxItemLength: 7 })).toBe('too long')
    expect(read('[1,{x:"123456789"}]', { maxItemLength: 7 })).toContain('invalid character')
  })
})
