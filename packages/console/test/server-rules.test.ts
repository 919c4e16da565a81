import type { Alert, AlertGroup } from '@gatehouse/client'
import { describe, expect, it } from 'vitest'
import { mergeServers, type ShownAlert } from '../src/alerts/merge-servers.ts'
import { summarize } from '../src/alerts/summarize.ts'

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
    expect(shown(mergeServers(own, others))).toEqual([
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
    const [merged] = mergeServers(
      [group('db', [alert('a')])],
      [{ name: 'paris', groups: [group('web', [alert('a', { status: silenced })])] }],
    )
    expect(merged?.alerts[0]?.status.state).toBe('active')
  })

  it('leave the list as it is where there are none', () => {
    const own = [group('db', [alert('a')])]
    expect(mergeServers(own, [])).toBe(own)
    expect(mergeServers(own, [{ name: 'paris', groups: [] }])).toBe(own)
  })

  it('leave groups of several routes apart', () => {
    const own = [group('db', [alert('a')]), group('db', [alert('b')])]
    const others = [{ name: 'paris', groups: [group('db', [alert('c')])] }]
    expect(shown(mergeServers(own, others))).toEqual(['db: a c@paris!', 'db: b'])
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
    expect(summarize(alerts, 'severity', now)).toEqual({
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
