import { describe, expect, it } from 'vitest'
import type { Content } from '../../../storage/decision-queue.ts'
import type { LoggedNotification } from '../log/log.ts'
import type { Limit, StoredLimit } from './limit.ts'
import {
  afterSummary,
  coverOf,
  type LimitRequest,
  permissionFor,
  released,
  returned,
} from './limit-decision.ts'

const now = 1_000_000
const rate = { runs: 1, per: 60_000 }
const limitWith = (id: string): Limit => ({ id, name: id, groupKey: id, rate })
const [route, receiver] = [limitWith('route'), limitWith('receiver')]
const told: LoggedNotification = { at: 5, firing: ['a'], resolved: [] }
const covered = { g: { groupKey: 'key', told } }
const full = { spent: 60_000, at: now, per: 60_000 }
const empty = { spent: 0, at: now, per: 60_000 }
const storedWith = (known: Partial<StoredLimit>): Content<StoredLimit> => ({
  value: { spent: empty, groups: {}, ...known },
  expiresAt: now + 5,
})
const none: Content<StoredLimit> = { value: undefined }
const request: LimitRequest = {
  limits: [route, receiver],
  group: { id: 'g', groupKey: 'key' },
  cover: undefined,
  isOpen: false,
  isReminder: false,
  intervalMs: 300_000,
  deadlineMs: 60_000,
  keepUntil: now + 3_600_000,
}
const cover = { limit: receiver, told, isUnknown: false }
const askFor = (
  contents: readonly Content<StoredLimit>[],
  more: Partial<LimitRequest>,
  busy = false,
) =>
  permissionFor(
    contents,
    { ...request, ...more },
    { holder: 'own', beat: 7, now, isBusy: () => busy },
  )

describe('the permission of a flush', () => {
  it.each<[string, Content<StoredLimit>[], Partial<LimitRequest>, busy: boolean, answer: object]>([
    ['send under limits that nothing used', [none, none], {}, false, { may: 'send' }],
    [
      'wait for the first limit that is full',
      [none, storedWith({ spent: full })],
      {},
      false,
      { may: 'wait', limit: receiver },
    ],
    [
      'replan if it is covered meanwhile',
      [none, storedWith({ groups: covered })],
      {},
      false,
      { may: 'replan' },
    ],
    ['replan if it is not covered any more', [storedWith({})], { cover }, false, { may: 'replan' }],
    [
      'replan if another summary was sent',
      [storedWith({ groups: { g: { groupKey: 'key', told: { ...told, at: 6 } } } })],
      { cover },
      false,
      { may: 'replan' },
    ],
    [
      'wait while a summary is being sent',
      [storedWith({ groups: covered })],
      { cover },
      true,
      { may: 'wait', limit: receiver },
    ],
    [
      'send a summary if it is covered',
      [storedWith({ groups: covered, kept: { ts: '1' } })],
      { cover },
      false,
      {
        may: 'summarize',
        limit: receiver,
        groups: covered,
        kept: { ts: '1' },
        isUnknown: false,
        beat: 7,
      },
    ],
    [
      'know that the last summary did not end',
      [storedWith({ groups: covered, sender: { holder: 'gone', beat: 1, lifeMs: 1 } })],
      { cover },
      false,
      {
        may: 'summarize',
        limit: receiver,
        groups: covered,
        kept: undefined,
        isUnknown: true,
        beat: 7,
      },
    ],
  ])('is to %s', (_, contents, more, busy, answer) => {
    expect(askFor(contents, more, busy).answer).toEqual(answer)
  })

  it('spends from all limits, and claims the summary', () => {
    const { contents } = askFor([storedWith({ groups: covered })], { cover })
    expect(contents[0]?.value).toMatchObject({
      spent: full,
      sender: { holder: 'own', beat: 7, lifeMs: 75_000 },
    })
    const both = askFor([none, none], {})
    expect(both.contents.map(({ value }) => value?.spent)).toEqual([full, full])
  })

  it.each<[string, Partial<LimitRequest>, groups: object, waits: object | undefined]>([
    ['joins the next summary', {}, { g: { groupKey: 'key' } }, { summary: 315_000 }],
    [
      'waits for its own turn if the receiver considers it firing',
      { isOpen: true },
      {},
      { group: 315_000 },
    ],
    [
      'waits for nothing with a reminder that may not join',
      { isOpen: true, isReminder: true },
      {},
      undefined,
    ],
  ])('that is refused %s', (_, more, groups, waits) => {
    const { contents } = askFor([storedWith({ spent: full }), none], more)
    expect(contents[0]?.value).toEqual({ spent: full, groups, ...(waits && { waits }) })
    expect(contents[1]).toBe(none)
  })
})

describe('the cover of a group', () => {
  const wanted = { limits: [route, receiver], groupId: 'g', keepUntil: now + 1_000 }
  it.each<[string, Content<StoredLimit>, expiresAt: number | undefined]>([
    [
      'stays stored if it lasts',
      { ...storedWith({ groups: covered }), expiresAt: now + 501 },
      now + 501,
    ],
    [
      'is kept for longer',
      { ...storedWith({ groups: covered }), expiresAt: now + 500 },
      now + 1_000,
    ],
  ])('%s', (_, content, expiresAt) => {
    const { answer, contents } = coverOf([none, content], wanted, now)
    expect(answer).toEqual(cover)
    expect(contents[1]?.expiresAt).toBe(expiresAt)
  })

  it('is none by limits that do not know it', () => {
    const contents = [none, storedWith({})]
    expect(coverOf(contents, wanted, now)).toEqual({ contents, answer: undefined })
  })

  it('ends without a summary', () => {
    expect(released(storedWith({ groups: covered }), 'g')).toEqual(storedWith({}))
    expect(released(none, 'g')).toBe(none)
  })
})

it('a notification that did not arrive gives its part back', () => {
  expect(returned(storedWith({ spent: full }))).toEqual(storedWith({}))
  expect(returned(none)).toEqual(none)
})

describe('a limit after a summary', () => {
  const sender = { holder: 'own', beat: 7, lifeMs: 1 }
  const turn = { limit: receiver, groups: covered, kept: undefined, isUnknown: false, beat: 7 }
  const before = { spent: full, groups: { ...covered, h: { groupKey: 'later' } } }
  const end = { told: { g: { ...told, at: 9 } }, kept: undefined, isUnknown: false, keepUntil: 0 }
  const after = { g: { groupKey: 'key', told: { ...told, at: 9 } }, h: { groupKey: 'later' } }

  it.each<[string, StoredLimit, end: object, after: object]>([
    [
      'says what it told, and keeps who joined',
      { ...before, sender },
      end,
      { spent: full, groups: after },
    ],
    [
      'forgets groups that need no further one',
      { ...before, sender },
      { ...end, told: {} },
      { spent: full, groups: { h: { groupKey: 'later' } } },
    ],
    [
      'keeps its groups if it was not sent',
      { ...before, sender },
      { ...end, told: undefined },
      before,
    ],
    [
      'is uncertain if it was not confirmed',
      { ...before, sender },
      { ...end, isUnknown: true },
      { spent: full, groups: after, isUnknown: true },
    ],
    [
      'stays if its end is stored already',
      { ...before, groups: after },
      end,
      { ...before, groups: after },
    ],
    [
      'is uncertain if another process has sent one since',
      before,
      end,
      { ...before, isUnknown: true },
    ],
    [
      'is disputed while another process sends one',
      { ...before, sender: { ...sender, holder: 'other' } },
      end,
      { ...before, sender: { ...sender, holder: 'other', isDisputed: true }, isUnknown: true },
    ],
  ])('%s', (_, stored, ended, expected) => {
    expect(afterSummary(stored, turn, { ...end, ...ended }, 'own')).toEqual(expected)
  })
})
