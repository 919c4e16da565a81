import { afterAll, beforeAll, expect, it } from 'vitest'
import { alertmanagerBinary, describeWith } from '../../../test-support/binaries.ts'
import { differences } from './support/exchanges/differences.ts'
import { alertExchanges } from './support/exchanges/exchanges-alerts.ts'
import { httpExchanges } from './support/exchanges/exchanges-http.ts'
import { queryExchanges } from './support/exchanges/exchanges-queries.ts'
import { silenceExchanges } from './support/exchanges/exchanges-silences.ts'
import { type Comparison, compareSideBySide } from './support/exchanges/side-by-side.ts'
import { type Server, startAlertmanager, startGatehouse } from './support/server.ts'

const config = `
route:
  receiver: default
  group_by: [alertname]
  group_wait: 1h
  group_interval: 1h
  repeat_interval: 12h
  routes:
  - receiver: team-a
    matchers: [ 'team="a"' ]
    group_by: [alertname, cluster]
    continue: true
  - receiver: team-b
    matchers: [ 'team=~"a|b"', 'severity!="none"' ]
    group_by: ['...']
  - receiver: legacy
    match:
      service: db
    match_re:
      tier: gold|silver
    routes:
    - receiver: dba
      matchers: [ 'severity="critical"' ]
inhibit_rules:
- source_matchers: [ 'severity="critical"' ]
  target_matchers: [ 'severity="warning"' ]
  equal: [alertname, cluster]
- source_match:
    alertname: NodeDown
  target_match_re:
    alertname: Pod.*
  equal: [node]
- source_matchers: [ 'kind=~"src|both"' ]
  target_matchers: [ 'kind=~"tgt|both"' ]
  equal: [eq]
receivers:
- name: default
- name: team-a
- name: team-b
- name: legacy
- name: dba
- name: unused.dot
`

const exchanges = [...httpExchanges, ...alertExchanges, ...queryExchanges, ...silenceExchanges]

describeWith([alertmanagerBinary], 'Gatehouse beside the real Alertmanager', () => {
  let comparison: Comparison
  const servers: Server[] = []

  beforeAll(async () => {
    const reference = await startAlertmanager({ config })
    servers.push(reference)
    // 0.25 has the grammar and the label names of the classic mode. Alertmanager allows reads by pages of all origins, Gatehouse
    // only if configured.
    const flags = ['--enable-feature=classic-mode', '--web.allowed-origin=*']
    const subject = await startGatehouse({ config, flags })
    servers.push(subject)
    comparison = await compareSideBySide(reference, subject, exchanges, differences)
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
  })

  it.each(exchanges.map((exchange) => [exchange.name, exchange] as const))('%s', (_, exchange) => {
    const mismatch = comparison.mismatches.find((found) => found.exchange === exchange)
    expect(mismatch?.actual).toEqual(mismatch?.expected)
  })

  it('every documented difference occurs in at least one response', () => {
    const unused = [...comparison.explained].filter(([, count]) => count === 0)
    expect(unused).toEqual([])
  })
})

describeWith([alertmanagerBinary], 'two real Alertmanagers', () => {
  const servers: Server[] = []
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
  })

  it('are the same, so the differences found are real', async () => {
    const reference = await startAlertmanager({ config })
    servers.push(reference)
    const subject = await startAlertmanager({ config })
    servers.push(subject)
    const { mismatches } = await compareSideBySide(reference, subject, exchanges, [])
    expect(mismatches).toEqual([])
  })
})
