import { describe, expect, it } from 'vitest'
import { GoError } from '../../go-error.ts'
import { float, int64, typedText } from '../make-value.ts'
import type { Run, Value } from '../value.ts'
import { durationValue } from './duration-value.ts'
import { goTime, goZeroTime } from './time.ts'
import { timeFunctions } from './time-functions.ts'
import { timeValue } from './time-value.ts'

const run: Run = {
  spend: () => undefined,
  checkLength: () => undefined,
  checkDepth: () => undefined,
}
const at = Date.UTC(2026, 0, 2, 3, 4, 5)
const clock = { now: () => at + 90_000 }
const functions = timeFunctions(clock)
const time = timeValue(goTime(at))

function call(name: string, ...args: readonly Value[]): Value {
  const called = functions.get(name)
  if (called === undefined) throw new TypeError(`no function ${name}`)
  expect(called.parameters.map(({ accepts }, i) => accepts(args[i] ?? null))).not.toContain(false)
  return called.call(args, run)
}

function callForText(name: string, ...args: readonly Value[]): string {
  const result = call(name, ...args)
  if (typeof result === 'object' && result !== null && 'toText' in result) return result.toText()
  throw new TypeError(`${name} did not return an object`)
}

describe('time functions', () => {
  it('date formats a time by a layout', () => {
    expect(call('date', 'Jan 2 15:04', time)).toBe('Jan 2 03:04')
  })

  it('tz converts a time to a zone', () => {
    expect(callForText('tz', 'America/New_York', time)).toBe('2026-01-01 22:04:05 -0500 EST')
    expect(() => call('tz', 'Nowhere', time)).toThrow('unknown time zone Nowhere')
  })

  it('now and since use the clock', () => {
    expect(callForText('now')).toBe('2026-01-02 03:05:35 +0000 UTC')
    expect(callForText('since', time)).toBe('1m30s')
  })

  it('toDate and mustToDate parse a time; only toDate returns the zero time for invalid text', () => {
    expect(callForText('toDate', '2006-01-02', '2026-01-02')).toBe('2026-01-02 00:00:00 +0000 UTC')
    expect(callForText('mustToDate', '2006-01-02', '2026-01-02')).toBe(
      '2026-01-02 00:00:00 +0000 UTC',
    )
    expect(callForText('toDate', '2006-01-02', 'x')).toBe(timeValue(goZeroTime).toText())
    expect(() => call('mustToDate', '2006-01-02', 'x')).toThrow(
      'parsing time "x" as "2006-01-02": cannot parse "x" as "2006"',
    )
  })
})

describe('humanizeDuration', () => {
  it.each([
    [0, '0s'],
    [1, '1s'],
    [59.999_99, '60s'],
    [59.994, '59.99s'],
    [60, '1m 0s'],
    [3_661, '1h 1m 1s'],
    [93_784, '1d 2h 3m 4s'],
    [-93_784.9, '-1d 2h 3m 4s'],
    [0.012_34, '12.34ms'],
    [-0.5, '-500ms'],
    [0.000_001, '1us'],
    [1.5e-9, '1.5ns'],
    [9.999_96e-4, '1000us'],
    [1e-30, '1e-06ys'],
    ['1.5', '1.5s'],
    ['1e2', '1m 40s'],
    ['+Inf', '+Inf'],
    ['-infinity', '-Inf'],
    ['NaN', 'NaN'],
    [float(2), '2s'],
    [int64(120), '2m 0s'],
    [durationValue(1_500_000_000n), '1.5s'],
  ])('%# is formatted for people', (value, text) => {
    expect(call('humanizeDuration', value)).toBe(text)
  })

  it.each([
    ['abc', 'strconv.ParseFloat: parsing "abc": invalid syntax'],
    ['', 'strconv.ParseFloat: parsing "": invalid syntax'],
    ['1e999', 'strconv.ParseFloat: parsing "1e999": value out of range'],
    [true, "can't convert bool to float"],
    [null, "can't convert <nil> to float"],
    [typedText('template.HTML', '1'), "can't convert template.HTML to float"],
    [time, "can't convert time.Time to float"],
  ])('%# is refused', (value, message) => {
    expect(() => call('humanizeDuration', value)).toThrow(GoError)
    expect(() => call('humanizeDuration', value)).toThrow(message)
  })
})
