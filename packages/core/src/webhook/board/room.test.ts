import { describe, expect, it } from 'vitest'
import { decideEntry, hasPlace, type Room } from './room.ts'

const none = { running: 0, waiting: 0 }
const limits = { concurrency: 10, queue: 5 }
const webhook = { concurrency: 2, queue: 3, on_busy: 'queue' } as const

/** What a run finds, where it is not an empty server. */
const rooms: readonly (readonly [found: string, room: Partial<Room>, entry: string])[] = [
  ['nobody', {}, 'placed'],
  ['a free place of its webhook', { own: { running: 1, waiting: 0 } }, 'placed'],
  ['all places of its webhook taken', { own: { running: 2, waiting: 0 } }, 'waiting'],
  ['a free place, and others who wait for it', { own: { running: 1, waiting: 1 } }, 'waiting'],
  [
    'many runs of a webhook without a limit',
    {
      webhook: { ...webhook, concurrency: 0 },
      own: { running: 9, waiting: 0 },
      all: { running: 9, waiting: 0 },
    },
    'placed',
  ],
  ['the server full', { all: { running: 10, waiting: 0 } }, 'waiting'],
  ['the queue full', { own: { running: 2, waiting: 3 } }, 'full'],
  [
    'the queues of the server full',
    { own: { running: 2, waiting: 1 }, all: { running: 2, waiting: 5 } },
    'full',
  ],
  [
    'its webhook busy, which rejects',
    {
      webhook: { ...webhook, on_busy: 'reject' },
      own: { running: 2, waiting: 0 },
    },
    'full',
  ],
  [
    'its webhook free, which rejects when busy',
    { webhook: { ...webhook, on_busy: 'reject' } },
    'placed',
  ],
  [
    'the queue full of runs that it replaces',
    {
      webhook: { ...webhook, on_busy: 'latest' },
      own: { running: 2, waiting: 3 },
      all: { running: 2, waiting: 5 },
    },
    'waiting',
  ],
  [
    'a webhook without a queue',
    {
      webhook: { ...webhook, queue: 0 },
      own: { running: 2, waiting: 0 },
    },
    'full',
  ],
]

describe('a run that enters', () => {
  it.each(rooms)('and finds %s', (_found, room, entry) => {
    expect(decideEntry({ webhook, own: none, all: room.own ?? none, limits, ...room })).toBe(entry)
  })
})

describe('a webhook may have one run more', () => {
  it.each([
    [2, 1, undefined, true],
    [2, 2, undefined, false],
    [2, 1, 1, false],
    [2, 1, 5, true],
    [2, 2, 5, false],
  ])('with concurrency %d, %d runs and %s places of this process: %s', (...row) => {
    const [concurrency, running, owned, may] = row
    expect(hasPlace({ concurrency }, running, owned === undefined ? undefined : () => owned)).toBe(
      may,
    )
  })

  it('without asking for its places if they do not matter', () => {
    const never = (): number => {
      throw new Error('asked')
    }
    expect(hasPlace({ concurrency: 0 }, 99, never)).toBe(true)
    expect(hasPlace({ concurrency: 2 }, 2, never)).toBe(false)
  })
})
