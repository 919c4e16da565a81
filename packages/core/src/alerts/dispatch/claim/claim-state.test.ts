import { describe, expect, it } from 'vitest'
import type { StoredGroup } from '../group/group.ts'
import type { LoggedNotification, StoredLog } from '../log/log.ts'
import {
  announcing,
  beforeClaim,
  type ClaimState,
  committed,
  conflicted,
  ending,
  isSureAt,
  logOf,
  sending,
} from './claim-state.ts'

const notified: LoggedNotification = { at: 5, firing: ['a'], resolved: [] }
const claim = { holder: 'own', until: 15_000, beat: 1 }
const fresh = beforeClaim({ integrations: {} }, [])
const stateWith = (known: Partial<ClaimState>): ClaimState => ({ ...fresh, ...known })

describe('the log of a claimed flush', () => {
  it.each<[step: string, state: ClaimState, claimed: StoredLog, released: StoredLog]>([
    [
      'says nothing more before anything is announced',
      fresh,
      { integrations: {}, claim },
      { integrations: {} },
    ],
    [
      'doubts what is announced, while it is claimed',
      announcing(beforeClaim({ integrations: {} }, ['webhook/0']), ['email/0']),
      { integrations: {}, claim, unknown: ['webhook/0', 'email/0'] },
      { integrations: {} },
    ],
    [
      'still doubts what an earlier flush left uncertain',
      beforeClaim({ integrations: {}, unknown: ['webhook/0'] }, []),
      { integrations: {}, claim, unknown: ['webhook/0'] },
      { integrations: {}, unknown: ['webhook/0'] },
    ],
    [
      'no longer doubts what was sent',
      sending(beforeClaim({ integrations: {}, unknown: ['webhook/0'] }, ['webhook/0', 'email/0']), {
        'webhook/0': notified,
      }),
      { integrations: { 'webhook/0': notified }, claim, unknown: ['email/0'] },
      { integrations: { 'webhook/0': notified } },
    ],
    [
      'doubts at the end what was not confirmed',
      ending(
        beforeClaim({ integrations: {} }, ['webhook/0', 'email/0']),
        { 'webhook/0': notified },
        ['email/0'],
      ),
      { integrations: { 'webhook/0': notified }, claim, unknown: ['email/0'] },
      { integrations: { 'webhook/0': notified }, unknown: ['email/0'] },
    ],
  ])('%s', (_, state, claimed, released) => {
    expect(logOf(state, claim)).toEqual(claimed)
    expect(logOf(state, undefined)).toEqual(released)
  })

  it('counts what was sent, for a correction after the claim is lost', () => {
    const state = sending(sending(fresh, { 'webhook/0': notified }), { 'email/0': notified })
    expect(state.sent).toEqual({ 'webhook/0': notified, 'email/0': notified })
  })
})

describe('a commit that conflicts', () => {
  const state = stateWith({ versions: { group: 'g1', log: 'l1' } })
  const group = (version: string, holder?: string) => ({
    id: 'group',
    version,
    value: { ...(holder === undefined ? {} : { claim: { ...claim, holder } }) } as StoredGroup,
  })
  const log = (version: string, holder?: string) => ({
    id: 'log',
    version,
    value: { integrations: {}, ...(holder === undefined ? {} : { claim: { ...claim, holder } }) },
  })
  it.each([
    [
      'was made before, unnoticed',
      group('g2', 'own'),
      log('l2', 'own'),
      { group: 'g2', log: 'l2' },
    ],
    [
      'is the first renewal, made unnoticed',
      group('g1'),
      log('l2', 'own'),
      { group: 'g1', log: 'l2' },
    ],
    ['lost the log to another process', group('g2', 'own'), log('l2', 'other'), undefined],
    ['lost the log, whose claim was released', group('g2', 'own'), log('l2'), undefined],
    ['lost the group to another process', group('g2', 'other'), log('l2', 'own'), undefined],
    ['lost the group, which was released', group('g2'), log('l2', 'own'), undefined],
    ['has no group any more', undefined, log('l2', 'own'), undefined],
    ['has no log any more', group('g2', 'own'), undefined, undefined],
    ['failed for no reason that is seen', group('g1'), log('l1', 'own'), undefined],
  ])('%s', (_, storedGroup, storedLog, versions) => {
    const after = conflicted(state, { group: storedGroup, log: storedLog }, 'own')
    expect(after).toEqual(
      versions === undefined ? { ...state, isLost: true } : { ...state, versions },
    )
  })
})

describe('a claim', () => {
  const versions = { group: 'g1', log: 'l1' }
  const renewed = committed(fresh, versions, { monotonic: 1_000, wall: 50_000 })

  it.each([
    ['just renewed', renewed, { monotonic: 1_000, wall: 50_000 }, true],
    ['shortly before 10 s', renewed, { monotonic: 10_999, wall: 59_999 }, true],
    ['after 10 s', renewed, { monotonic: 11_000, wall: 50_000 }, false],
    ['after 10 s asleep', renewed, { monotonic: 1_000, wall: 60_000 }, false],
    ['with a clock set back', renewed, { monotonic: 2_000, wall: 0 }, true],
    ['lost', { ...renewed, isLost: true }, { monotonic: 1_000, wall: 50_000 }, false],
  ])('that is %s: is it sure?', (_, state, moment, isSure) => {
    expect(isSureAt(state, moment)).toBe(isSure)
  })

  it('is not made surer by a commit that releases it', () => {
    expect(committed(renewed, { group: 'g2', log: 'l2' }, undefined)).toEqual({
      ...renewed,
      versions: { group: 'g2', log: 'l2' },
    })
  })
})
