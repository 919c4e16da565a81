import { expect, it } from 'vitest'
import type { StoredAlert } from '../alert/alert.ts'
import { parseMatchers } from '../matcher/matcher-syntax.ts'
import { buildRoutingTree } from '../routing/routing-tree.ts'
import { alertEventData, eventKind, suppressionData } from './event.ts'

const route = {
  continue: false,
  mute_time_intervals: [],
  active_time_intervals: [],
  matchers: parseMatchers('', 'fallback'),
}
const tree = buildRoutingTree({
  ...route,
  receiver: 'root',
  routes: [
    { ...route, receiver: 'one', continue: true, routes: [] },
    { ...route, receiver: 'two', routes: [] },
  ],
})
const now = 1_000
const firing = endingAt(now + 1)
const ended = endingAt(now)

function endingAt(endsAt: number): StoredAlert {
  return { labels: { alertname: 'A' }, annotations: {}, startsAt: 0, endsAt, updatedAt: 0 }
}

const started = ['alertCreated', 'alertGrouped one', 'alertGrouped two']
it.each<[string, StoredAlert | undefined, StoredAlert, string[]]>([
  ['a new alert', undefined, firing, started],
  ['an alert that fires again', ended, firing, started],
  ['a firing alert that is posted again', firing, endingAt(now + 9), []],
  ['an alert that is sent as resolved', firing, ended, ['alertResolved']],
  ['an alert that is new and resolved', undefined, ended, []],
  ['a resolved alert that is posted again', ended, ended, []],
])('the events of %s', (_, before, after, events) => {
  const data = alertEventData({ fingerprint: 'f', before, after }, { tree, now })
  const shown = data.map((one) =>
    'alertGrouped' in one ? `alertGrouped ${one.alertGrouped.group.receiver}` : eventKind(one),
  )
  expect(shown).toEqual(events)
})

it('a suppression is an event of its outcome, with its causes', () => {
  const group = { receiver: 'one', groupKey: '{}:{}' }
  const about = { fingerprint: 'f', causes: ['c'], group }
  expect(suppressionData({ ...about, outcome: 'silenced' })).toEqual({
    silenceMutedAlert: { fingerprint: 'f', silenceIDs: ['c'], group },
  })
  expect(suppressionData({ ...about, outcome: 'inhibited' })).toEqual({
    inhibitionMutedAlert: { fingerprint: 'f', inhibitedBy: ['c'], group },
  })
})
