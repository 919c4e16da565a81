import type { ListedSilence, Silence } from '@gatehouse/client'
import { describe, expect, it } from 'vitest'
import { authorsOf, chooseSilences, findSilences } from '../src/alerts/find-silences.ts'
import { describeIntervals } from '../src/silence-form/describe-intervals.ts'
import { intervalsOf, recurrenceOf } from '../src/silence-form/recurrence.ts'
import { timesOf, timesOfDraft } from '../src/silence-form/silence-times.ts'
import { readMoment, writeMoment } from '../src/time/read-moment.ts'

const local = (language: string) => ({ language, zone: 'local', hasSeconds: false }) as const

describe('readMoment', () => {
  // A Tuesday, in the zone of the machine.
  const start = new Date(2026, 11, 1, 12, 0).getTime()
  const shown = (at: number | undefined): string | undefined => {
    if (at === undefined) return undefined
    const date = new Date(at)
    const two = (n: number): string => String(n).padStart(2, '0')
    return `${date.getMonth() + 1}-${date.getDate()} ${two(date.getHours())}:${two(date.getMinutes())}`
  }

  it.each([
    ['2h', '12-1 14:00'],
    ['until 18:00', '12-1 18:00'],
    ['until 9:30', '12-2 09:30'],
    ['until Monday 9:00', '12-7 09:00'],
    ['Until tuesday 13:00', '12-1 13:00'],
    ['until Tuesday 11:00', '12-8 11:00'],
    ['bis Montag 9:00', '12-7 09:00'],
    ['Monday 9:00', '12-7 09:00'],
    ['18:00', '12-1 18:00'],
    ['2026-12-24 18:00', '12-24 18:00'],
    ['until friday', '12-4 00:00'],
    ['until 2026-12-24 18:00', '12-24 18:00'],
    ['until 2026-12-24', '12-24 00:00'],
    ['until 2026-02-30', undefined],
    ['until 2025-12-24', undefined],
    ['until someday', undefined],
    ['until 25:00', undefined],
    ['until', undefined],
    ['', undefined],
  ])('reads %j as %j', (text, expected) => {
    expect(shown(readMoment(text, start, local('de')))).toBe(expected)
  })

  it('writes what it reads', () => {
    expect(writeMoment(start, 'local')).toBe('2026-12-01 12:00')
    expect(readMoment(writeMoment(start, 'local'), start - 1, local('en'))).toBe(start)
  })

  it('reads and writes UTC where that is chosen, in any zone of the machine', () => {
    const utc = { language: 'en', zone: 'utc' } as const
    const noon = Date.UTC(2026, 11, 1, 12)
    const at = (text: string): string | undefined => {
      const read = readMoment(text, noon, utc)
      return read === undefined ? undefined : new Date(read).toISOString().slice(0, 16)
    }
    expect(at('18:00')).toBe('2026-12-01T18:00')
    expect(at('until 9:30')).toBe('2026-12-02T09:30')
    expect(at('Tuesday 11:00')).toBe('2026-12-08T11:00')
    expect(at('2026-12-24 18:00')).toBe('2026-12-24T18:00')
    expect(at('2026-13-24 18:00')).toBeUndefined()
    expect(writeMoment(noon, 'utc')).toBe('2026-12-01 12:00')
  })
})

describe('the times of a silence', () => {
  const now = new Date(2026, 11, 1, 12, 0).getTime()
  const hour = 3_600_000

  it('begin now, or when the text says', () => {
    const times = timesOfDraft({ matchers: [] }, 'local')
    expect(timesOf(times, now, local('en'))).toEqual({ startsAt: now, endsAt: now + 2 * hour })
    const later = { ...times, start: '18:00', duration: 'until Wednesday' }
    expect(timesOf(later, now, local('en'))).toEqual({
      startsAt: now + 6 * hour,
      endsAt: now + 12 * hour,
    })
    const wrong = { ...times, start: 'soon' }
    expect(timesOf(wrong, now, local('en'))).toEqual({ startsAt: undefined, endsAt: undefined })
  })

  it('stay exactly as they were while their texts, which are rounded, do', () => {
    const endsAt = now + 26 * hour + 1_234_567
    const times = timesOfDraft({ matchers: [], startsAt: now, endsAt }, 'local')
    expect(times.duration).toBe('1d 2h')
    expect(timesOf(times, now + hour, local('en'))).toEqual({ startsAt: now, endsAt })
    const changed = { ...times, duration: '3h' }
    expect(timesOf(changed, now + hour, local('en'))).toEqual({
      startsAt: now,
      endsAt: now + 3 * hour,
    })
  })
})

describe('describeIntervals', () => {
  it('names days in the language, times and the zone', () => {
    const nights = {
      weekdays: ['sunday', 'monday:friday'],
      times: [{ startTime: '22:00', endTime: '24:00' }],
      location: 'Europe/Oslo',
    }
    expect(describeIntervals([nights], 'en')).toBe('Sun, Mon–Fri 22:00–24:00 Europe/Oslo')
    expect(describeIntervals([nights], 'de')).toBe('So, Mo–Fr 22:00–24:00 Europe/Oslo')
    expect(describeIntervals([{ daysOfMonth: ['-1'] }], 'en')).toBe('-1 UTC')
  })
})

describe('findSilences', () => {
  const silence = (value: string, comment: string): Silence => ({
    id: value,
    matchers: [{ name: 'team', value, isRegex: false, isEqual: true }],
    comment,
    createdBy: 'Maya',
    startsAt: '',
    endsAt: '',
    updatedAt: '',
    status: { state: 'active' },
  })
  const all = [silence('db', 'A new disk'), silence('web', 'moving')]

  it.each([
    ['', ['db', 'web']],
    ['maya', ['db', 'web']],
    ['team="WEB"', ['web']],
    ['disk  maya', ['db']],
    ['disk moving', []],
  ])('finds for %j %j', (text, ids) => {
    expect(findSilences(all, text).map(({ id }) => id)).toEqual(ids)
  })
})

describe('chooseSilences', () => {
  const now = Date.parse('2026-01-02T12:00:00Z')
  const one = (createdBy: string, hours: number, alertCount: number): ListedSilence => ({
    id: `${createdBy}-${hours}`,
    matchers: [],
    comment: '',
    createdBy,
    startsAt: new Date(now - hours * 60_000).toISOString(),
    endsAt: new Date(now + hours * 3_600_000).toISOString(),
    updatedAt: '',
    status: { state: 'active' },
    alertCount,
  })
  const all = [one('bea', 1, 2), one('ana', 2, 7), one('bea', 3, 5)]
  const choice = { state: 'active', author: '', isSoon: false, sort: 'ends' } as const

  it.each([
    [{}, ['bea-1', 'ana-2', 'bea-3']],
    [{ state: 'expired' }, []],
    [{ author: 'bea' }, ['bea-1', 'bea-3']],
    [{ isSoon: true }, ['bea-1', 'ana-2']],
    [{ sort: 'begun' }, ['bea-1', 'ana-2', 'bea-3']],
    [{ sort: 'author' }, ['ana-2', 'bea-1', 'bea-3']],
    [{ sort: 'alerts' }, ['ana-2', 'bea-3', 'bea-1']],
  ] as const)('chooses for %j %j', (change, ids) => {
    const chosen = chooseSilences(all, { ...choice, ...change }, now)
    expect(chosen.map(({ id }) => id)).toEqual(ids)
    expect(authorsOf(all)).toEqual(['ana', 'bea'])
  })
})

describe('the fields of a recurrence', () => {
  const times = [{ startTime: '01:00', endTime: '02:00' }]

  it('show intervals that they can write, with ranges of days', () => {
    const written = recurrenceOf([{ weekdays: ['monday:wednesday', 'Sunday'], times }])
    expect(written).toEqual({
      weekdays: ['monday', 'tuesday', 'wednesday', 'sunday'],
      from: '01:00',
      to: '02:00',
      zone: 'UTC',
    })
    expect(intervalsOf(written)).toEqual([
      { times, weekdays: ['monday', 'tuesday', 'wednesday', 'sunday'], location: 'UTC' },
    ])
  })

  it.each([
    [[{ times, daysOfMonth: ['1'] }]],
    [[{ times: [...times, ...times] }]],
    [[{ times }, { times }]],
    [[{ name: 'nights' }]],
    [[{ times, weekdays: ['friday:monday'] }]],
    [[]],
  ])('leave %j as it is', (intervals) => {
    expect(intervalsOf(recurrenceOf(intervals))).toBe(intervals)
  })
})
