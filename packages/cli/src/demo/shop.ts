import type { AlertsClient, LabelSet, PostableAlert } from '@gatehouse/client'

/** An alert of the shop: it fires for a part of each period. */
interface Trouble {
  readonly labels: LabelSet
  readonly summary: string
  /** In minutes. */
  readonly every: number
  readonly lasts: number
  readonly after: number
}

const minute = 60_000

const troubles: readonly Trouble[] = [
  trouble(
    'Watchdog',
    'none',
    'prometheus',
    'This alert always fires: the way to you works.',
    [1, 1],
  ),
  trouble(
    'CheckoutSlow',
    'warning',
    'checkout',
    'Half of the orders take longer than 2 s.',
    [6, 3],
  ),
  trouble('PaymentErrors', 'critical', 'payment', '7 % of the payments fail.', [11, 4, 2]),
  trouble('QueueGrows', 'warning', 'mailer', '1,200 confirmations wait to be sent.', [9, 5, 1]),
  trouble('DiskFull', 'critical', 'db', 'The disk of db-1 is full in two hours.', [17, 8, 3]),
  trouble('DiskFull', 'warning', 'db', 'The disk of db-1 is 85 % full.', [17, 12, 1]),
  trouble('ReplicationLag', 'warning', 'db', 'db-2 is 40 s behind db-1.', [13, 4, 6]),
  trouble(
    'CertificateExpires',
    'info',
    'web',
    'The certificate of shop.example ends in 12 days.',
    [60, 55],
  ),
  trouble(
    'DeployFailed',
    'warning',
    'ci',
    'The last deployment to staging failed.',
    [15, 6, 4],
    'staging',
  ),
  trouble(
    'PodRestarts',
    'info',
    'search',
    'A pod of the search restarted 5 times.',
    [8, 2, 5],
    'staging',
  ),
]

function trouble(
  alertname: string,
  severity: string,
  service: string,
  summary: string,
  [every, lasts, after = 0]: readonly [every: number, lasts: number, after?: number],
  cluster = 'production',
): Trouble {
  return { labels: { alertname, severity, service, cluster }, summary, every, lasts, after }
}

/** The alerts that fire in the shop at an instant, with their starts. */
export function firingAt(now: number): readonly (PostableAlert & { readonly startsAt: string })[] {
  return troubles.flatMap(({ labels, summary, every, lasts, after }) => {
    const into = (now - after * minute) % (every * minute)
    if (into >= lasts * minute) return []
    const startsAt = new Date(every === lasts ? now - (now % (24 * 60 * minute)) : now - into)
    return [
      {
        labels,
        annotations: { summary, runbook: `https://runbooks.example.com/${labels.alertname}` },
        startsAt: startsAt.toISOString(),
      },
    ]
  })
}

/** Longer than the time between two rounds: alerts of a demo that was ended resolve by themselves. */
const lifeMs = 2 * minute

/** Sends the alerts of now, and the end of those that fired at the last round. */
export async function feed(server: AlertsClient, now: number, before: number): Promise<void> {
  const firing = firingAt(now)
  const names = new Set(firing.map(({ labels }) => JSON.stringify(labels)))
  const ended = firingAt(before).filter(({ labels }) => !names.has(JSON.stringify(labels)))
  const until = (ms: number): string => new Date(ms).toISOString()
  await server.alerts.post([
    ...firing.map((alert) => ({ ...alert, endsAt: until(now + lifeMs) })),
    ...ended.map((alert) => ({ ...alert, endsAt: until(now) })),
  ])
}

const comment = 'staging is being moved'

/** Silences the staging cluster, unless that was done before. */
export async function silenceStaging(server: AlertsClient, now: number): Promise<void> {
  const known = await server.silences.list({ filter: ['cluster="staging"'] })
  if (known.some((silence) => silence.comment === comment)) return
  await server.silences.create({
    matchers: [{ name: 'cluster', value: 'staging', isRegex: false }],
    startsAt: new Date(now).toISOString(),
    endsAt: new Date(now + 8 * 60 * minute).toISOString(),
    createdBy: 'maya',
    comment,
  })
}
