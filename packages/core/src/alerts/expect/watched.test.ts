import { describe, expect, it } from 'vitest'
import type { StoredAlert } from '../alert/alert.ts'
import type { Expectation } from './expectation.ts'
import type { WatchRecord } from './watch-record.ts'
import { actionOn, joined, newlyWatched, recordOf, sawAt, type Watched } from './watched.ts'

const everyMs = 600_000
const minute = 60_000
const expectation = { id: 'watchdog', name: 'watchdog', everyMs } as Expectation
/** The wall clock is an hour ahead of the monotonic one. */
const at = (monotonic: number) => ({ monotonic, now: 3_600_000 + monotonic })
const fresh = newlyWatched(expectation, at(0))
const watched = (known: Partial<Watched>): Watched => ({ ...fresh, ...known })
const record = (known: Partial<WatchRecord>): WatchRecord => ({
  name: 'watchdog',
  since: 0,
  watched: 0,
  ...known,
})
const firing = (endsAt: number, startsAt = 3_600_000) => ({ startsAt, endsAt }) as StoredAlert

describe('what to do about expected alerts', () => {
  const { now } = at(1_000_000)
  const lateMs = 1_000_000 - everyMs
  it.each<[state: string, Partial<Watched>, StoredAlert | undefined, action: object]>([
    ['nothing while the wait is short', { since: 900_000 }, undefined, { type: 'nothing' }],
    ['nothing while they come', { since: 0, seenAt: 900_000 }, undefined, { type: 'nothing' }],
    [
      'fire when none came for too long',
      { since: 0 },
      undefined,
      { type: 'fire', isNew: true, startsAt: now - lateMs, endsAt: now + 5 * minute },
    ],
    [
      'fire when no more came',
      { since: 0, seenAt: 100_000 },
      undefined,
      { type: 'fire', isNew: true, startsAt: now - lateMs + 100_000, endsAt: now + 5 * minute },
    ],
    [
      'fire again after it was resolved',
      { since: 0 },
      firing(now - 1),
      { type: 'fire', isNew: true, startsAt: now - lateMs, endsAt: now + 5 * minute },
    ],
    ['nothing while it fires', { since: 0 }, firing(now + 5 * minute), { type: 'nothing' }],
    [
      'go on firing',
      { since: 0 },
      firing(now + 4 * minute),
      { type: 'fire', isNew: false, startsAt: 3_600_000, endsAt: now + 5 * minute },
    ],
    [
      'end when they come again',
      { since: 0, seenAt: 1_000_000 },
      firing(now + 4 * minute),
      { type: 'end', startsAt: 3_600_000, endsAt: now },
    ],
    [
      'go on firing although the wait starts again',
      { since: 1_000_000 },
      firing(now + 4 * minute),
      { type: 'fire', isNew: false, startsAt: 3_600_000, endsAt: now + 5 * minute },
    ],
  ])('%s', (_, known, stored, action) => {
    expect(actionOn(watched(known), stored, at(1_000_000))).toEqual(action)
  })
})

describe('an alert that comes', () => {
  it.each([
    ['now', fresh, 10_000, 10_000, 3_610_000],
    ['earlier than another one', watched({ seenAt: 9_000, ahead: 5 }), 8_000, 9_000, 3_608_000],
    ['from the future counts once', fresh, 20_000, 10_000, 3_620_000],
    [
      'from the future, again',
      watched({ seenAt: 5_000, ahead: 3_620_000 }),
      20_000,
      5_000,
      3_620_000,
    ],
  ])('%s', (_, before, monotonic, seenAt, ahead) => {
    expect(sawAt(before, at(monotonic).now, at(10_000))).toMatchObject({ seenAt, ahead })
  })
})

describe('a record of another process', () => {
  const { now } = at(1_000_000)
  it.each<[string, Partial<Watched>, WatchRecord | undefined, since: number, seenAt?: number]>([
    ['is missing: the wait starts', {}, undefined, 1_000_000],
    ['is taken over', {}, record({ since: now - 5_000, watched: now }), 995_000],
    [
      'is taken over with what was seen',
      {},
      record({ since: now - 5_000, seen: now - 1_000, watched: now }),
      995_000,
      999_000,
    ],
    ['is old: the wait starts again', {}, record({ watched: now - everyMs / 4 - 1 }), 1_000_000],
    ['is old, and so is ours', { since: 5, lookedAt: 5 }, record({}), 1_000_000],
    ['is old, but this process went on watching', { since: 5, lookedAt: 999_000 }, record({}), 5],
  ])('%s', (_, known, stored, since, seenAt) => {
    const after = joined(watched(known), stored, at(1_000_000))
    expect(after).toMatchObject({ since, seenAt })
  })

  it('is written again after an eighth of the time, and a minute at most', () => {
    const one = watched({ since: 995_000, seenAt: 999_000 })
    expect(recordOf(one, record({ watched: now - minute + 1 }), at(1_000_000))).toBeUndefined()
    expect(recordOf(one, record({ watched: now - minute }), at(1_000_000))).toEqual({
      name: 'watchdog',
      since: now - 5_000,
      seen: now - 1_000,
      watched: now,
    })
  })
})
