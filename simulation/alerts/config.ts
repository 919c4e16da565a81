/** A configuration as the model sees it. */
export interface SimulatedConfig {
  /** Whether notifications have a rate limit, so that a flush may hold what it would send. */
  readonly isLimited: boolean
  readonly text: string
  /** The integrations by `alertname`: receiver and key in the notification log. */
  readonly routes: Readonly<Record<string, readonly (readonly [receiver: string, key: string])[]>>
}

/** The receiver that gets no notifications of resolved alerts. */
export const quiet = 'quiet'

const text = (groupInterval: string, receiverOfA: string, limit: string): string => `
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
${limit}
- name: audit
- name: pair
${limit}
- name: ${quiet}
${limit}
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

const limit = '  rate_limit: { notifications: 1, per: 25s }'

/** The configurations that a reload switches between. A run starts with the first. */
export const configsOf = (isLimited: boolean): readonly [SimulatedConfig, ...SimulatedConfig[]] => {
  const withLimit = (groupInterval: string, receiverOfA: string): SimulatedConfig => ({
    text: text(groupInterval, receiverOfA, isLimited ? limit : ''),
    isLimited,
    routes: routesWith(receiverOfA),
  })
  return [withLimit('20s', 'team'), withLimit('30s', 'team'), withLimit('20s', 'audit')]
}
