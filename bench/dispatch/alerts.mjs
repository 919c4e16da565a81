// Alerts for groups of one alert each.

/** In the order in which Prometheus writes them. */
const annotations = {
  description: 'There are 7 % left of /var, which will be full in 4 hours at this rate.',
  runbook_url: 'https://runbooks.example.org/DiskAlmostFull',
  summary: 'The disk of host-00007 is almost full',
}

/**
 * @param {number} count
 * @param {string} series makes the groups of one call differ from those of another
 */
export function alertsOf(count, series) {
  const startsAt = new Date(Date.now() - 60_000).toISOString()
  const endsAt = new Date(Date.now() + 7_200_000).toISOString()
  return Array.from({ length: count }, (_, i) => ({
    labels: {
      alertname: `Alert${i % 200}`,
      cluster: `${series}-${Math.floor(i / 200)}`,
      instance: `host-${i % 1_000}.example.org:9100`,
      job: `node-${i % 12}`,
      severity: 'warning',
    },
    annotations,
    startsAt,
    endsAt,
    generatorURL: 'http://prometheus.example.org/graph?g0.expr=up+%3D%3D+0&g0.tab=1',
  }))
}
