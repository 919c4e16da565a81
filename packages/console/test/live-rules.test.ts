import type { Alert, AlertGroup, AlertsChange } from '@gatehouse/client'
import { describe, expect, it } from 'vitest'
import { addToGroups, applyChanges, isShown } from '../src/alerts/apply-changes.ts'

const all = { active: true, silenced: true, inhibited: true }

const alert = (fingerprint: string, more: Partial<Alert> = {}): Alert => ({
  labels: { alertname: fingerprint },
  annotations: {},
  receivers: [{ name: 'ops' }],
  fingerprint,
  startsAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  endsAt: '2026-01-01T01:00:00Z',
  status: { state: 'active', silencedBy: [], inhibitedBy: [], mutedBy: [] },
  ...more,
})

const status = (more: Partial<Alert['status']>): Alert['status'] => ({
  state: 'suppressed',
  silencedBy: [],
  inhibitedBy: [],
  mutedBy: [],
  ...more,
})

const group = (name: string, alerts: readonly Alert[]): AlertGroup => ({
  labels: { alertname: name },
  receiver: { name: 'ops' },
  routeLabels: {},
  alerts: [...alerts],
})

const changed = (data: Alert): AlertsChange => ({ type: 'alert', data })
const removed = (fingerprint: string): AlertsChange => ({
  type: 'alert-removed',
  data: { fingerprint },
})

describe('changes of a list of groups', () => {
  const groups = [group('A', [alert('a'), alert('b')]), group('C', [alert('c')])]

  it('replace an alert in place, and leave other groups as they are', () => {
    const summary = { summary: 'worse' }
    const { groups: after, strangers } = applyChanges(
      groups,
      [changed(alert('a', { annotations: summary }))],
      all,
    )
    expect(after[0]?.alerts.map(({ annotations }) => annotations)).toEqual([summary, {}])
    expect(after[1]).toBe(groups[1])
    expect(strangers).toEqual([])
  })

  it('remove alerts, and groups that have none left', () => {
    const { groups: after } = applyChanges(groups, [removed('c'), removed('a')], all)
    expect(after.map(({ alerts }) => alerts.map(({ fingerprint }) => fingerprint))).toEqual([['b']])
    expect(applyChanges(groups, [removed('unknown')], all).groups).toBe(groups)
  })

  it('count as the last one, also for alerts that the list lacks', () => {
    const [fresh, gone] = [alert('x'), alert('y')]
    const { groups: after, strangers } = applyChanges(
      groups,
      [removed('a'), changed(alert('a')), changed(fresh), changed(gone), removed('y')],
      all,
    )
    expect(after[0]?.alerts.map(({ fingerprint }) => fingerprint)).toEqual(['a', 'b'])
    expect(strangers).toEqual([fresh])
  })

  it('take out what is in a state that the list does not show, and ask for nothing of it', () => {
    const silenced = status({ silencedBy: ['s'] })
    const shown = { ...all, silenced: false }
    const { groups: after, strangers } = applyChanges(
      groups,
      [changed(alert('c', { status: silenced })), changed(alert('x', { status: silenced }))],
      shown,
    )
    expect(after.map(({ labels }) => labels.alertname)).toEqual(['A'])
    expect(strangers).toEqual([])
  })

  it('keep what mutes the group, and ask anew for an alert that goes to others now', () => {
    const muted = [group('A', [alert('a', { status: status({ mutedBy: ['nights'] }) })])]
    const kept = applyChanges(muted, [changed(alert('a'))], all)
    expect(kept.groups[0]?.alerts[0]?.status.mutedBy).toEqual(['nights'])
    const rerouted = alert('a', { receivers: [{ name: 'db' }] })
    expect(applyChanges(muted, [changed(rerouted)], all)).toEqual({
      groups: [],
      strangers: [rerouted],
      isRegrouped: false,
    })
  })

  it('say that groups went away that no alert explains', () => {
    const lost: AlertsChange = { type: 'alert-group-removed', data: { id: 'g' } }
    expect(applyChanges(groups, [lost], all).isRegrouped).toBe(true)
    expect(applyChanges(groups, [lost, removed('c')], all).isRegrouped).toBe(false)
  })

  it('add an alert to the groups that the server has it in, known or new', () => {
    const x = alert('x')
    const after = addToGroups(groups, [group('C', [x]), group('X', [x])])
    expect(after.map(({ alerts }) => alerts.map(({ fingerprint }) => fingerprint))).toEqual([
      ['a', 'b'],
      ['c', 'x'],
      ['x'],
    ])
    const newer = alert('x', { annotations: { summary: 'newer' } })
    expect(addToGroups(after, [group('X', [newer])])[2]?.alerts).toEqual([newer])
  })
})

describe('an alert in a list without some states', () => {
  it.each([
    [{ state: 'active' as const }, { active: false }, false],
    [{ silencedBy: ['s'], inhibitedBy: ['i'] }, { silenced: false }, false],
    [{ silencedBy: ['s'], inhibitedBy: ['i'] }, { inhibited: false }, false],
    [{ silencedBy: ['s'] }, { inhibited: false, active: false }, true],
    [{ inhibitedBy: ['i'] }, { silenced: false }, true],
  ])('%j with %j: %j', (of, without, isThere) => {
    expect(isShown(status(of), { ...all, ...without })).toBe(isThere)
  })
})
