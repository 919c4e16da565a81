import { describe, expect, it } from 'vitest'
import { atOnce } from '../../async/slices.ts'
import {
  checkSilence,
  compareSilences,
  type DecodedSilence,
  decideSilence,
  endSilence,
  type StoredSilence,
  silenceState,
  toGettableSilence,
} from './silence.ts'

const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const matchers = [{ name: 'a', value: 'b', isRegex: false, isEqual: true }]
const posted: DecodedSilence = {
  matchers,
  startsAt: now - 60_000,
  endsAt: now + 60_000,
  createdBy: 'me',
  comment: 'c',
}
const stored: StoredSilence = {
  matchers,
  startsAt: now - 60_000,
  endsAt: now + 30_000,
  updatedAt: now - 60_000,
  createdBy: 'you',
  comment: 'd',
}

describe('silenceState', () => {
  it('is active from its start and expired from its end', () => {
    const silence = { startsAt: 10, endsAt: 20 }
    expect([9, 10, 19, 20].map((at) => silenceState(silence, at))).toEqual([
      'pending',
      'active',
      'active',
      'expired',
    ])
  })
})

describe('endSilence', () => {
  it('ends an active silence now, a pending one before it starts, and leaves an expired one alone', () => {
    expect(endSilence(stored, now)).toMatchObject({ startsAt: now - 60_000, endsAt: now })
    const pending = { ...stored, startsAt: now + 10 }
    expect(endSilence(pending, now)).toMatchObject({ startsAt: now, endsAt: now, updatedAt: now })
    expect(endSilence(stored, now + 30_000)).toBe(stored)
  })
})

describe('decideSilence', () => {
  const decide = (change: Partial<DecodedSilence>, before: StoredSilence | undefined = stored) =>
    decideSilence({ ...posted, ...change }, before, now)

  it('keeps the id of an active silence if the matchers and the second of the start are the same', () => {
    const decision = decide({ startsAt: stored.startsAt + 300 })
    expect(decision).toMatchObject({ outcome: 'update', silence: { endsAt: now + 60_000 } })
    expect(decision.silence.createdBy).toBe('me')
  })

  it('ends an active silence and creates another if its start moves to another second', () => {
    expect(decide({ startsAt: stored.startsAt - 1_000 })).toMatchObject({
      outcome: 'create',
      silence: { startsAt: now },
      ended: { endsAt: now },
    })
  })

  it('ends an active silence and creates another if a matcher or their order changes', () => {
    for (const isRegex of [true, false]) {
      const change = { matchers: [{ name: 'a', value: isRegex ? 'b' : 'c', isRegex }] }
      expect(decide(change)).toMatchObject({ outcome: 'create', ended: { endsAt: now } })
    }
  })

  it('keeps the id of a pending silence unless its start moves into the past', () => {
    const pending = { ...stored, startsAt: now + 10_000 }
    expect(decide({ startsAt: now }, pending).outcome).toBe('update')
    expect(decide({ startsAt: now - 1 }, pending)).toMatchObject({
      outcome: 'create',
      ended: { startsAt: now, endsAt: now },
    })
  })

  it('leaves an expired silence as it is and creates another', () => {
    const decision = decide({}, { ...stored, endsAt: now })
    expect(decision.outcome).toBe('create')
    expect('ended' in decision).toBe(false)
  })

  it('starts a new silence no earlier than now', () => {
    const create = (startsAt: number): number =>
      decideSilence({ ...posted, startsAt }, undefined, now).silence.startsAt
    expect([create(now - 5), create(now + 5)]).toEqual([now, now + 5])
  })
})

describe('checkSilence', () => {
  const failureOf = (change: Partial<DecodedSilence>): string => {
    try {
      atOnce(checkSilence({ ...posted, ...change }, now, 'utf8'))
    } catch (error) {
      return error instanceof Error ? error.message : 'no error'
    }
    return 'accepted'
  }
  const matcher = (value: string, isRegex: boolean, isEqual = true) => ({
    matchers: [{ name: 'x', value, isRegex, isEqual }],
  })

  it('checks the order of the times before it checks for the past', () => {
    expect(failureOf({ startsAt: now - 5, endsAt: now - 5 })).toBe(
      'Failed to create silence: start time must be before end time',
    )
    expect(failureOf({ endsAt: now - 1 })).toBe(
      "Failed to create silence: end time can't be in the past",
    )
  })

  it('refuses matchers that can all match the empty string, where negative ones never do', () => {
    const refused =
      'invalid silence: matcher set 0: at least one matcher must not match the empty string'
    expect(failureOf(matcher('', false))).toBe(refused)
    for (const pattern of ['.*', 'x*', '(x)?', 'a|', '^']) {
      expect(failureOf(matcher(pattern, true))).toBe(refused)
    }
    expect(failureOf(matcher('', false, false))).toBe('accepted')
    expect(failureOf(matcher('.*', true, false))).toBe('accepted')
  })

  it('shows an invalid pattern in its original form', () => {
    expect(failureOf(matcher('(', true))).toBe(
      'invalid silence: invalid label matcher 0 in set 0: invalid regular expression "(": error parsing regexp: missing closing ): `(`',
    )
  })
})

it('silences are listed active, pending, expired: soonest end, soonest start, latest end first', () => {
  const list = [
    { state: 'expired' as const, startsAt: 0, endsAt: 5 },
    { state: 'pending' as const, startsAt: 50, endsAt: 51 },
    { state: 'active' as const, startsAt: 0, endsAt: 30 },
    { state: 'expired' as const, startsAt: 0, endsAt: 7 },
    { state: 'active' as const, startsAt: 0, endsAt: 20 },
    { state: 'pending' as const, startsAt: 40, endsAt: 99 },
  ]
  expect(list.sort(compareSilences).map(({ endsAt }) => endsAt)).toEqual([20, 30, 99, 51, 7, 5])
})

it.each(['active', 'pending', 'expired'] as const)(
  '%s silences with one end are listed by their start, in whatever order they were read',
  (state) => {
    const list = [3, 1, 2].map((startsAt) => ({ state, startsAt, endsAt: 9 }))
    expect(list.sort(compareSilences).map(({ startsAt }) => startsAt)).toEqual([1, 2, 3])
  },
)

it('a silence is shown in UTC with three digits of a second, without empty annotations', () => {
  expect(toGettableSilence('id', stored, now)).toEqual({
    id: 'id',
    status: { state: 'active' },
    updatedAt: '2026-01-02T03:03:05.678Z',
    comment: 'd',
    createdBy: 'you',
    endsAt: '2026-01-02T03:04:35.678Z',
    matchers,
    startsAt: '2026-01-02T03:03:05.678Z',
  })
})
