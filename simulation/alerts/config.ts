/** A configuration as the model sees it. */
export interface SimulatedConfig {
  readonly text: string
  /** The integrations by `alertname`: receiver and key in the notification log. */
  readonly routes: Readonly<Record<string, readonly (readonly [receiver: string, key: string])[]>>
}

/** The receiver that gets no notifications of resolved alerts. */
export const quiet = 'quiet'

const text = (groupInterval: string, receiverOfA: string): string => `
route:
  receiver: team
  group_by: [alertname]
  group_wait: 5s
  group_interval: ${groupInterval}
  repeat_interval: 4h
  routes:
  - receiver: ${receiverOfA}
    matchers: [alertname="A"]
  - receiver: ${quiet}
    matchers: [alertname="B"]
    continue: true
  - receiver: pair
    matchers: [alertname=~"B|C"]
receivers:
- name: team
- name: audit
- name: pair
- name: ${quiet}
  webhook_configs: [{ url: 'http://quiet.test', send_resolved: false }]
`

const pair = [
  ['pair', 'code:x/0'],
  ['pair', 'code:y/1'],
] as const

const routesWith = (receiverOfA: string): SimulatedConfig['routes'] => ({
  A: [[receiverOfA, 'code:x/0']],
  B: [[quiet, 'code:x/0'], ...pair],
  C: pair,
})

/** The configurations that a reload switches between. A run starts with the first. */
export const configs: readonly [SimulatedConfig, ...SimulatedConfig[]] = [
  { text: text('20s', 'team'), routes: routesWith('team') },
  { text: text('30s', 'team'), routes: routesWith('team') },
  { text: text('20s', 'audit'), routes: routesWith('audit') },
]
