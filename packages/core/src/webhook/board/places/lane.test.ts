import { describe, expect, it } from 'vitest'
import { placeId } from '../../records/place-records.ts'
import {
  type Demand,
  fenced,
  given,
  hasRoom,
  type Lane,
  newLane,
  placeToClaim,
  placeToTake,
  type Rival,
  searched,
  seen,
  taken,
  taking,
  tendLane,
} from './lane.ts'

const job = { id: 'job', concurrency: 2 }
const now = 10_000
const laneWith = (known: Partial<Lane> = {}): Lane => ({ ...newLane('job'), ...known })
const held = (...places: number[]): Pick<Lane, 'held'> => ({
  held: new Map(places.map((place) => [place, `v${place}`])),
})
const rival: Rival = {
  id: 'lane.other',
  version: 'w1',
  value: { webhook: newLane('job').key, server: 'other', since: 0 },
}
const wait = { server: 'own', isKnown: true }
const idle: Demand = { running: 0, waiting: 0, next: undefined }
const one: Demand = { running: 1, waiting: 0, next: undefined }
const oneWaits: Demand = { running: 0, waiting: 1, next: job }
const bothWait: Demand = { running: 1, waiting: 1, next: job }
const give = (place: number, to?: Rival) => ({ type: 'give', place, version: `v${place}`, to })
const wake = (ms: number) => ({ type: 'wake', ms })
const [search, withdraw, forget] = [
  { type: 'search' },
  { type: 'withdraw' },
  { type: 'forget' },
] as const

describe('a lane that is tended', () => {
  it.each<[state: string, Partial<Lane>, Demand, actions: readonly object[]]>([
    ['is forgotten without places and runs', {}, idle, [forget]],
    ['keeps a place that a run uses', held(0), one, [wake(1_000)]],
    ['gives back a place without a run', held(0), idle, [give(0), wake(1_000)]],
    ['gives back the last places first', held(0, 1, 2), one, [give(2), give(1), wake(1_000)]],
    ['keeps a spare place for a run that waits', held(0), oneWaits, [search, wake(250)]],
    [
      'gives a spare place to a rival before its own runs',
      { ...held(0), rival },
      oneWaits,
      [give(0, rival), search, wake(250)],
    ],
    [
      'gives a rival one place, and any process the others',
      { ...held(0, 1), rival },
      idle,
      [give(1, rival), give(0), wake(1_000)],
    ],
    [
      'gives no rival a place beyond the concurrency',
      { ...held(2), rival },
      oneWaits,
      [give(2), search, wake(250)],
    ],
    ['gives a used place to nobody', { ...held(0), rival }, one, [wake(1_000)]],
    [
      'keeps its places for a while if one could not be given back',
      { ...held(0), keptAt: now - 999 },
      idle,
      [wake(1_000)],
    ],
    [
      'gives a place back a while after it could not',
      { ...held(0), keptAt: now - 1_000 },
      idle,
      [give(0), wake(1_000)],
    ],
    ['searches for the place of a waiting run', {}, oneWaits, [search, wake(250)]],
    ['searches for a second place', held(0), bothWait, [search, wake(250)]],
    ['does not search for more places than are allowed', held(0, 1), oneWaits, [wake(1_000)]],
    [
      'does not search while the server is full',
      {},
      { ...oneWaits, next: undefined },
      [wake(1_000)],
    ],
    ['does not search twice at once', { isTrying: true }, oneWaits, [wake(250)]],
    ['waits after a failed search', { failedAt: now - 249 }, oneWaits, [wake(250)]],
    ['searches again after the wait', { failedAt: now - 250 }, oneWaits, [search, wake(250)]],
    ['does not search for what commits take', { taking: new Set([0, 1]) }, oneWaits, [wake(1_000)]],
    [
      'is kept while a commit takes a place',
      { taking: new Set([0]), isTaking: true },
      idle,
      [wake(1_000)],
    ],
    ['is kept while a commit gives a place away', { leaving: new Set([0]) }, idle, [wake(1_000)]],
    ['is kept during a search', { isTrying: true }, idle, []],
    ['withdraws when no run waits any more', { wait }, idle, [withdraw, wake(250)]],
    ['withdraws while its runs have places', { ...held(0), wait }, one, [withdraw, wake(1_000)]],
    ['withdraws no record that runs still need', { wait }, oneWaits, [search, wake(250)]],
    ['looks for a place that it may have', { isUnsure: true }, idle, [withdraw, wake(250)]],
    [
      'does not withdraw again right after a failure',
      { wait, failedAt: now - 249 },
      idle,
      [wake(250)],
    ],
  ])('%s', (_, known, demand, actions) => {
    const decision = tendLane(laneWith(known), demand, { now, isStopping: false })
    expect(decision.actions).toEqual(actions)
  })

  it('searches for nothing, but gives places back and withdraws, while the service stops', () => {
    const stopping = { now, isStopping: true }
    expect(tendLane(laneWith(), oneWaits, stopping).actions).toEqual([wake(250)])
    expect(tendLane(laneWith({ ...held(0), wait }), idle, stopping).actions).toEqual([
      give(0),
      withdraw,
      wake(1_000),
    ])
  })

  it('knows what its actions are doing', () => {
    const { lane } = tendLane(laneWith({ ...held(0), rival }), oneWaits, { now, isStopping: false })
    expect(lane).toMatchObject({ ...held(), leaving: new Set([0]), isTrying: true, moves: 1 })
    expect(lane.rival).toBeUndefined()
  })

  it('keeps its rival for the next place when it gives back one beyond the concurrency', () => {
    const before = laneWith({ ...held(1, 2), rival })
    expect(tendLane(before, oneWaits, { now, isStopping: false }).actions).toEqual([
      give(2),
      give(1, rival),
      search,
      wake(250),
    ])
  })
})

describe('the place that a run claims', () => {
  it.each<[state: string, Partial<Lane>, running: number, place: number | undefined]>([
    ['is the first free one', {}, 1, 0],
    ['is none if one is held for it', held(0), 1, undefined],
    ['is none if a commit takes one for it', { taking: new Set([0]) }, 1, undefined],
    [
      'is another one if a commit takes one for a waiting run',
      { taking: new Set([0]), isTaking: true },
      1,
      1,
    ],
    ['is not one that others had at the last poll', { foreign: new Set([0]) }, 1, 1],
    ['may be free again if others had all', { foreign: new Set([0, 1]) }, 1, 0],
    [
      'may be the one that a waiting run gets',
      { ...held(1), taking: new Set([0]), isTaking: true },
      2,
      0,
    ],
    ['is not one beyond the concurrency', held(0, 2), 2, 1],
  ])('%s', (_, known, running, place) => {
    expect(placeToClaim(laneWith(known), job.concurrency, running)).toBe(place)
  })
})

describe('the place that a search takes', () => {
  it.each<
    [state: string, Partial<Lane>, isFree: boolean, waiting: number, place: number | undefined]
  >([
    ['is the first free one', {}, true, 1, 0],
    ['is none if none is free', {}, false, 1, undefined],
    ['is none if no run waits any more', {}, true, 0, undefined],
    ['is none if another process gave it one', held(0), true, 2, undefined],
    ['is none if others have all', { foreign: new Set([0, 1]) }, true, 1, undefined],
  ])('%s', (_, known, isFree, waiting, place) => {
    const found = { isFree, heldBefore: 0 }
    expect(placeToTake(laneWith(known), waiting, job, found)).toBe(place)
  })
})

describe('a commit', () => {
  it('that took a place makes it held', () => {
    const after = taken(taking(laneWith(), 0, true), 0, 'v0', true)
    expect(after).toMatchObject({ ...held(0), taking: new Set(), isTaking: false, moves: 2 })
  })

  it('that did not take a place may have been made', () => {
    expect(taken(taking(laneWith(), 0), 0, undefined)).toMatchObject({ isUnsure: true, ...held() })
  })

  it.each([
    ['given', {}],
    ['lost', {}],
    ['refused', held(0)],
    ['unknown', { isUnsure: true, keptAt: now }],
  ] as const)('that gives a place away ends as %s', (end, changed) => {
    const before = laneWith({ leaving: new Set([0]) })
    expect(given(before, { place: 0, version: 'v0' }, end, now)).toEqual({
      ...laneWith({ moves: 1 }),
      ...changed,
    })
  })
})

describe('a read of the places', () => {
  const record = (place: number, server: string) => {
    const { key } = newLane('job')
    return { id: placeId(key, place), version: `v${place}`, value: { webhook: key, server } }
  }
  const records = [record(0, 'own'), record(1, 'other')]

  it('takes over what others gave to this process', () => {
    const { lane, others } = seen(laneWith({ isUnsure: true }), records, {
      moves: 0,
      server: 'own',
    })
    expect(lane).toMatchObject({ ...held(0), foreign: new Set([1]), isUnsure: false })
    expect(others).toEqual(['other'])
  })

  it('that places were moved during does not count', () => {
    const before = laneWith({ moves: 1, isUnsure: true })
    const { lane } = seen(before, records, { moves: 0, server: 'own' })
    expect(lane).toEqual({ ...before, foreign: new Set([1]) })
  })

  it.each(['taking', 'leaving'] as const)('leaves out a place that a commit is %s', (moving) => {
    const before = laneWith({ [moving]: new Set([0]) })
    expect(seen(before, records, { moves: 0, server: 'own' }).lane.held.size).toBe(0)
  })

  it.each([
    [{ running: 1, foreign: 2 }, false],
    [{ running: 1, foreign: 1 }, true],
    [{ running: 0, foreign: 2 }, true],
  ])('with %o has room: %s', ({ running, foreign }, room) => {
    expect(hasRoom(laneWith(), { running }, { concurrency: 2, foreign })).toBe(room)
  })
})

it('a search that ended allows the next one, after a while if it failed', () => {
  const trying = laneWith({ isTrying: true, failedAt: 5 })
  expect(searched(trying)).toMatchObject({ isTrying: false, failedAt: 5 })
  expect(searched(trying, now)).toMatchObject({ isTrying: false, failedAt: now })
})

it('a process that was declared dead has no places', () => {
  expect(fenced(laneWith({ ...held(0), wait, isUnsure: true }))).toEqual(laneWith())
})
