import type { Alert, AlertGroup } from '@gatehouse/client'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../test-support/random.ts'
import { createMerger, type ShownAlert } from '../src/alerts/merge-servers.ts'
import { createSummarizer } from '../src/alerts/summarize.ts'

const alert = (name: string, more: Partial<Alert> = {}): Alert => ({
  labels: { alertname: name, severity: 'critical' },
  annotations: {},
  receivers: [{ name: 'ops' }],
  fingerprint: name,
  startsAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  endsAt: '2026-01-01T00:00:00Z',
  status: { state: 'active', silencedBy: [], inhibitedBy: [], mutedBy: [] },
  ...more,
})
const group = (team: string, alerts: readonly Alert[], receiver = 'ops'): AlertGroup => ({
  labels: { team, site: 'x' },
  receiver: { name: receiver },
  alerts,
})

/** What a list has: `team: alert@servers`, with `!` where no other is. */
const shown = (groups: readonly AlertGroup[]): string[] =>
  groups.map(({ labels, alerts }) => {
    const names = alerts.map(({ fingerprint, servers, isElsewhere }: ShownAlert) => {
      const places = servers === undefined ? '' : `@${servers.join('+')}`
      return `${fingerprint}${places}${isElsewhere ? '!' : ''}`
    })
    return `${labels.team}: ${names.join(' ')}`
  })

describe('alerts of several servers', () => {
  it('stand in groups with the same labels and receiver, each alert once', () => {
    const own = [group('db', [alert('a'), alert('b')])]
    // The order of labels is none of the group.
    const same = { ...group('db', [alert('b'), alert('c')]), labels: { site: 'x', team: 'db' } }
    const others = [
      { name: 'paris', groups: [same, group('web', [alert('d')])] },
      { name: 'tokyo', groups: [group('db', [alert('c')]), group('db', [alert('e')], 'night')] },
    ]
    expect(shown(createMerger()(own, others))).toEqual([
      'db: a b@paris c@paris+tokyo!',
      'web: d@paris!',
      'db: e@tokyo!',
    ])
  })

  it('are as this server has them, where it has them', () => {
    const silenced = {
      state: 'suppressed',
      silencedBy: ['x'],
      inhibitedBy: [],
      mutedBy: [],
    } as const
    const [merged] = createMerger()(
      [group('db', [alert('a')])],
      [{ name: 'paris', groups: [group('web', [alert('a', { status: silenced })])] }],
    )
    expect(merged?.alerts[0]?.status.state).toBe('active')
  })

  it('leave the list as it is where there are none', () => {
    const own = [group('db', [alert('a')])]
    expect(createMerger()(own, [])).toBe(own)
    expect(createMerger()(own, [{ name: 'paris', groups: [] }])).toBe(own)
  })

  it('leave what has not changed the same object, as a merger without a past would make it', () => {
    const { chance, between } = createRandom(5)
    const merge = createMerger()
    const summarize = createSummarizer('severity')
    let own: readonly AlertGroup[] = []
    let others: { name: string; groups: readonly AlertGroup[] }[] = [
      { name: 'paris', groups: [] },
      { name: 'tokyo', groups: [] },
    ]
    let before: readonly AlertGroup[] = []
    const anyGroups = (): readonly AlertGroup[] =>
      ['db', 'web', 'net'].flatMap((team) => {
        const names = ['a', 'b', 'c', 'd'].filter(() => chance(0.5))
        return names.length === 0
          ? []
          : [
              group(
                team,
                names.map((name) => alert(team + name)),
              ),
            ]
      })
    for (let round = 0; round < 300; round++) {
      const which = between(0, 2)
      // A change replaces a group, and leaves the others.
      const kept = own.filter(() => chance(0.5))
      const isKept = ({ labels }: AlertGroup) => kept.some((one) => one.labels.team === labels.team)
      if (which === 2) own = [...kept, ...anyGroups().filter((one) => !isKept(one))]
      else others = others.map((one, at) => (at === which ? { ...one, groups: anyGroups() } : one))
      const merged = merge(own, others)
      expect(merged).toEqual(createMerger()(own, others))
      expect(merge(own, others)).toBe(merged)
      for (const one of merged) {
        const same = before.find(
          ({ labels, alerts }) =>
            labels === one.labels &&
            alerts.length === one.alerts.length &&
            alerts.every((each, at) => each === one.alerts[at]),
        )
        if (same !== undefined) expect(one).toBe(same)
      }
      expect(summarize(merged, 0)).toEqual(createSummarizer('severity')(merged, 0))
      before = merged
    }
  })

  it('stay the same objects when an alert of another group changes', () => {
    const merge = createMerger()
    const paris = { name: 'paris', groups: [group('db', [alert('a'), alert('c')])] }
    const db = group('db', [alert('a')])
    const [before] = merge([db, group('web', [alert('w')])], [paris])
    const [after, changed] = merge([db, group('web', [alert('w'), alert('v')])], [paris])
    expect(after).toBe(before)
    expect(changed?.alerts).toHaveLength(2)
    // This server has now the alert that only another one had.
    const [without] = merge([db, group('web', [alert('c')])], [paris])
    expect(shown(without === undefined ? [] : [without])).toEqual(['db: a@paris'])
    expect(without?.alerts[0]).toBe(before?.alerts[0])
  })

  it('leave groups of several routes apart', () => {
    const own = [group('db', [alert('a')]), group('db', [alert('b')])]
    const others = [{ name: 'paris', groups: [group('db', [alert('c')])] }]
    expect(shown(createMerger()(own, others))).toEqual(['db: a c@paris!', 'db: b'])
  })
})

describe('numbers of a list', () => {
  it('are those of its alerts', () => {
    const now = Date.parse('2026-01-01T01:00:00Z')
    const both = {
      state: 'suppressed',
      silencedBy: ['x'],
      inhibitedBy: ['y'],
      mutedBy: [],
    } as const
    const alerts = [
      alert('a'),
      alert('b', {
        startsAt: '2026-01-01T00:50:00Z',
        labels: { alertname: 'b', severity: 'info' },
      }),
      alert('c', { status: both, labels: { alertname: 'b' } }),
    ]
    expect(createSummarizer('severity')([group('db', alerts)], now)).toEqual({
      total: 3,
      active: 2,
      suppressed: 1,
      silenced: 1,
      inhibited: 1,
      acknowledged: 0,
      recent: 1,
      severities: [
        { value: 'critical', alerts: 1 },
        { value: 'info', alerts: 1 },
        { value: '', alerts: 1 },
      ],
      labels: [
        {
          name: 'alertname',
          alerts: 3,
          distinct: 2,
          values: [
            { value: 'b', alerts: 2 },
            { value: 'a', alerts: 1 },
          ],
        },
        {
          name: 'severity',
          alerts: 2,
          distinct: 2,
          values: [
            { value: 'critical', alerts: 1 },
            { value: 'info', alerts: 1 },
          ],
        },
      ],
    })
  })
})
