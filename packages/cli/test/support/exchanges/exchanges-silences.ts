import { call, type Exchange, type ExchangeExtras, get, post, query } from './exchange.ts'

const path = '/api/v2/silences'

interface MatcherText {
  name?: unknown
  value?: unknown
  isRegex?: unknown
  isEqual?: unknown
}

const equal = (name: string, value: string): MatcherText => ({
  name,
  value,
  isRegex: false,
  isEqual: true,
})
const regex = (name: string, value: string): MatcherText => ({
  name,
  value,
  isRegex: true,
  isEqual: true,
})
const unequal = (name: string, value: string): MatcherText => ({
  name,
  value,
  isRegex: false,
  isEqual: false,
})

/** A complete silence on an alert that does not exist, with changes. Every `end` is different, so that the order is fixed. */
function silence(end: number, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    matchers: [equal('alertname', 'Nobody')],
    startsAt: '{now-60}',
    endsAt: `{now+${end}}`,
    createdBy: 'me',
    comment: 'because',
    ...changes,
  }
}

const refused: readonly Exchange[] = [
  ['null', 'null'],
  ['an empty object', '{}'],
  ['a list', '[]'],
  ['a text', '"x"'],
  ['cut off', '{'],
  ['cut off in a text', '{"comment":"abc'],
  ['not JSON', 'comment=x'],
].map(([name, body]) => post(`a silence that is ${name}`, path, body))

const without = (key: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(silence(1000)).filter(([name]) => name !== key))

const schema: readonly Exchange[] = [
  ...['matchers', 'startsAt', 'endsAt', 'createdBy', 'comment'].flatMap((key) => [
    post(`a silence without ${key}`, path, without(key)),
    post(`a silence whose ${key} is null`, path, silence(1000, { [key]: null })),
    post(`a silence whose ${key} is a number`, path, silence(1000, { [key]: 5 })),
  ]),
  post('an id that is a number', path, silence(1000, { id: 5 })),
  post('no matchers', path, silence(1000, { matchers: [] })),
  ...(
    [
      [{}],
      [{ name: 'a' }],
      [{ name: 'a', value: 'b' }],
      [{ value: 'b', isRegex: false }],
      [{ name: 'a', isRegex: false }],
      [equal('a', 'b'), { name: 'a' }],
      [null],
      ['a=b'],
      [{ ...equal('a', 'b'), isRegex: 'no' }],
      [{ ...equal('a', 'b'), isEqual: 0 }],
      [{ ...equal('a', 'b'), value: 1 }],
      [{ ...equal('a', 'b'), name: null }],
      [{ ...equal('', 'b') }],
      [equal('a-b', 'c')],
      [equal('1a', 'c')],
      [equal('λ', 'c')],
      [equal('a', 'b'), equal('a:b', 'c')],
      [equal('a', '')],
      [regex('a', '')],
      [regex('a', '.*')],
      [regex('a', 'b*')],
      [regex('a', '(x)?')],
      [regex('a', 'x|')],
      [regex('a', '^')],
      [equal('a', ''), regex('b', '.*')],
      [regex('a', '(')],
      [regex('a', '[')],
      [regex('a', '(?=x)')],
      [regex('a', '(x)\\1')],
      [regex('a', 'a**')],
      [regex('a', 'x{1001}')],
      [equal('a', 'b'), regex('c', ')')],
    ] as const
  ).map((matchers) =>
    post(`matchers ${JSON.stringify(matchers)}`, path, silence(1000, { matchers })),
  ),
]

const times: readonly Exchange[] = [
  post('over already', path, silence(1000, { startsAt: '{now-120}', endsAt: '{now-60}' })),
  post('the end before the start', path, silence(1000, { startsAt: '{now+7200}' })),
  post(
    'the end at the start',
    path,
    silence(1000, { startsAt: '{now+7200}', endsAt: '{now+7200}' }),
  ),
  post(
    'both in the past, wrong way round',
    path,
    silence(1000, { startsAt: '{now-60}', endsAt: '{now-120}' }),
  ),
  post('the end is year one', path, silence(1000, { endsAt: '0001-01-01T00:00:00Z' })),
  post('the end is empty', path, silence(1000, { endsAt: '' })),
  post('the start is garbage', path, silence(1000, { startsAt: 'soon' })),
  post('the start is a word, the end missing', path, { ...without('endsAt'), startsAt: 'soon' }),
]

const created: readonly Exchange[] = [
  ...(
    [
      ['plain', silence(1001)],
      ['no-creator', silence(1002, { createdBy: '', comment: '' })],
      ['empty-id', silence(1003, { id: '' })],
      ['id-null', silence(1004, { id: null })],
      ['year-one', silence(1005, { startsAt: '0001-01-01T00:00:00Z' })],
      ['start-empty', silence(1006, { startsAt: '' })],
      [
        'unknown-key',
        silence(1007, {
          x: { y: [] },
          updatedAt: '2020-01-01T00:00:00Z',
          status: { state: 'expired' },
        }),
      ],
      [
        'no-is-equal',
        silence(1008, { matchers: [{ name: 'alertname', value: 'Nobody', isRegex: false }] }),
      ],
      [
        'is-equal-null',
        silence(1009, { matchers: [{ ...equal('alertname', 'Nobody'), isEqual: null }] }),
      ],
      ['empty-and-real', silence(1010, { matchers: [equal('a', ''), equal('b', 'Nobody')] })],
      ['not-empty', silence(1011, { matchers: [unequal('never', '')] })],
      [
        'unsorted',
        silence(1012, {
          matchers: [equal('z', 'Nobody'), regex('b', 'N.+'), equal('a', 'Nobody')],
        }),
      ],
      [
        'unicode',
        silence(1013, { matchers: [equal('alertname', 'Nöbody ☃')], comment: '<ü> & "q"\n\u2028' }),
      ],
      ['pending', silence(2000, { startsAt: '{now+1500}' })],
      ['pending-2', silence(1900, { startsAt: '{now+1400}' })],
      ['offset', silence(0, { endsAt: '2040-01-02T21:00:00+02:00' })],
      ['fraction', silence(0, { endsAt: '2041-01-02T21:00:00.98765Z' })],
      ['team-a', silence(1020, { matchers: [equal('team', 'a')] })],
      [
        'grid',
        silence(1021, { matchers: [regex('alertname', 'Grid-.*'), equal('severity', 'none')] }),
      ],
      ['not-team', silence(1022, { matchers: [unequal('team', 'a'), equal('severity', 'none')] })],
      ['pod', silence(1023, { matchers: [equal('alertname', 'PodDown'), equal('node', 'n1')] })],
      ['future', silence(9000, { startsAt: '{now+8000}', matchers: [equal('alertname', 'Both')] })],
    ] as const
  ).flatMap(([name, body]) => [
    post(`create ${name}`, path, body, { keepId: name }),
    get(`/api/v2/silence/{id:${name}}`, { name: `read ${name}` }),
  ]),
  post('an unknown id', path, silence(1000, { id: '22222222-2222-4222-8222-222222222222' })),
  post('an id that is not a UUID', path, silence(1000, { id: 'mine' })),
  post(
    'an unknown id and a matcher that matches all',
    path,
    silence(1000, { id: 'mine', matchers: [equal('a', '')] }),
    { difference: 'silence-checked-first' },
  ),
]

/** Posts with the id of an earlier silence; the next GET shows whether it is the same one. */
function edit(
  name: string,
  of: string,
  body: Record<string, unknown>,
  extras: ExchangeExtras = {},
): readonly Exchange[] {
  return [
    post(
      `edit: ${name}`,
      path,
      { ...body, id: `{id:${of}}` },
      { keepId: `edit ${name}`, ...extras },
    ),
    get(`/api/v2/silence/{id:${of}}`, { name: `the old one after: ${name}` }),
    get(`/api/v2/silence/{id:edit ${name}}`, { name: `the returned one after: ${name}` }),
  ]
}

const edits: readonly Exchange[] = [
  ...edit('comment', 'plain', silence(1001, { comment: 'changed', createdBy: 'you' })),
  ...edit('a later end', 'plain', silence(1101)),
  ...edit('an earlier end', 'plain', silence(1051)),
  ...edit('another value', 'plain', silence(1102, { matchers: [equal('alertname', 'Somebody')] })),
  ...edit('an expired one', 'plain', silence(1103)),
  ...edit(
    'the order of matchers',
    'unsorted',
    silence(1104, { matchers: [equal('a', 'Nobody'), regex('b', 'N.+'), equal('z', 'Nobody')] }),
  ),
  ...edit('an earlier start', 'no-creator', silence(1105, { startsAt: '{now-3600}' })),
  ...edit('a pending one, later', 'pending', silence(2100, { startsAt: '{now+1600}' })),
  ...edit('a pending one, now', 'pending', silence(2101, { startsAt: '{now-60}' })),
]

const ended: readonly Exchange[] = [
  ...['empty-id', 'pending-2', 'id-null'].flatMap((name) => [
    call('DELETE', `/api/v2/silence/{id:${name}}`, { name: `expire ${name}` }),
    get(`/api/v2/silence/{id:${name}}`, { name: `read ${name} once expired` }),
    call('DELETE', `/api/v2/silence/{id:${name}}`, { name: `expire ${name} again` }),
  ]),
  call('DELETE', '/api/v2/silence/33333333-3333-4333-8333-333333333333'),
  call('DELETE', '/api/v2/silence/nope'),
  call('DELETE', '/api/v2/silence/'),
]

const silenceFilters = [
  'alertname=Nobody',
  'alertname="Nobody"',
  'alertname!=Nobody',
  'alertname=~Nobody',
  'alertname=~"Grid-.*"',
  'team=a',
  'team!=a',
  'severity=none',
  'nope=',
  'nope=""',
  'bad',
  '(=x',
  'a=~(',
  'alertname="Nöbody ☃"',
]

const listed: readonly Exchange[] = [
  get(path, { name: 'all silences' }),
  ...silenceFilters.map((filter) => get(`${path}${query(['filter', filter])}`)),
  get(`${path}${query(['filter', 'alertname=~"Grid-.*"'], ['filter', 'severity=none'])}`),
  get(`${path}${query(['filter', 'severity=none'], ['filter', 'bad'])}`),
  get('/api/v2/alerts', { name: 'all alerts, some silenced' }),
  get('/api/v2/alerts?silenced=false'),
  get('/api/v2/alerts?silenced=true&active=false&inhibited=false'),
  get('/api/v2/alerts?active=false'),
  get('/api/v2/alerts/groups', { name: 'all groups, some silenced', settles: true }),
  get('/api/v2/alerts/groups?silenced=false', { settles: true }),
  call('DELETE', '/api/v2/silence/{id:team-a}'),
  get('/api/v2/alerts?filter=team%3Da', { name: 'team a once its silence is expired' }),
  get(path, { name: 'all silences at the end' }),
  get('/api/v2/status', { name: 'the status at the end' }),
]

/** Silences refused, created, edited, expired and listed. */
export const silenceExchanges: readonly Exchange[] = [
  ...refused,
  ...schema,
  ...times,
  ...created,
  ...edits,
  ...ended,
  ...listed,
]
