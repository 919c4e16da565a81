import { describe, expect, it } from 'vitest'
import { GoError } from '../../go-error.ts'
import { float, int64 } from '../make-value.ts'
import type { GoObject, Run, Value } from '../value.ts'
import { durationValue } from './duration-value.ts'
import { parseTime } from './parse.ts'
import { goTime, goZeroTime } from './time.ts'
import { timeParameter, timeValue } from './time-value.ts'
import { loadZone } from './zone.ts'

const run: Run = {
  spend: () => undefined,
  checkLength: () => undefined,
  checkDepth: () => undefined,
}
const starts = timeValue(goTime(Date.UTC(2026, 0, 2, 3, 4, 5, 6), 7))
const ends = timeValue(goTime(Date.UTC(2026, 0, 2, 4, 4, 5, 6), 7))
const rfc3339 = '2006-01-02T15:04:05Z07:00'

function call(value: GoObject, name: string, ...args: readonly Value[]): Value {
  const method = value.method(name)
  if (method === undefined) throw new TypeError(`no method ${name}`)
  expect(method.parameters.length).toBe(args.length)
  for (const [i, parameter] of method.parameters.entries()) {
    expect(parameter.accepts(args[i] ?? null)).toBe(true)
  }
  return method.call(args, run)
}

/** Calls the method and returns its result as a template prints it. */
function callForText(value: GoObject, name: string, ...args: readonly Value[]): string {
  const result = call(value, name, ...args)
  if (typeof result === 'object' && result !== null && 'toText' in result) return result.toText()
  throw new TypeError(`${name} did not return an object`)
}

describe('a time', () => {
  it('is printed, and formatted as Go source and as JSON', () => {
    expect(starts.toText()).toBe('2026-01-02 03:04:05.006000007 +0000 UTC')
    expect(starts.toGoSyntax()).toBe('time.Date(2026, time.January, 2, 3, 4, 5, 6000007, time.UTC)')
    expect(starts.toJson()).toBe('"2026-01-02T03:04:05.006000007Z"')
    const elsewhere = timeValue(parseTime(rfc3339, '2026-01-02T03:04:05-03:30'))
    expect(elsewhere.toJson()).toBe('"2026-01-02T03:04:05-03:30"')
    expect(elsewhere.toGoSyntax()).toContain('time.Location("")')
  })

  it('cannot be JSON after the year 9999', () => {
    const late = timeValue(goTime(Date.UTC(10_000, 0, 1)))
    expect(() => late.toJson()).toThrow(GoError)
  })

  it('has numbers for the fields of calendar and clock', () => {
    const names = ['Year', 'Day', 'Hour', 'Minute', 'Second', 'Nanosecond', 'YearDay']
    expect(names.map((name) => call(starts, name))).toEqual([2026, 2, 3, 4, 5, 6_000_007, 2])
  })

  it('has a month and a weekday, with names', () => {
    expect(callForText(starts, 'Month')).toBe('January')
    expect(call(starts, 'Month')).toMatchObject({ typeName: 'time.Month', integer: 1 })
    expect(callForText(starts, 'Weekday')).toBe('Friday')
    expect(call(starts, 'Weekday')).toMatchObject({ typeName: 'time.Weekday', integer: 5 })
  })

  it('counts since the Unix epoch', () => {
    expect(call(starts, 'Unix')).toEqual(int64(1_767_323_045))
    expect(call(starts, 'UnixMilli')).toEqual(int64(1_767_323_045_006))
    expect(call(starts, 'UnixMicro')).toEqual(int64(1_767_323_045_006_000n))
    expect(call(starts, 'UnixNano')).toEqual(int64(1_767_323_045_006_000_007n))
    expect(call(timeValue(goZeroTime), 'Unix')).toEqual(int64(-62_135_596_800))
    expect(call(timeValue(goZeroTime), 'UnixNano')).toEqual(int64(-6_795_364_578_871_345_152n))
  })

  it('is compared with others', () => {
    expect(call(starts, 'Before', ends)).toBe(true)
    expect(call(starts, 'After', ends)).toBe(false)
    expect(call(starts, 'Compare', ends)).toBe(-1)
    expect(call(starts, 'IsZero')).toBe(false)
    const sameInBerlin = timeValue({ ...starts.time, zone: loadZone('Europe/Berlin') })
    expect(call(starts, 'Equal', sameInBerlin)).toBe(true)
    expect(starts.equals(sameInBerlin)).toBe(false)
    expect(starts.equals(timeValue(starts.time))).toBe(true)
  })

  it('derives other times', () => {
    const hour = durationValue(3_600_000_000_000n)
    expect(callForText(starts, 'Add', hour)).toBe(ends.toText())
    expect(callForText(ends, 'Sub', starts)).toBe('1h0m0s')
    expect(callForText(starts, 'AddDate', 1, 0, -2)).toBe('2026-12-31 03:04:05.006000007 +0000 UTC')
    expect(callForText(starts, 'Truncate', hour)).toBe('2026-01-02 03:00:00 +0000 UTC')
    expect(callForText(starts, 'Round', hour)).toBe('2026-01-02 03:00:00 +0000 UTC')
  })

  it('is converted to other zones', () => {
    const tokyo = timeValue(goTime(starts.time.at, 0, loadZone('Asia/Tokyo')))
    expect(callForText(starts, 'In', call(tokyo, 'Location'))).toBe(
      '2026-01-02 12:04:05.006000007 +0900 JST',
    )
    expect(callForText(tokyo, 'UTC')).toBe('2026-01-02 03:04:05.006 +0000 UTC')
    expect(callForText(tokyo, 'Local')).toBe('2026-01-02 03:04:05.006 +0000 UTC')
    expect(callForText(tokyo, 'Location')).toBe('Asia/Tokyo')
    expect(call(tokyo, 'Format', '15:04 MST')).toBe('12:04 JST')
  })

  it('has no other methods', () => {
    expect(starts.method('constructor')).toBeUndefined()
    expect(starts.method('Clock')).toBeUndefined()
  })

  it('is the only value that a time parameter accepts', () => {
    const others: readonly Value[] = [null, 1, 'x', [], new Map(), durationValue(1n)]
    expect(others.filter((value) => timeParameter.accepts(value))).toEqual([])
  })
})

describe('a duration', () => {
  const duration = durationValue(5_400_500_000_000n)

  it('is printed, and formatted as Go source and as JSON', () => {
    expect(duration.toText()).toBe('1h30m0.5s')
    expect(duration.toGoSyntax()).toBe('5400500000000')
    expect(duration.toJson()).toBe('5400500000000')
  })

  it('is converted to units', () => {
    expect(call(durationValue(5_400_000_000_000n), 'Hours')).toEqual(float(1.5))
    expect(call(durationValue(5_430_000_000_000n), 'Minutes')).toEqual(float(90.5))
    expect(call(duration, 'Seconds')).toEqual(float(5_400.5))
    expect(call(duration, 'Milliseconds')).toEqual(int64(5_400_500n))
    expect(call(duration, 'Microseconds')).toEqual(int64(5_400_500_000n))
    expect(call(duration, 'Nanoseconds')).toEqual(int64(5_400_500_000_000n))
    expect(call(duration, 'String')).toBe('1h30m0.5s')
  })

  it('is rounded', () => {
    const second = durationValue(1_000_000_000n)
    expect(callForText(duration, 'Round', second)).toBe('1h30m1s')
    expect(callForText(duration, 'Truncate', second)).toBe('1h30m0s')
    expect(callForText(durationValue(-1n), 'Abs')).toBe('1ns')
  })
})
