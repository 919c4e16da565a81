import type { Alert, AlertGroup } from '@gatehouse/client'
import { describe, expect, it } from 'vitest'
import {
  isAlone,
  readStates,
  shownStates,
  showOnly,
  toggleHidden,
  wantedBy,
} from '../src/alerts/chosen-states.ts'
import { isFolded, readFolds, toggleFold } from '../src/alerts/folds.ts'
import { cardsOf } from '../src/alerts/group-alerts.ts'
import { linesOf, sectionsOf } from '../src/alerts/lines.ts'
import {
  nextSort,
  readColumns,
  readSort,
  sortAlerts,
  writeColumns,
} from '../src/alerts/sort-alerts.ts'

const alert = (labels: Alert['labels'], more: Partial<Alert> = {}): Alert => ({
  labels,
  annotations: {},
  receivers: [{ name: 'ops' }],
  fingerprint: JSON.stringify(labels),
  startsAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  endsAt: '2026-01-01T01:00:00Z',
  status: { state: 'active', silencedBy: [], inhibitedBy: [], mutedBy: [] },
  ...more,
})

const group = (labels: Alert['labels'], alerts: readonly Alert[]): AlertGroup => ({
  labels,
  receiver: { name: 'ops' },
  routeLabels: {},
  alerts: [...alerts],
})

describe('folded groups', () => {
  it('are those that were folded, or all but those that were opened', () => {
    const one = toggleFold(readFolds(''), 'a')
    expect(['a', 'b'].map((key) => isFolded(readFolds(one), key))).toEqual([true, false])
    const others = toggleFold(readFolds('all'), 'a')
    expect(['a', 'b'].map((key) => isFolded(readFolds(others), key))).toEqual([false, true])
    expect(toggleFold(readFolds(others), 'a')).toBe('all')
  })

  it('forget the oldest when there are too many for an address', () => {
    let text = 'none'
    for (let key = 0; key < 200; key++) text = toggleFold(readFolds(text), `group ${key}`)
    expect(text.length).toBeLessThan(600)
    expect(isFolded(readFolds(text), 'group 199')).toBe(true)
    expect(isFolded(readFolds(text), 'group 0')).toBe(false)
  })
})

describe('lines of alerts', () => {
  const a = alert({ alertname: 'A', severity: 'warning', team: 'db', pod: '1' })
  const b = alert({ alertname: 'A', severity: 'critical', team: 'web', pod: '2' })
  const c = alert({ alertname: 'C', severity: 'info' })
  const groups = [group({ alertname: 'A' }, [a, b]), group({ alertname: 'C' }, [c])]
  const open = (): boolean => false

  it('have one for a group and one for each alert, and none more for a group of one', () => {
    const lines = linesOf(cardsOf(groups, { by: 'group' }), open)
    expect(lines.map(({ kind }) => kind)).toEqual(['group', 'alert', 'alert', 'alert'])
    expect(lines[1]).toMatchObject({ alert: a, shared: ['alertname'] })
  })

  it('leave out what is folded', () => {
    const cards = cardsOf(groups, { by: 'group' })
    const lines = linesOf(cards, (key) => key === cards[0]?.key)
    expect(lines.map(({ kind }) => kind)).toEqual(['group', 'alert'])
  })

  it('stand in sections by a label, the worst first, each alert in the one of its value', () => {
    const sections = sectionsOf(groups, 'team', { by: 'group' })
    expect(sections.map(({ value, severity, count }) => [value, severity, count])).toEqual([
      ['web', 'critical', 1],
      ['db', 'warning', 1],
      ['', 'info', 1],
    ])
    expect(linesOf(sections, open).map(({ kind }) => kind)).toEqual([
      'section',
      'alert',
      'section',
      'alert',
      'section',
      'alert',
    ])
    expect(linesOf(sections, () => true)).toHaveLength(3)
  })
})

describe('the order of a table', () => {
  const rows = [
    alert({ severity: 'info', instance: 'host-10' }, { startsAt: '2026-01-03T00:00:00Z' }),
    alert({ severity: 'critical', instance: 'host-9' }, { startsAt: '2026-01-02T00:00:00Z' }),
    alert({ severity: 'warning' }, { startsAt: '2026-01-01T00:00:00Z' }),
  ]
  const order = (text: string): (string | undefined)[] =>
    sortAlerts(rows, readSort(text), 'severity').map(({ labels }) => labels.severity)

  it.each([
    ['', ['critical', 'warning', 'info']],
    ['-severity', ['info', 'warning', 'critical']],
    ['since', ['info', 'critical', 'warning']],
    ['-since', ['warning', 'critical', 'info']],
    // Numbers count as numbers, and an alert without the label is last in both directions.
    ['label:instance', ['critical', 'info', 'warning']],
    ['-label:instance', ['info', 'critical', 'warning']],
  ])('by %j', (text, expected) => {
    expect(order(text)).toEqual(expected)
  })

  it('changes with a click on a head, and turns round with the second', () => {
    expect(nextSort(readSort(''), 'name')).toBe('name')
    expect(nextSort(readSort('name'), 'name')).toBe('-name')
    expect(nextSort(readSort('-name'), 'name')).toBe('name')
  })

  it('has columns of any label name in the address', () => {
    const names = ['team', 'a,b', 'ü%']
    expect(readColumns(writeColumns(names))).toEqual(names)
    expect(readColumns('%,a')).toEqual(['a'])
  })
})

describe('states of alerts', () => {
  it('are shown alone with a click, and all again with the next', () => {
    const alone = showOnly(readStates(''), 'silenced')
    expect(shownStates(readStates(alone))).toEqual({
      active: false,
      silenced: true,
      inhibited: false,
    })
    expect(isAlone(readStates(alone), 'silenced')).toBe(true)
    expect(showOnly(readStates(alone), 'silenced')).toBe('')
    expect(readStates(showOnly(readStates('recent'), 'recent'))).toEqual({
      hidden: new Set(),
      only: 'recent',
    })
  })

  it('are excluded, and included again', () => {
    expect(toggleHidden(readStates('silenced'), 'active')).toBe('silenced,active')
    expect(toggleHidden(readStates('silenced,active'), 'silenced')).toBe('active')
    expect(toggleHidden(readStates('~recent'), 'recent')).toBe('recent')
  })

  it('of which the server knows nothing choose from what it listed', () => {
    const now = Date.parse('2026-01-01T00:10:00Z')
    const young = alert({ name: 'young' })
    const old = alert({ name: 'old' }, { startsAt: '2025-12-31T00:00:00Z' })
    const chosen = (text: string): (string | undefined)[] | undefined => {
      const isWanted = wantedBy(readStates(text), now)
      return isWanted && [young, old].filter(isWanted).map(({ labels }) => labels.name)
    }
    expect(chosen('silenced')).toBeUndefined()
    expect(chosen('~recent')).toEqual(['young'])
    expect(chosen('recent')).toEqual(['old'])
    expect(chosen('~acknowledged')).toEqual([])
  })
})
