import { createRandom } from '../../../../../test-support/random.ts'
import { type Exchange, get, post, query } from './exchange.ts'

const path = '/api/v2/alerts'
const later = '{now+7200}'
const earlier = '{now-3600}'

/** A body that is invalid, or looks so; the label keeps the stored alerts apart. */
const oddBodies: readonly (readonly [string, string])[] = [
  ['nothing but a blank', ' '],
  ['null', 'null'],
  ['an empty list', '[]'],
  ['an object', '{}'],
  ['a text', '"x"'],
  ['a number', '5'],
  ['a boolean', 'true'],
  ['a list cut off', '['],
  ['an object cut off', '[{'],
  ['a text cut off', '[{"labels":{"alertname":"cut'],
  ['a stray comma', '[{"labels":{"alertname":"odd1"}},]'],
  ['single quotes', "[{'labels':{}}]"],
  ['a bare word', '[{"labels":{"alertname":odd2}}]'],
  ['a missing colon', '[{"labels" {"alertname":"odd3"}}]'],
  ['a raw newline in a text', '[{"labels":{"alertname":"od\nd4"}}]'],
  ['a bad escape', '[{"labels":{"alertname":"od\\xd5"}}]'],
  ['a number with a leading zero', '[01]'],
  ['a misspelled literal', '[nul]'],
  ['a byte order mark', '\uFEFF[]'],
  ['text after the value', '[{"labels":{"alertname":"behind"}}] and more'],
  ['an item that is null', '[null]'],
  ['an item that is a number', '[5]'],
  ['an item that is a list', '[[]]'],
  ['an item without labels', '[{}]'],
  ['labels that are null', '[{"labels":null}]'],
  ['labels that are a list', '[{"labels":["a"]}]'],
  ['labels that are a text', '[{"labels":"a"}]'],
  ['no labels', '[{"labels":{}}]'],
  ['only an empty label', '[{"labels":{"a":""}}]'],
  ['a number as a label', '[{"labels":{"n":5}}]'],
  ['a boolean as a label', '[{"labels":{"n":true}}]'],
  ['an object as a label', '[{"labels":{"n":{}}}]'],
  ['null as a label', '[{"labels":{"alertname":"nulled","n":null},"endsAt":"{now+7200}"}]'],
  ['a label twice', '[{"labels":{"alertname":"first","alertname":"twice"},"endsAt":"{now+7200}"}]'],
  ['keys in capitals', '[{"LABELS":{"alertname":"capitals"},"EndsAt":"{now+7200}"}]'],
  ['an unknown key', '[{"labels":{"alertname":"unknownKey"},"x":[{}],"endsAt":"{now+7200}"}]'],
  ['an escaped key', '[{"\\u006cabels":{"alertname":"escapedKey"},"endsAt":"{now+7200}"}]'],
  ['a lone surrogate', '[{"labels":{"alertname":"lone\\ud800"},"endsAt":"{now+7200}"}]'],
  ['an empty label name', '[{"labels":{"":"x"}}]'],
  ['a name with a dash', '[{"labels":{"a-b":"x"}}]'],
  ['a name with a digit first', '[{"labels":{"1a":"x"}}]'],
  ['a name with a colon', '[{"labels":{"a:b":"x"}}]'],
  ['a name in Greek', '[{"labels":{"λ":"x"}}]'],
  ['an annotation name with a blank', '[{"labels":{"a":"x"},"annotations":{"b c":"d"}}]'],
  ['an annotation that is a number', '[{"labels":{"a":"x"},"annotations":{"b":1}}]'],
  ['annotations that are a list', '[{"labels":{"a":"x"},"annotations":[]}]'],
  [
    'one good and two bad',
    '[{"labels":{"alertname":"good"},"endsAt":"{now+7200}"},{"labels":{"":"y"}},{"labels":{}}]',
  ],
  ['a schema failure after a good one', '[{"labels":{"alertname":"unseen"}},{}]'],
  ['two schema failures', '[{"generatorURL":"no url"},{}]'],
  [
    'the same alert twice',
    `[{"labels":{"alertname":"pair"},"endsAt":"${later}"},{"labels":{"alertname":"pair"},"annotations":{"n":"2"},"endsAt":"${later}"}]`,
  ],
  [
    '__proto__ and constructor',
    `[{"labels":{"__proto__":"p","constructor":"c","alertname":"names"},"annotations":{"__proto__":"q"},"endsAt":"${later}"}]`,
  ],
]

const generatorUrls = [
  '',
  '/rel',
  'mailto:x',
  'javascript:alert(1)',
  'http://x/?q=<&>',
  'foo:bar',
  'not a url',
  'foo',
  'http://[::1',
  'http://x:port/',
  '//host/path',
  'http://',
  '#fragment',
  '?q',
  'HTTP://UPPER/',
  'http://x/%zz',
  ' http://x/',
  'http://ü/',
].map((url, i) =>
  post(`generatorURL ${JSON.stringify(url)}`, path, [
    { labels: { alertname: `url${i}` }, generatorURL: url, startsAt: earlier, endsAt: later },
  ]),
)

/** Every form of a start time; the next GET shows the accepted ones. */
const startTimes = [
  '2020-01-02T03:04:05Z',
  '2020-01-02T03:04:05.6Z',
  '2020-01-02T03:04:05.123456789Z',
  '2020-01-02T03:04:05.1239Z',
  '2020-01-02T03:04:05+02:00',
  '2020-01-02T03:04:05.5-11:30',
  '2020-01-02T03:04:05.123+0200',
  '2020-01-02T03:04:05.123456+0200',
  '2020-01-02T03:04:05+0200',
  '2020-01-02T03:04:05',
  '2020-01-02T03:04:05.25',
  '2020-01-02T03:04Z',
  '2020-01-02T03:04',
  '2020-01-02 03:04:05',
  '',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59Z',
  '2020-01-02T03:04:05,75Z',
  '2020-01-02t03:04:05Z',
  '2020-01-02T03:04:05z',
  '2020-01-02T24:00:00Z',
  '2020-02-30T00:00:00Z',
  '2020-13-01T00:00:00Z',
  ' 2020-01-02T03:04:05Z',
  '2020-01-02T03:04:05Z ',
  '2020-01-02T03:04:60Z',
  '20200102T030405Z',
  '1577934245',
  'now',
  '2020-1-2T03:04:05Z',
  '2020-02-29T00:00:00Z',
  '2019-02-29T00:00:00Z',
  '+2020-01-02T03:04:05Z',
].map((startsAt, i) =>
  post(`startsAt ${JSON.stringify(startsAt)}`, path, [
    { labels: { alertname: `start${String(i).padStart(2, '0')}` }, startsAt, endsAt: later },
  ]),
)

const otherTimes: readonly Exchange[] = [
  post('startsAt is a number', path, '[{"labels":{"a":"x"},"startsAt":5}]'),
  post('startsAt is null', path, [
    { labels: { alertname: 'startNull' }, startsAt: null, endsAt: later },
  ]),
  post('neither time', path, [{ labels: { alertname: 'neither' } }]),
  post('only a start', path, [{ labels: { alertname: 'onlyStart' }, startsAt: '{now-60}' }]),
  post('only an end', path, [{ labels: { alertname: 'onlyEnd' }, endsAt: later }]),
  post('a start in the future', path, [{ labels: { alertname: 'future' }, startsAt: later }]),
  post('both in the future', path, [
    { labels: { alertname: 'ahead' }, startsAt: later, endsAt: '{now+9000}' },
  ]),
  post('the end before the start', path, [
    { labels: { alertname: 'x' }, startsAt: later, endsAt: earlier },
  ]),
  post('the end at the start', path, [
    { labels: { alertname: 'x' }, startsAt: later, endsAt: later },
  ]),
  post('over already', path, [
    { labels: { alertname: 'over' }, startsAt: earlier, endsAt: '{now-60}' },
  ]),
  post('the end is empty', path, [
    { labels: { alertname: 'endEmpty' }, startsAt: earlier, endsAt: '' },
  ]),
  post(
    'both are dates, over already',
    path,
    [{ labels: { alertname: 'dates' }, startsAt: '2020-01-01', endsAt: '2020-01-02' }],
    { difference: 'bare-dates' },
  ),
]

/** Posts of one alert, one after the other, and the alert after each: the merge rules. */
const merges: readonly Exchange[] = [
  [earlier, later, 'a'],
  [earlier, '{now+9000}', 'b'],
  [earlier, '{now+8000}', 'c'],
  ['{now-1800}', '{now+8000}', 'd'],
  ['{now-1800}', '{now+10000}', 'e'],
  ['{now-7200}', '{now-1800}', 'f'],
  ['{now-5400}', '{now+12000}', 'g'],
  [undefined, undefined, 'h'],
  [undefined, later, 'i'],
  [earlier, '{now-60}', 'j'],
  ['{now-60}', later, 'k'],
  ['{now-7200}', '{now+20000}', 'l'],
].flatMap(([startsAt, endsAt, note]) => [
  post(`merge ${note}`, path, [
    { labels: { alertname: 'merged' }, annotations: { note }, startsAt, endsAt },
  ]),
  get(`${path}${query(['filter', 'alertname="merged"'])}`, { name: `after merge ${note}` }),
])

/** Valid alerts cut off at random places, for every parser error. */
function truncated(): readonly Exchange[] {
  const random = createRandom(7)
  const whole = JSON.stringify([
    {
      labels: { alertname: 'cut', n: 'é\n' },
      annotations: { a: 'b' },
      startsAt: earlier,
      generatorURL: 'http://x/',
    },
  ])
  return Array.from({ length: 12 }, () => {
    const at = 1 + Math.floor(random.next() * (whole.length - 2))
    return post(`cut off after ${at} characters`, path, whole.slice(0, at))
  })
}

/** The alerts that the queries select from: teams, severities, inhibited alerts, odd texts. */
function population(): readonly object[] {
  const of = (
    labels: Record<string, string>,
    annotations: Record<string, string> = {},
  ): object => ({
    labels,
    annotations,
    startsAt: earlier,
    endsAt: later,
  })
  const teams = ['a', 'b', 'c', '']
  const severities = ['critical', 'warning', 'none']
  const grid = teams.flatMap((team) =>
    severities.map((severity) =>
      of({
        alertname: `Grid-${severity}`,
        team,
        severity,
        cluster: `c-${team}`,
        instance: `h${team}:9100`,
      }),
    ),
  )
  return [
    ...grid,
    of({ alertname: 'Inhibiting', severity: 'critical', cluster: 'one' }, { summary: 'a source' }),
    of({ alertname: 'Inhibiting', severity: 'warning', cluster: 'one', instance: 'h1' }),
    of({ alertname: 'Inhibiting', severity: 'warning', cluster: 'one', instance: 'h2' }),
    of({ alertname: 'Inhibiting', severity: 'warning', cluster: 'two', instance: 'h3' }),
    of({ alertname: 'NodeDown', node: 'n1' }),
    of({ alertname: 'PodDown', node: 'n1', job: 'kubelet' }),
    of({ alertname: 'PodDown', node: 'n2', job: 'kubelet' }),
    of({ alertname: 'Both', kind: 'both', eq: 'x', n: '1' }),
    of({ alertname: 'Both', kind: 'both', eq: 'x', n: '2' }),
    of({ alertname: 'Legacy', service: 'db', tier: 'gold', severity: 'critical' }),
    of({ alertname: 'Legacy', service: 'db', tier: 'silver', severity: 'page' }),
    of({ alertname: 'Legacy', service: 'db', tier: 'bronze' }),
    of(
      {
        alertname: 'Ünïcødé ☃',
        path: 'C:\\dir\\x',
        quote: 'say "hi"',
        lines: 'one\ntwo',
        emoji: '😀',
      },
      { summary: '<b>&</b>\u2028' },
    ),
    of(
      { alertname: 'Spaces', value: '  padded  ', comma: 'a,b', braces: '{x}', equals: 'a=b' },
      { empty: '' },
    ),
    of({ alertname: 'Empty', cluster: '', team: '' }),
  ]
}

/** Alerts posted in every way, and the lists afterwards. */
export const alertExchanges: readonly Exchange[] = [
  ...oddBodies.map(([name, body]) => post(name, path, body)),
  ...truncated(),
  ...generatorUrls,
  ...startTimes,
  ...otherTimes,
  get(path, { name: 'all alerts after the odd posts', settles: true }),
  ...merges,
  post('the population', path, population()),
  get(path, { name: 'all alerts', settles: true }),
  get('/api/v2/alerts/groups', { name: 'all groups', settles: true }),
]
