import { createRandom } from '../../../../../test-support/random.ts'
import { type Exchange, get, query } from './exchange.ts'

const filters: readonly string[] = [
  'alertname=Both',
  'alertname="Both"',
  "alertname='Both'",
  'alertname = "Both"',
  ' alertname="Both" ',
  'alertname!="Both"',
  'alertname=~"B.*"',
  'alertname=~B.*',
  'alertname!~"B.*|G.*"',
  'alertname=~"both"',
  'alertname=~"(?i)both"',
  'alertname=~""',
  'alertname=""',
  'alertname!=""',
  'alertname!~""',
  'nope=""',
  'nope!=""',
  'nope=~""',
  'nope!~""',
  'nope=~".*"',
  'nope!~".+"',
  'team=a',
  'team=~a|b',
  'team=~"a|b"',
  'team!~"a|b"',
  'team=~"^a$"',
  'team=~"[ab]"',
  'team=~"[^a]"',
  'team="A"',
  'severity=~"crit.+"',
  'severity=~"crit"',
  'instance=~"h.:\\\\d+"',
  'instance=~"h.:\\d+"',
  'instance=~"\\\\w+:9100"',
  'alertname="Ünïcødé ☃"',
  'alertname=~"\\\\pL+ ."',
  'path="C:\\\\dir\\\\x"',
  'path=C:\\dir\\x',
  'quote="say \\"hi\\""',
  'quote=say "hi"',
  'lines="one\\ntwo"',
  'lines=~"one.two"',
  'lines=~"(?s)one.two"',
  'lines=~"one\\\\ntwo"',
  'emoji="😀"',
  'emoji=~"."',
  'value="  padded  "',
  'value=  padded  ',
  'comma="a,b"',
  'comma=a,b',
  'braces="{x}"',
  'braces={x}',
  'equals="a=b"',
  'equals=a=b',
  'equals==b',
  '{alertname="Both"}',
  'alertname="Both"}',
  '{alertname="Both"',
  'alertname="Both",team="a"',
  'alertname',
  '=x',
  '',
  ' ',
  '"alertname"="Both"',
  'alertname="Both',
  'alertname=Both"',
  'alertname="Bo"th"',
  'alertname==Both',
  'alertname=~',
  'alertname!',
  'alertname!Both',
  'alertname<>x',
  '1a=b',
  'a-b=c',
  'a:b=c',
  ':a=b',
  'λ=x',
  'alertname=~"("',
  'alertname=~")"',
  'alertname=~"["',
  'alertname=~"a**"',
  'alertname=~"*"',
  'alertname=~"(?=x)"',
  'alertname=~"(x)\\\\1"',
  'alertname=~"x{1001}"',
  'alertname=~"x{2,1}"',
  'alertname=~"[b-a]"',
  'alertname=~"\\\\"',
  'alertname=~"\\\\Z"',
  'alertname=~"(?P<n>B)oth"',
  'alertname=~"(?P<n"',
  'alertname=~"(?P<1>x)"',
  'alertname=~"(?z)x"',
  'alertname=~"\\\\p{Nope}"',
  'alertname=~"[[:alpha:]]+"',
  'alertname=~"[[:nope:]]"',
  'alertname=~"\\\\QBoth\\\\E"',
  'alertname=~"\\\\x42oth"',
  'alertname=~"\\\\x{42}oth"',
  'alertname=~"(?U)B.*"',
  'alertname=~"B(?i:OTH)"',
  'alertname=~"\\\\bBoth\\\\b"',
  'alertname=~"Both\\\\z"',
  'alertname=~"\\\\ABoth"',
  'alertname=~"(|Both)"',
  'alertname=~"Bo{1}th{1,}"',
  'alertname=~"Both|"',
]

const receivers: readonly string[] = [
  'team-a',
  'team',
  'team-.*',
  'team-a|team-b',
  '^team-a$',
  '',
  '.*',
  'nope',
  'unused.dot',
  'unused\\.dot',
  '(',
  '[',
  'TEAM-A',
  '(?i)TEAM-A',
  'd.{6}',
]

const booleans: readonly string[] = [
  'true',
  'false',
  '1',
  '0',
  'yes',
  'no',
  'on',
  'off',
  'T',
  'y',
  'selected',
  'checked',
  'enabled',
  'ok',
  'TRUE',
  'bogus',
  '2',
  '',
  ' true',
]

function filtered(): readonly Exchange[] {
  return filters.map((filter) =>
    get(`/api/v2/alerts${query(['filter', filter])}`, { name: `filter ${filter}` }),
  )
}

function byBooleans(): readonly Exchange[] {
  const names = ['active', 'silenced', 'inhibited', 'unprocessed']
  return [
    ...booleans.map((value) => get(`/api/v2/alerts${query(['inhibited', value])}`)),
    ...names.flatMap((name) => [
      get(`/api/v2/alerts?${name}=false`),
      get(`/api/v2/alerts/groups?${name}=false`, { settles: true }),
    ]),
    get('/api/v2/alerts?active=false&silenced=false&inhibited=false'),
    get('/api/v2/alerts?active=true&active=false'),
    get('/api/v2/alerts?active'),
    get('/api/v2/alerts?ACTIVE=false'),
    get('/api/v2/alerts?limit=1&page=2'),
  ]
}

/** Filters, receivers and switches combined at random, the same ones in every run. */
function mixed(count: number): readonly Exchange[] {
  const random = createRandom(20)
  const names = [
    'alertname',
    'team',
    'severity',
    'cluster',
    'instance',
    'kind',
    'tier',
    'nope',
    'job',
  ]
  const values = [
    'a',
    'b',
    'c',
    '',
    'critical',
    'warning',
    'one',
    'Both',
    'Grid-none',
    'Legacy',
    'gold',
    'h1',
    'kubelet',
    'x',
  ]
  const patterns = [
    '.*',
    '.+',
    'a|b',
    'Grid-.*',
    '[a-c]?',
    '(critical|warning)',
    'h.*',
    '.{3}',
    '[A-Z][a-z]+',
    'gold|silver|',
  ]
  return Array.from({ length: count }, () => {
    const pairs: (readonly [string, string])[] = []
    const filterCount = 1 + Math.floor(random.next() * 3)
    for (let i = 0; i < filterCount; i++) {
      const operator = random.pick(['=', '!=', '=~', '!~'])
      const value = random.pick(operator.endsWith('~') ? patterns : values)
      const blank = random.pick(['', '', ' '])
      const quote = random.pick(['', '"'])
      pairs.push([
        'filter',
        `${random.pick(names)}${blank}${operator}${blank}${quote}${value}${quote}`,
      ])
    }
    if (random.next() < 0.3) pairs.push(['receiver', random.pick(receivers)])
    if (random.next() < 0.3)
      pairs.push([random.pick(['active', 'silenced', 'inhibited']), random.pick(['true', 'false'])])
    const groups = random.next() < 0.4
    return get(`/api/v2/alerts${groups ? '/groups' : ''}${query(...pairs)}`, { settles: groups })
  })
}

/** Queries about the alerts of `exchanges-alerts.ts`. */
export const queryExchanges: readonly Exchange[] = [
  ...filtered(),
  ...receivers.map((receiver) => get(`/api/v2/alerts${query(['receiver', receiver])}`)),
  ...receivers.map((receiver) =>
    get(`/api/v2/alerts/groups${query(['receiver', receiver])}`, { settles: true }),
  ),
  get('/api/v2/alerts?receiver=team-a&receiver=team-b'),
  get('/api/v2/alerts?receiver=(&filter=bad'),
  get('/api/v2/alerts/groups?receiver=(&filter=bad'),
  get('/api/v2/alerts?filter=team%3Da&filter=severity%3Dnone'),
  get('/api/v2/alerts?filter=team+%3D+a'),
  get('/api/v2/alerts?filter=team%3Da;filter=severity%3Dnone', { difference: 'query-decoding' }),
  get('/api/v2/alerts?filter=%zz', { difference: 'query-decoding' }),
  get('/api/v2/alerts?filter=team%3D%FF', { difference: 'query-decoding' }),
  ...byBooleans(),
  ...mixed(80),
]
