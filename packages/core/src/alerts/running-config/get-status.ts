import { type ClusterStatus, clusterDisabled } from '../cluster/peer.ts'
import { redactedSource } from '../config/config.ts'
import type { AlertsContext, VersionInfo } from '../context.ts'

/** The state of this instance. @see Alertmanager API v2, `alertmanagerStatus` */
export interface AlertsStatus {
  cluster: ClusterStatus
  versionInfo: VersionInfo
  /** The running configuration as YAML, secrets hidden. */
  config: { readonly original: string }
  /** When the service started: an instant, not a duration. */
  uptime: string
}

/**
 * Returns the state of this instance: cluster, version, running configuration, start time.
 *
 * @throws {GatehouseError} `StorageUnavailable` if there is a cluster and its peers cannot be read.
 * @see Alertmanager API v2, `GET /status`
 */
export async function getStatus(alerts: AlertsContext): Promise<AlertsStatus> {
  return statusIn(alerts, await getClusterStatus(alerts))
}

/** The cluster as this process sees it: the same object until something changes. */
export async function getClusterStatus({ peers }: AlertsContext): Promise<ClusterStatus> {
  return peers === undefined ? clusterDisabled : peers.refresh()
}

/** The running configuration as people may see it. */
export function shownConfig({ options, config: { current } }: AlertsContext): string {
  return options.statusConfig === 'source' ? redactedSource(current) : current.original
}

/** The state of this instance, with this state of its cluster. */
export function statusIn(alerts: AlertsContext, cluster: ClusterStatus): AlertsStatus {
  return {
    cluster,
    config: { original: shownConfig(alerts) },
    uptime: new Date(alerts.startedAt).toISOString(),
    versionInfo: alerts.options.versionInfo,
  }
}
