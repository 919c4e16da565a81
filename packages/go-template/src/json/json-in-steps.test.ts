import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../test-support/lane.ts'
import { atOnce } from './at-once.fixture.ts'
import { parseJsonInSteps } from './json-in-steps.ts'

/** The value, or that it is refused. */
function outcome(read: () => unknown): unknown {
  try {
    return { value: read() }
  } catch (error) {
    return (error as Error).name
  }
}

describe('parseJsonInSteps', () => {
  const depth = fc.integer({ min: 0, max: 4 })

  it('gives what JSON.parse() gives', () => {
    fc.assert(
      fc.property(fc.json(), depth, (text, depth) => {
        expect(atOnce(parseJsonInSteps(text, depth))).toEqual(JSON.parse(text))
      }),
      { numRuns: runsOf(200) },
    )
    const own = '{"__proto__":{"a":1},"a":1,"a":2}'
    expect(JSON.stringify(atOnce(parseJsonInSteps(own, 2)))).toBe(JSON.stringify(JSON.parse(own)))
  })

  it('refuses what JSON.parse() refuses, however it breaks off or goes on', () => {
    const sign = fc.constantFrom(...'[]{},:"\\ \n1x'.split(''), '"a"', 'true', '"a":', 'null,')
    const text = fc.array(sign, { maxLength: 8 }).map((signs) => signs.join(''))
    fc.assert(
      fc.property(text, depth, fc.constantFrom('', '[', '{"a":'), (inner, depth, before) => {
        const whole = before + inner + (before === '' ? '' : before === '[' ? ']' : '}')
        expect(outcome(() => atOnce(parseJsonInSteps(whole, depth)))).toEqual(
          outcome(() => JSON.parse(whole)),
        )
      }),
      { numRuns: runsOf(1_000) },
    )
  })

  it('takes a step for each 64 kB, also within one long list of one object', () => {
    const items = Array.from({ length: 10_000 }, (_, n) => ({ name: `item ${n}`.padEnd(100) }))
    const text = JSON.stringify([{ items }])
    const steps = parseJsonInSteps(text, 3)
    let count = 0
    while (!steps.next().done) count += 1
    expect(count).toBeGreaterThan(text.length / 100_000)
    const whole = parseJsonInSteps(text, 1)
    expect(whole.next().done).toBe(true)
  })

  it('does not quote the text in its own failures', () => {
    expect(() => atOnce(parseJsonInSteps('["a" harbor]', 1))).toThrow(
      'Unexpected character at position 5 of the JSON',
    )
  })
})
