import { declareMetrics, type MetricRows } from '../../metrics/declare-metrics.ts'
import type { MetricsRegistry } from '../../metrics/metrics.ts'

/** Counts the peers that join and leave. */
export interface PeerMetrics {
  /** Records how many peers joined and left. */
  changed(joined: number, left: number): void
}

/** Options of {@link registerPeerMetrics}. */
export interface PeerMetricsOptions {
  metrics: MetricsRegistry
  /** The name of this process. */
  name: string
  /** Returns the number of live peers without reading the storage. */
  countMembers: () => number
}

const rows = {
  members: {
    type: 'gauge',
    name: 'alertmanager_cluster_members',
    help: 'Members of the cluster, this one included.',
  },
  peer: {
    type: 'gauge',
    name: 'alertmanager_cluster_peer_info',
    help: 'Always 1; its label is the name of this peer.',
    labels: ['peer'],
  },
  joined: {
    type: 'counter',
    name: 'alertmanager_cluster_peers_joined_total',
    help: 'Peers that have joined the cluster, this one included.',
  },
  left: {
    type: 'counter',
    name: 'alertmanager_cluster_peers_left_total',
    help: 'Peers that have left the cluster or stopped renewing their heartbeat.',
  },
} satisfies MetricRows

/**
 * Registers Alertmanager's cluster metrics that make sense without gossip.
 *
 * @see Alertmanager's metric names
 */
export function registerPeerMetrics(options: PeerMetricsOptions): PeerMetrics {
  const { metrics, name, countMembers } = options
  const { peer, joined, left } = declareMetrics(metrics, rows, {
    members: (gauge) => gauge.set(countMembers()),
  })
  peer.set(1, { peer: name })
  return {
    changed(cameBy, wentBy) {
      joined.add(cameBy)
      left.add(wentBy)
    },
  }
}
