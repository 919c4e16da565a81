// The alerts, silences and configuration for every server under test.

/** Five routes and two inhibit rules. No group is due during the benchmark, so nothing is sent and only the API is measured. */
export const config = `
route:
  receiver: operations
  group_by: [alertname, cluster]
  group_wait: 2h
  group_interval: 2h
  repeat_interval: 12h
  routes:
  - receiver: database
    matchers: [ 'team="database"' ]
    routes:
    - receiver: pager
      matchers: [ 'severity="critical"' ]
  - receiver: network
    matchers: [ 'team=~"network|edge"' ]
  - receiver: platform
    matchers: [ 'service=~"svc-[0-4][0-9]"', 'severity!="info"' ]
    group_by: [alertname, cluster, namespace]
  - receiver: audit
    matchers: [ 'severity=~"warning|critical"', 'cluster="cluster-1"' ]
inhibit_rules:
- source_matchers: [ 'severity="critical"' ]
  target_matchers: [ 'severity="warning"' ]
  equal: [alertname, cluster]
- source_matchers: [ 'alertname="ClusterUnreachable"' ]
  target_matchers: [ 'severity="info"' ]
  equal: [cluster]
receivers:
- name: operations
- name: database
- name: pager
- name: network
- name: platform
- name: audit
`

const teams = ['database', 'network', 'edge', 'storage', 'compute']

/** @param {number} i @param {number} width */
const padded = (i, width) => String(i).padStart(width, '0')

/** One alert in ten is critical, six are warnings, three are informative. @param {number} i */
function severityOf(i) {
  const tenth = Math.floor(i / 200) % 10
  if (tenth === 0) return 'critical'
  return tenth < 7 ? 'warning' : 'info'
}

/**
 * The labels of the i-th of `count` alerts. Ten alerts share an `instance`, one in a hundred has a
 * given `service`, 200 names in 8 clusters make the groups.
 *
 * @param {number} i
 * @param {number} count
 */
function labelsOf(i, count) {
  const service = `svc-${padded((i * 37) % 100, 2)}`
  return {
    alertname: i % 2_000 === 0 ? 'ClusterUnreachable' : `Alert${padded(i % 200, 3)}`,
    cluster: `cluster-${Math.floor(i / 200) % 8}`,
    instance: `host-${padded(i % Math.ceil(count / 10), 5)}.example.org:9100`,
    job: `node-${i % 12}`,
    namespace: `namespace-${i % 25}`,
    pod: `${service}-7f9c6d5b48-${i.toString(36)}`,
    service,
    severity: severityOf(i),
    team: teams[i % teams.length],
  }
}

/**
 * @param {number} count
 * @param {(labels: ReturnType<typeof labelsOf>) => boolean} predicate
 * @returns {number} how many of `count` alerts have such labels
 */
export function countOf(count, predicate) {
  let found = 0
  for (let i = 0; i < count; i++) if (predicate(labelsOf(i, count))) found++
  return found
}

/**
 * The bodies that post `count` alerts, a hundred in each, the way Prometheus sends them.
 *
 * @param {number} count
 * @param {{ startsAt: number, endsAt?: number }} times
 * @returns {Buffer[]}
 */
export function alertBatches(count, times) {
  const startsAt = new Date(times.startsAt).toISOString()
  const endsAt = times.endsAt === undefined ? undefined : new Date(times.endsAt).toISOString()
  const batches = []
  for (let first = 0; first < count; first += 100) {
    const alerts = []
    for (let i = first; i < Math.min(first + 100, count); i++) {
      const labels = labelsOf(i, count)
      alerts.push({
        labels,
        annotations: {
          summary: `${labels.alertname} on ${labels.instance}`,
          description: `The value of ${labels.job} is ${i % 97} and has been above its threshold for 10 minutes.`,
          runbook_url: `https://runbooks.example.org/${labels.alertname}`,
        },
        startsAt,
        endsAt,
        generatorURL: `http://prometheus.example.org/graph?g0.expr=up%7Bjob%3D%22${labels.job}%22%7D+%3D%3D+0&g0.tab=1`,
      })
    }
    batches.push(Buffer.from(JSON.stringify(alerts)))
  }
  return batches
}

/**
 * The same alerts five times, already resolved, so that no answer shows them: they make the benchmark measure a server that has
 * run for a while, not one that has just started.
 */
export function warmUpBatches() {
  const hoursAgo = (/** @type {number} */ hours) => Date.now() - hours * 3_600_000
  return [6, 5, 4, 3, 2].flatMap((hours) =>
    alertBatches(2_000, { startsAt: hoursAgo(9), endsAt: hoursAgo(hours) }).map((batch) =>
      Buffer.from(batch.toString('utf8').replaceAll('"cluster-', '"retired-')),
    ),
  )
}

/**
 * The bodies of `count` silences. One in ten matches existing alerts; one in three has a regular expression.
 *
 * @param {number} count
 * @param {string} series makes the silences of one call differ from those of another
 * @returns {Buffer[]}
 */
export function silenceBodies(count, series) {
  const startsAt = new Date(Date.now() - 1_000).toISOString()
  const endsAt = new Date(Date.now() + 7_200_000).toISOString()
  return Array.from({ length: count }, (_, i) => {
    const matchers =
      i % 10 === 0
        ? [
            { name: 'alertname', value: `Alert${padded((i / 10) % 200, 3)}`, isRegex: false },
            { name: 'cluster', value: `cluster-${(i / 10) % 8}`, isRegex: false },
          ]
        : [
            { name: 'alertname', value: `Alert${padded(i % 200, 3)}`, isRegex: false },
            i % 3 === 0
              ? { name: 'instance', value: `(gone|lost)-${series}-${i}\\..+`, isRegex: true }
              : { name: 'instance', value: `gone-${series}-${i}.example.org:9100`, isRegex: false },
          ]
    const silence = { matchers, startsAt, endsAt, createdBy: 'bench', comment: `maintenance ${i}` }
    return Buffer.from(JSON.stringify(silence))
  })
}
