import type { AlertsClient, LabelSet, PostableAlert } from '@gatehouse/client'

/** A kind of alert of the outage. */
interface Damage {
  readonly alertname: string
  readonly severity: 'critical' | 'warning' | 'info'
  /** How many of it fire. */
  readonly count: number
  /** Minutes after the outage began until the first and until the last of it fires. */
  readonly between: readonly [first: number, last: number]
  /** The labels that only its alert of this number has. */
  labels(n: number): LabelSet
  summary(labels: LabelSet): string
}

const minute = 60_000
/** How long ago the outage began. */
const agoMs = 25 * minute
/** A storm that nobody ends goes by itself. */
const lastsMs = 120 * minute
/** So many alerts one request has: about 200 kB. */
const batch = 500

const services = [
  'checkout payment cart catalog search pricing stock shipping mailer login profile reviews',
  'recommendations invoices gateway media loyalty fraud returns notifications',
].flatMap((names) => names.split(' '))
const serviceOf = (n: number): string => services[n % services.length] ?? ''
/** Which thing of its service the nth one is. */
const turnOf = (n: number): number => Math.floor(n / services.length)
const routeOf = (n: number): string => `/v1/${serviceOf(n)}/${turnOf(n)}`
const zone = (n: number): string => `eu-1${'bbbac'[n % 5]}`
const node = (n: number): string => `node-${String(n).padStart(3, '0')}`
/** The end of a pod's name, as Kubernetes makes it: the same for the same number. */
const pod = (n: number): string =>
  `${serviceOf(n)}-${((n % 7) * 2_654_435 + 0xa1b2c3).toString(36)}-${(n * 7_919 + 60_466_176).toString(36).slice(-5)}`
const podLabels = (n: number): LabelSet => ({
  service: serviceOf(n),
  namespace: n % 9 === 0 ? 'batch' : 'shop',
  pod: pod(n),
  node: node(n % 400),
})

/** A zone loses its network: machines, pods, databases and what depends on them fail one after the other. */
const damages: readonly Damage[] = [
  {
    alertname: 'ZoneUnreachable',
    severity: 'critical',
    count: 1,
    between: [0, 0],
    labels: () => ({ zone: 'eu-1b', service: 'network' }),
    summary: () => 'No machine of zone eu-1b answers the others.',
  },
  {
    alertname: 'InstanceDown',
    severity: 'critical',
    count: 400,
    between: [1, 3],
    labels: (n) => ({ service: 'nodes', job: 'node', instance: `${node(n)}:9100`, zone: zone(n) }),
    summary: ({ instance }) => `${instance} has not answered for 2 minutes.`,
  },
  {
    alertname: 'PodNotReady',
    severity: 'warning',
    count: 2_800,
    between: [2, 12],
    labels: podLabels,
    summary: ({ pod: name }) => `${name} has not been ready for 5 minutes.`,
  },
  {
    alertname: 'PodCrashLooping',
    severity: 'warning',
    count: 2_600,
    between: [4, 20],
    labels: podLabels,
    summary: ({ pod: name }) => `${name} restarted 6 times in 10 minutes.`,
  },
  {
    alertname: 'DatabaseConnectionsExhausted',
    severity: 'critical',
    count: 240,
    between: [3, 9],
    labels: (n) => ({ service: serviceOf(n), database: `${serviceOf(n)}-db-${turnOf(n)}` }),
    summary: ({ database }) => `${database} refuses connections: all 400 are in use.`,
  },
  {
    alertname: 'ReplicationLag',
    severity: 'warning',
    count: 359,
    between: [3, 15],
    labels: (n) => ({
      service: serviceOf(n),
      database: `${serviceOf(n)}-db`,
      replica: `${turnOf(n)}`,
    }),
    summary: ({ database, replica }) => `Replica ${replica} of ${database} is 4 minutes behind.`,
  },
  {
    alertname: 'HighErrorRate',
    severity: 'critical',
    count: 1_200,
    between: [5, 22],
    labels: (n) => ({ service: serviceOf(n), route: routeOf(n), zone: zone(n) }),
    summary: ({ route }) => `More than 5 % of the requests to ${route} fail.`,
  },
  {
    alertname: 'HighLatency',
    severity: 'warning',
    count: 1_400,
    between: [5, 24],
    labels: (n) => ({ service: serviceOf(n), route: routeOf(n), zone: zone(n) }),
    summary: ({ route }) => `Half of the requests to ${route} take longer than 2 s.`,
  },
  {
    alertname: 'QueueGrows',
    severity: 'warning',
    count: 500,
    between: [8, 24],
    labels: (n) => ({ service: serviceOf(n), queue: `${serviceOf(n)}.${turnOf(n)}` }),
    summary: ({ queue }) => `${queue} takes in more than it gives away.`,
  },
  {
    alertname: 'JobFailed',
    severity: 'info',
    count: 500,
    between: [10, 25],
    labels: (n) => ({ service: serviceOf(n), job: `${serviceOf(n)}-nightly-${turnOf(n)}` }),
    summary: ({ job }) => `${job} failed, and is tried again.`,
  },
]

/** The 10,000 alerts of an outage that began a while ago, in the order in which they fired. */
export function stormAt(now: number): readonly (PostableAlert & { readonly startsAt: string })[] {
  return damages.flatMap(({ alertname, severity, count, between: [first, last], ...damage }) =>
    Array.from({ length: count }, (_, n) => {
      const labels = damage.labels(n)
      const after = (first + ((last - first) * n) / count) * minute
      return {
        labels: { alertname, severity, cluster: 'storm', ...labels },
        annotations: {
          summary: damage.summary(labels),
          runbook: `https://runbooks.example.com/${alertname}`,
        },
        startsAt: new Date(now - agoMs + after).toISOString(),
      }
    }),
  )
}

/** Options of {@link sendStorm}. */
export interface StormOptions {
  readonly now: number
  /** Ends the alerts instead. */
  readonly resolve: boolean
  /** Hears how many alerts the server has taken. */
  onProgress(sent: number, all: number): void
}

/** Sends the alerts of {@link stormAt}, or their ends, in several requests. Returns how many there were. */
export async function sendStorm(
  server: AlertsClient,
  { now, resolve, onProgress }: StormOptions,
): Promise<number> {
  const endsAt = new Date(resolve ? now : now + lastsMs).toISOString()
  const alerts = stormAt(now).map((alert) => ({ ...alert, endsAt }))
  for (let at = 0; at < alerts.length; at += batch) {
    const part = alerts.slice(at, at + batch)
    await server.alerts.post(part)
    onProgress(at + part.length, alerts.length)
  }
  return alerts.length
}
