import { describe, expect, it } from 'vitest'
import { formatTime, timeText } from './format.ts'
import { type GoTime, goTime, goZeroTime } from './time.ts'
import { fixedZone, loadZone } from './zone.ts'

const time = goTime(Date.UTC(2026, 1, 3, 16, 5, 6, 7), 80_900)
const morning = goTime(Date.UTC(2009, 10, 10, 0, 0, 0))

const inZone = ({ at, nanos }: GoTime, seconds: number): GoTime =>
  goTime(at, nanos, fixedZone('', seconds))

describe('a layout', () => {
  it.each([
    ['2006-01-02T15:04:05Z07:00', '2026-02-03T16:05:06Z'],
    ['Monday, January 2, 2006', 'Tuesday, February 3, 2026'],
    ['Mon Jan _2 06', 'Tue Feb  3 26'],
    ['1/2 02', '2/3 03'],
    ['002 __2', '034  34'],
    ['3:4:5 PM', '4:5:6 PM'],
    ['03:04:05pm', '04:05:06pm'],
    ['05.000', '06.007'],
    ['05.000000000', '06.007080900'],
    ['05.999999999', '06.0070809'],
    ['05,9999', '06,007'],
    ['05.9', '06'],
    ['05 .0001', '06 .0002'],
    ['MST -0700 -07:00 -07', 'UTC +0000 +00:00 +00'],
    ['Z0700 Z07:00 Z07', 'Z Z Z'],
    ['_2006', '_2026'],
    ['Janet Monx', 'Janet Monx'],
    ['no time at all', 'no time at all'],
    ['', ''],
  ])('%j shows %j', (layout, text) => {
    expect(formatTime(time, layout)).toBe(text)
  })

  it('shows midnight and noon as 12', () => {
    expect(formatTime(morning, '3PM 03pm 15')).toBe('12AM 12am 00')
    expect(formatTime(goTime(morning.at + 43_200_000), '3PM')).toBe('12PM')
  })

  it.each([
    [19_800, '+0530 +05:30 +05 +05:30 +053000 +05:30:00 +0530'],
    [-10_801, '-0300 -03:00 -03 -03:00 -030001 -03:00:01 -0300'],
  ])('shows an offset of %d seconds', (seconds, text) => {
    const layout = '-0700 -07:00 -07 Z07:00 -070000 Z07:00:00 MST'
    expect(formatTime(inZone(time, seconds), layout)).toBe(text)
  })
})

describe('the text of a time', () => {
  it.each([
    [time, '2026-02-03 16:05:06.0070809 +0000 UTC'],
    [goZeroTime, '0001-01-01 00:00:00 +0000 UTC'],
    [inZone(time, -1_800), '2026-02-03 15:35:06.0070809 -0030 -0030'],
    [goTime(time.at, 0, loadZone('Europe/Berlin')), '2026-02-03 17:05:06.007 +0100 CET'],
  ])('%# is printed as in Go', (value, text) => {
    expect(timeText(value)).toBe(text)
  })
})
