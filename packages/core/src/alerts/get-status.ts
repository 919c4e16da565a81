import { redactedSource } from './config.ts'
import type { AlertsContext, VersionInfo } from './context.ts'

/** The state of this instance. @see Alertmanager API v2, `alertmanagerStatus` */
export interface AlertsStatus {
  cluster: {
    name?: string
    status: 'ready' | 'settling' | 'disabled'
    peers: readonly { readonly name: string; readonly address: string }[]
  }
  versionInfo: VersionInfo
  /** The running configuration as YAML, secrets hidden. */
  config: { readonly original: string }
  /** When the service started: an instant, not a length of time. */
  uptime: string
}

/**
 * The state of this instance: cluster, version, running configuration, start.
 *
 * @see Alertmanager API v2, `GET /status`
 */
export async function getStatus(alerts: AlertsContext): Promise<AlertsStatus> {
  const { cluster, versionInfo, statusConfig } = alerts.options
  const config = alerts.config.current
  return {
    cluster:
      cluster === undefined
        ? { peers: [], status: 'disabled' }
        : { name: cluster.name, peers: [{ ...cluster }], status: 'ready' },
    config: { original: statusConfig === 'source' ? redactedSource(config) : config.original },
    uptime: new Date(alerts.startedAt).toISOString(),
    versionInfo,
  }
}
