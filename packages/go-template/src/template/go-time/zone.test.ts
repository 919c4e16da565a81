import { describe, expect, it } from 'vitest'
import { GoError } from '../../go-error.ts'
import { goZeroTime } from './time.ts'
import { fixedZone, loadZone, utcZone } from './zone.ts'

const winter = Date.UTC(2026, 0, 2)
const summer = Date.UTC(2026, 6, 2)

describe('a zone', () => {
  it.each([
    ['Europe/Berlin', winter, 'CET', 3_600],
    ['Europe/Berlin', summer, 'CEST', 7_200],
    ['Europe/London', summer, 'BST', 3_600],
    ['America/New_York', winter, 'EST', -18_000],
    ['America/New_York', summer, 'EDT', -14_400],
    ['America/St_Johns', winter, 'NST', -12_600],
    ['Asia/Tokyo', winter, 'JST', 32_400],
    ['Asia/Kolkata', winter, 'IST', 19_800],
    ['Asia/Kathmandu', winter, '+0545', 20_700],
    ['America/Sao_Paulo', winter, '-03', -10_800],
    ['Asia/Dubai', winter, '+04', 14_400],
    ['Etc/UTC', winter, 'UTC', 0],
    ['GMT', winter, 'GMT', 0],
  ])('%s at %d has the offset %s', (name, at, abbreviation, seconds) => {
    expect(loadZone(name).offsetAt(at)).toEqual({ abbreviation, seconds })
  })

  it('uses local mean time before standard time', () => {
    expect(loadZone('Europe/Berlin').offsetAt(goZeroTime.at)).toEqual({
      abbreviation: 'LMT',
      seconds: 3_208,
    })
  })

  it.each(['', 'UTC', 'Local'])('is UTC for the name %j', (name) => {
    expect(loadZone(name)).toBe(utcZone)
  })

  it('may have any offset', () => {
    expect(fixedZone('X', -90).offsetAt(winter)).toEqual({ abbreviation: 'X', seconds: -90 })
  })

  it.each([
    ['Mars/Base', 'unknown time zone Mars/Base'],
    ['+01:00', 'unknown time zone +01:00'],
    ['a\nb', 'unknown time zone "a\\nb"'],
    ['../etc/passwd', 'time: invalid location name'],
    ['/etc/localtime', 'time: invalid location name'],
  ])('does not exist for the name %j', (name, message) => {
    expect(() => loadZone(name)).toThrow(GoError)
    expect(() => loadZone(name)).toThrow(message)
  })
})
