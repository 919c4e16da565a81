import type { Alert, AlertEvent, ListedRoute } from '@gatehouse/client'
import { describe, expect, it } from 'vitest'
import { addMatcher } from '../src/alerts/add-matcher.ts'
import { cardsOf, commonLabels } from '../src/alerts/group-alerts.ts'
import { lastPeak } from '../src/alerts/last-peak.ts'
import { severityOf } from '../src/alerts/severity.ts'
import { timelineOf } from '../src/alerts/timeline.ts'
import { hashOf, placeOf } from '../src/route/route.ts'
import { lineBefore } from '../src/routing/line-before.ts'
import { alertsBelow, isOnPath, labelsOf, textOf } from '../src/routing/on-path.ts'
import { readClassicMatchers } from '../src/silence-form/classic-matchers.ts'
import { surprisesOf } from '../src/silence-form/coverage.ts'
import { silenceOf, toSilence } from '../src/silence-form/silence-draft.ts'
import { readDuration, shortDuration } from '../src/time/durations.ts'
import { stepsPath } from '../src/widgets/chart/steps-path.ts'
import { completionsAt } from '../src/widgets/matcher-input/completions.ts'

const alert = (labels: Alert['labels']): Alert => ({
  labels,
  annotations: {},
  receivers: [{ name: 'everybody' }],
  fingerprint: JSON.stringify(labels),
  startsAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  endsAt: '2026-01-01T01:00:00Z',
  status: { state: 'active', silencedBy: [], inhibitedBy: [], mutedBy: [] },
})

const group = (receiver: string, labels: Alert['labels'], alerts: readonly Alert[]) => ({
  labels,
  receiver: { name: receiver },
  alerts,
})

describe('a matcher more in a filter', () => {
  it.each([
    ['', true, 'team="db"'],
    ['a="b", ', false, 'a="b", team!="db"'],
    ['{a="b"}', true, 'a="b", team="db"'],
    ['team!="db", a="b"', true, 'a="b", team="db"'],
    ['team="db"', true, 'team="db"'],
    ['team="web"', true, 'team="web", team="db"'],
    ['team=~"db"', false, 'team=~"db", team!="db"'],
  ])('joins %j', (filter, isEqual, joined) => {
    expect(addMatcher(filter, 'team', 'db', isEqual)).toBe(joined)
  })
})

describe('cards of alerts', () => {
  const a = alert({ alertname: 'A', severity: 'warning', team: 'db' })
  const b = alert({ alertname: 'B', severity: 'critical', team: 'web' })
  const c = alert({ alertname: 'B', severity: 'info' })
  const groups = [
    group('mail', { alertname: 'A' }, [a]),
    group('mail', { alertname: 'B' }, [c, b]),
    group('pager', { alertname: 'B' }, [b]),
  ]

  it('come with the worst first, then the largest', () => {
    const cards = cardsOf(groups, { by: 'group' })
    expect(cards.map(({ receiver, severity }) => [receiver, severity])).toEqual([
      ['mail', 'critical'],
      ['pager', 'critical'],
      ['mail', 'warning'],
    ])
  })

  it('of a label hold each alert once, even if it is in several groups', () => {
    const cards = cardsOf(groups, { by: 'label', name: 'team' })
    expect(cards.map(({ labels, alerts }) => [labels.team, alerts.length])).toEqual([
      ['web', 1],
      ['db', 1],
      ['', 1],
    ])
  })

  it('know unusual words for severities', () => {
    const of = (severity: string) => severityOf({ severity })
    expect(severityOf({ priority: 'P1', severity: 'info' }, 'priority')).toBe('critical')
    expect([of('PAGE'), of('warn'), of('none'), of('purple')]).toEqual([
      'critical',
      'warning',
      'info',
      'other',
    ])
  })
})

describe('a silence for alerts', () => {
  it('matches exactly their labels, and quotes what a pattern would interpret', () => {
    const alerts = ['a.1', 'b+2'].map((instance) => alert({ alertname: 'X', instance }))
    expect(commonLabels(alerts)).toEqual({ alertname: 'X' })
    expect(silenceOf(alerts).matchers).toEqual([
      { name: 'alertname', value: 'X', isRegex: false, isEqual: true },
      { name: 'instance', value: 'a\\.1|b\\+2', isRegex: true, isEqual: true },
    ])
  })

  it('names a label with more values than a matcher can have', () => {
    const alerts = Array.from({ length: 51 }, (_, i) => alert({ alertname: 'X', pod: `${i}` }))
    const { matchers, leftOut, chosen } = silenceOf(alerts)
    expect(matchers.map(({ name }) => name)).toEqual(['alertname'])
    expect([leftOut, chosen?.length]).toEqual([['pod'], 51])
    expect(silenceOf(alerts.slice(1))).toMatchObject({
      leftOut: [],
      matchers: [{}, { name: 'pod' }],
    })
  })

  it('leaves out a label that not every alert has', () => {
    const alerts = [alert({ alertname: 'X', a: '1' }), alert({ alertname: 'X' })]
    expect(silenceOf(alerts).matchers.map(({ name }) => name)).toEqual(['alertname'])
  })
})

describe('a silence for a group', () => {
  const silenced = (one: Alert): Alert => ({
    ...one,
    status: { ...one.status, state: 'suppressed', silencedBy: ['s'] },
  })
  const [one, two, three] = ['1', '2', '3'].map((i) => alert({ alertname: 'P', instance: i }))

  it('is made from its alerts that are not silenced', () => {
    if (one === undefined || two === undefined || three === undefined) throw new Error('no alerts')
    expect(toSilence([silenced(one), two, three])).toEqual([two, three])
    const all = [one, two].map(silenced)
    expect(toSilence(all)).toEqual(all)
    const inhibited = { ...one, status: { ...one.status, inhibitedBy: ['x'] } }
    expect(toSilence([inhibited, two])).toEqual([inhibited, two])
  })
})

describe('what a silence covers', () => {
  const equal = (name: string, value: string) => ({ name, value, isRegex: false, isEqual: true })
  const a = equal('alertname', 'A')

  it('is nothing if a label needs two values', () => {
    const both = [a, equal('alertname', 'B')]
    expect(surprisesOf(both, undefined)).toEqual([{ kind: 'contradiction', name: 'alertname' }])
    expect(surprisesOf([a, a], undefined)).toEqual([])
    const others = [a, { ...equal('alertname', 'B'), isEqual: false }]
    expect(surprisesOf(others, undefined)).toEqual([])
  })

  it.each([
    [{ count: 0, total: 3 }, undefined, [{ kind: 'none' }]],
    [{ count: 2, total: 3 }, undefined, []],
    [{ count: 3, total: 3 }, undefined, [{ kind: 'every' }]],
    [{ count: 1, total: 1 }, undefined, []],
    [{ count: 101, total: 103 }, undefined, [{ kind: 'many', count: 101 }]],
    [{ count: 3, total: 3, unchosen: 1 }, 2, [{ kind: 'every' }, { kind: 'more', count: 1 }]],
    [
      { count: 2, total: 4, unchosen: 1 },
      2,
      [
        { kind: 'more', count: 1 },
        { kind: 'missed', count: 1 },
      ],
    ],
    [{ count: 2, total: 3, unchosen: 0 }, 2, []],
  ] as const)('%j of which %j are chosen: %j', (preview, chosen, expected) => {
    expect(surprisesOf([a], preview, chosen)).toEqual(expected)
  })
})

describe('matchers of an old link', () => {
  const equal = (name: string, value: string) => ({ name, value, isRegex: false, isEqual: true })

  it.each([
    ['node=x y', [equal('node', 'x y')]],
    ['{node=x y, a="b,c",}', [equal('node', 'x y'), equal('a', 'b,c')]],
    [' a !~ b|c ', [{ name: 'a', value: 'b|c', isRegex: true, isEqual: false }]],
    ['a="x\\"y\\n\\d"', [equal('a', 'x"y\n\\d')]],
    ['a=', [equal('a', '')]],
    ['a=b\\', [equal('a', 'b\\')]],
    ['', []],
    ['node="a"b"', undefined],
    ['a=b"c', undefined],
    ['a="b', undefined],
    ['a', undefined],
    ['ä=b', undefined],
    ['a=b,,c=d', undefined],
  ])('%j', (text, matchers) => {
    expect(readClassicMatchers(text)).toEqual(matchers)
  })
})

describe('an address', () => {
  it('has segments and parameters, as the addresses of Alertmanager', () => {
    const { segments, query } = placeOf('#/silences/new?filter=%7Ba%3D%22b%3Fc%22%7D')
    expect(segments).toEqual(['silences', 'new'])
    expect(query.get('filter')).toBe('{a="b?c"}')
    expect(placeOf('#/%zz').segments).toEqual(['%zz'])
    expect(placeOf('').segments).toEqual([])
  })

  it('is written as it is read', () => {
    const hash = hashOf(['silences', 'a/b'], { filter: '{a="b&c"}', state: '', by: undefined })
    expect(hash).toBe('#/silences/a%2Fb?filter=%7Ba%3D%22b%26c%22%7D')
    expect(placeOf(hash).segments).toEqual(['silences', 'a/b'])
  })
})

describe('durations', () => {
  it.each([
    [0, '0s'],
    [59_400, '59s'],
    [60_000, '1m'],
    [3_725_000, '1h 2m'],
    [90_000_000, '1d 1h'],
    [-5, '0s'],
  ])('of %d ms are %s', (ms, text) => {
    expect(shortDuration(ms)).toBe(text)
  })

  it.each([
    ['2h', 7_200_000],
    ['1d 12h', 129_600_000],
    ['1.5h', 5_400_000],
    ['1w', 604_800_000],
    ['', undefined],
    ['2', undefined],
    ['h', undefined],
    ['0s', undefined],
    ['999999w', undefined],
    ['1h later', undefined],
  ])('read from %j are %j ms', (text, ms) => {
    expect(readDuration(text)).toBe(ms)
  })
})

describe('completions', () => {
  const known = {
    names: ['severity', 'service name', 'team'],
    valuesOf: (name: string) => (name === 'team' ? ['db', 'web "x"'] : []),
  }
  const at = (input: string, caret = input.length) =>
    completionsAt(input, caret, known).map(
      ({ text, from, to }) => input.slice(0, from) + text + input.slice(to),
    )

  it('are names of labels, quoted where the grammar needs it', () => {
    expect(at('{se')).toEqual(['{severity=', '{"service name"='])
    expect(at('a="x,y", te')).toEqual(['a="x,y", team='])
  })

  it('are values after an operator', () => {
    expect(at('team=')).toEqual(['team="db"', 'team="web \\"x\\""'])
    expect(at('team=~"w')).toEqual(['team=~"web \\"x\\""'])
    expect(at('team="d"', 7)).toEqual(['team="db"'])
  })

  it('are none inside of a value without known ones', () => {
    expect(at('severity="c')).toEqual([])
  })
})

describe('timelineOf', () => {
  const event = (
    id: string,
    at: string,
    kind: AlertEvent['event'],
    alertname: string,
  ): AlertEvent => ({
    id,
    at,
    event: kind,
    fingerprint: id,
    labels: { alertname },
    annotations: {},
    startsAt: at,
  })

  it('joins alerts that changed together, and puts notifications among them', () => {
    const items = timelineOf(
      [
        event('4', '2026-01-01T00:01:00.000Z', 'resolved', 'A'),
        event('3', '2026-01-01T00:00:01.500Z', 'firing', 'B'),
        event('2', '2026-01-01T00:00:01.000Z', 'firing', 'A'),
      ],
      [
        {
          id: 'n',
          at: '2026-01-01T00:00:31.000Z',
          groupKey: '{}:{}',
          groupHash: 'h',
          receiver: 'ops',
          integration: 'webhook/0',
          outcome: 'failed',
          detail: '502 Bad Gateway',
          firing: [],
          resolved: [],
          firingCount: 2,
          resolvedCount: 0,
        },
        {
          id: 'q',
          at: '2026-01-01T00:00:20.000Z',
          groupKey: '{}:{}',
          groupHash: 'h',
          receiver: 'ops',
          outcome: 'silenced',
          reason: 'first notification',
          causes: [
            { id: 'x', name: 'known' },
            { id: 'y', name: '' },
          ],
          firing: [],
          resolved: [],
          firingCount: 1,
          resolvedCount: 0,
        },
      ],
      [
        {
          id: 's',
          at: '2026-01-01T00:00:10.000Z',
          event: 'expired',
          silenceId: 'x',
          matchers: [],
          startsAt: '2026-01-01T00:00:00.000Z',
          endsAt: '2026-01-01T00:00:10.000Z',
          createdBy: 'ana',
          comment: 'known',
        },
      ],
    )
    expect(items).toEqual([
      { id: '4', at: '2026-01-01T00:01:00.000Z', kind: 'resolved', count: 1, alert: 'A' },
      {
        id: 'n',
        at: '2026-01-01T00:00:31.000Z',
        kind: 'failed',
        count: 2,
        receiver: 'ops (webhook/0)',
        detail: '502 Bad Gateway',
        href: '#/notifications?open=n',
      },
      {
        id: 'q',
        at: '2026-01-01T00:00:20.000Z',
        kind: 'silenced',
        count: 1,
        receiver: 'ops',
        reason: 'first notification',
        detail: 'known, y',
        href: '#/notifications?open=q',
      },
      {
        id: 's',
        at: '2026-01-01T00:00:10.000Z',
        kind: 'silence-expired',
        count: 0,
        detail: 'ana: known',
        href: '#/silences/x',
      },
      { id: '3', at: '2026-01-01T00:00:01.500Z', kind: 'firing', count: 2 },
    ])
  })
})

describe('the way of an alert', () => {
  const route = (id: string, alerts: number, routes: readonly ListedRoute[] = []): ListedRoute => ({
    id,
    receiver: 'a',
    matchers: [],
    continue: false,
    groupBy: [],
    groupWaitMs: 0,
    groupIntervalMs: 0,
    repeatIntervalMs: 0,
    muteTimeIntervals: [],
    activeTimeIntervals: [],
    mutedBy: [],
    counts: { alerts, groups: 0 },
    routes,
  })

  it('has the routes that it takes and their parents', () => {
    const taken = ['{}/{a="b"}/1/{c="d"}/0']
    expect(isOnPath(route('{}', 0), taken)).toBe(true)
    expect(isOnPath(route('{}/{a="b"}/1', 0), taken)).toBe(true)
    expect(isOnPath(route('{}/{a="b"}/1/{c="d"}/0', 0), taken)).toBe(true)
    expect(isOnPath(route('{}/{a="b"}/10', 0), taken)).toBe(false)
    expect(isOnPath(route('{}/{a="b"}/1/{c="d"}/1', 0), taken)).toBe(false)
  })

  it('counts alerts with the routes below', () => {
    expect(alertsBelow(route('{}', 1, [route('b', 2, [route('c', 3)]), route('d', 4)]))).toBe(10)
  })

  it.each([
    ['a="b", c="d"', { a: 'b', c: 'd' }],
    ['', {}],
    ['a=~"b"', undefined],
    ['a!="b"', undefined],
    ['a', undefined],
  ])('reads the labels %j', (text, labels) => {
    expect(labelsOf(text)).toEqual(labels)
    if (labels !== undefined) expect(labelsOf(textOf(labels))).toEqual(labels)
  })
})

describe('how many alerts fired', () => {
  it('has a last peak', () => {
    const history = { from: '2026-01-01T00:00:00Z', partMs: 900_000 }
    expect(lastPeak({ ...history, peaks: [null, 0, 3, 3, 1] })).toEqual({
      alerts: 3,
      at: Date.parse('2026-01-01T00:45:00Z'),
    })
    expect(lastPeak({ ...history, peaks: [0, 0] })).toBeUndefined()
    expect(lastPeak({ ...history, peaks: [null, 3] })).toBeUndefined()
  })

  it('is drawn in steps, with gaps where it is not known', () => {
    const box = { width: 40, height: 10 }
    expect(stepsPath([1, 2, null, 2], box)).toBe(
      'M0.0 10V5.0H10.0V0.0H20.0V10ZM30.0 10V0.0H40.0V10Z',
    )
    expect(stepsPath([0, null], box)).toBe('M0.0 10V10.0H20.0V10Z')
    expect(stepsPath([], box)).toBe('')
  })
})

describe('lineBefore()', () => {
  const before = 'a\nb\nc\nd'

  it('finds where a line was before a change', () => {
    const linesOf = (after: string): readonly (number | undefined)[] =>
      after.split('\n').map((_, index) => lineBefore(before, after, index + 1))
    expect(linesOf(before)).toEqual([1, 2, 3, 4])
    expect(linesOf('a\nnew\nb\nc\nd')).toEqual([1, undefined, 2, 3, 4])
    expect(linesOf('a\nd')).toEqual([1, 4])
    expect(linesOf('a\nB\nc\nd')).toEqual([1, 2, 3, 4])
    expect(linesOf('a\nx\ny\nz\nd')).toEqual([1, undefined, undefined, undefined, 4])
    expect(linesOf('x')).toEqual([undefined])
  })
})
