import { sha256Hex } from '../crypto/crypto.ts'
import { isGatehouseError } from '../errors.ts'
import { declareMetrics, type MetricRows } from '../metrics/declare-metrics.ts'
import type { Counter, MetricsRegistry } from '../metrics/metrics.ts'
import type { Clock, Instant } from '../time/clock.ts'
import { acknowledgementAt } from './alert/acknowledgement.ts'
import { alertState } from './board/alert-status.ts'
import type { AlertBoard } from './board/board.ts'
import { registerSilenceMetrics, type SilenceMetrics } from './board/silence-metrics.ts'
import type { AlertsConfig } from './config/config.ts'
import type { MetricLabel } from './dispatch/dispatch-metrics.ts'
import { silenceState } from './silence/silence.ts'

/** The metrics that operations of the alert service update. */
export interface AlertMetrics extends SilenceMetrics {
  readonly received: Counter
  readonly invalid: Counter
  /** Alerts dropped by the limit per alertname. */
  readonly limited: Counter
  /** Records that the configuration with this text is now running. */
  configLoaded(text: string, now: Instant): void
  /** Records that a configuration was refused and the previous one still runs. */
  configRefused(): void
}

/** The parts of the service that {@link registerAlertMetrics} reads. */
export interface AlertMetricsOptions {
  metrics: MetricsRegistry
  clock: Clock
  board: AlertBoard
  config: { readonly current: AlertsConfig }
  startedAt: Instant
  perAlertnameLimit: number
  metricLabels: readonly MetricLabel[]
  version: { version: string; revision: string; branch: string; goVersion: string }
  clustered: boolean
}

/** While the storage is unavailable, the metrics show the last known values; another metric shows that it is unavailable. */
async function refreshIfPossible(board: AlertBoard): Promise<Instant | undefined> {
  try {
    return await board.refresh()
  } catch (error) {
    if (isGatehouseError(error) && error.kind === 'ServiceUnavailable') return undefined
    throw error
  }
}

const intakeRows = (metricLabels: readonly MetricLabel[]) =>
  ({
    received: {
      type: 'counter',
      name: 'alertmanager_alerts_received_total',
      help: 'Received alerts that are valid.',
      labels: ['status', 'version'],
    },
    invalid: {
      type: 'counter',
      name: 'alertmanager_alerts_invalid_total',
      help: 'Received alerts that are not valid.',
      labels: ['version'],
    },
    limited: {
      type: 'counter',
      name: 'alertmanager_alerts_limited_total',
      help: 'Alerts that were dropped because too many share their alertname.',
      labels: metricLabels.includes('alertname') ? ['alertname'] : [],
    },
  }) satisfies MetricRows

/** Registers the metrics of the alert service. @see Alertmanager's metric names */
export function registerAlertMetrics(options: AlertMetricsOptions): AlertMetrics {
  const { metrics } = options
  registerState(options)
  registerBuild(options)

  const { received, invalid, limited } = declareMetrics(metrics, intakeRows(options.metricLabels))
  received.add(0, { status: 'firing', version: 'v2' })
  received.add(0, { status: 'resolved', version: 'v2' })
  invalid.add(0, { version: 'v2' })
  return {
    received,
    invalid,
    limited,
    ...registerSilenceMetrics(options.metrics, options.board),
    ...registerConfig(options),
  }
}

const stateRows = {
  alerts: {
    type: 'gauge',
    name: 'alertmanager_alerts',
    help: 'Firing alerts by state.',
    labels: ['state'],
  },
  acknowledged: {
    type: 'gauge',
    name: 'gatehouse_alerts_acknowledged',
    help: 'Firing alerts that are acknowledged.',
  },
  silences: {
    type: 'gauge',
    name: 'alertmanager_silences',
    help: 'Silences by state.',
    labels: ['state'],
  },
  groups: {
    type: 'gauge',
    name: 'alertmanager_dispatcher_aggregation_groups',
    help: 'Existing alert groups.',
  },
  inhibitRules: {
    type: 'gauge',
    name: 'alertmanager_inhibition_rules',
    help: 'Inhibit rules of the configuration.',
  },
  receivers: {
    type: 'gauge',
    name: 'alertmanager_receivers',
    help: 'Receivers of the configuration.',
  },
  integrations: {
    type: 'gauge',
    name: 'alertmanager_integrations',
    help: 'Integrations of all receivers of the configuration.',
  },
  perAlertname: {
    type: 'gauge',
    name: 'alertmanager_alerts_per_alert_limit',
    help: 'The most alerts that may share an alertname; 0: no limit.',
  },
} satisfies MetricRows

function registerState({ metrics, clock, board, config, ...options }: AlertMetricsOptions): void {
  declareMetrics(metrics, stateRows, {
    async alerts(gauge) {
      const now = await refreshIfPossible(board)
      if (now === undefined) return
      let suppressed = 0
      for (const entry of board.alerts.all()) {
        if (alertState(board.statusOf(entry, now)) === 'suppressed') suppressed++
      }
      gauge.set(board.alerts.firingSize - suppressed, { state: 'active' })
      gauge.set(suppressed, { state: 'suppressed' })
      gauge.set(0, { state: 'unprocessed' })
    },
    async acknowledged(gauge) {
      const now = await refreshIfPossible(board)
      if (now === undefined) return
      let count = 0
      for (const { alert } of board.alerts.acknowledged()) {
        if (acknowledgementAt(alert, now) !== undefined) count++
      }
      gauge.set(count)
    },
    silences(gauge) {
      const now = clock.now()
      const counts = { active: 0, pending: 0, expired: 0 }
      for (const silence of board.silences.stored.values())
        counts[silenceState(silence.value, now)]++
      for (const [state, count] of Object.entries(counts)) gauge.set(count, { state })
    },
    groups: (gauge) => gauge.set(board.groups.sorted().length),
    inhibitRules: (gauge) => gauge.set(config.current.inhibit_rules.length),
    receivers: (gauge) => gauge.set(config.current.receivers.length),
    integrations: (gauge) =>
      gauge.set(config.current.receivers.reduce((sum, one) => sum + one.integrations.length, 0)),
    perAlertname: (gauge) => gauge.set(options.perAlertnameLimit),
  })
}

const buildRows = {
  build: {
    type: 'gauge',
    name: 'alertmanager_build_info',
    help: 'Always 1; its labels name the running build.',
    labels: ['version', 'revision', 'branch', 'goversion'],
  },
  startedAt: {
    type: 'gauge',
    name: 'process_start_time_seconds',
    help: 'When the service started.',
  },
  clustered: {
    type: 'gauge',
    name: 'alertmanager_cluster_enabled',
    help: 'Whether a cluster is reported.',
  },
} satisfies MetricRows

function registerBuild({ metrics, startedAt, version, clustered }: AlertMetricsOptions): void {
  const { version: number, revision, branch, goVersion } = version
  const info = declareMetrics(metrics, buildRows)
  info.build.set(1, { version: number, revision, branch, goversion: goVersion })
  info.startedAt.set(startedAt / 1_000)
  info.clustered.set(clustered ? 1 : 0)
}

const configRows = {
  hash: {
    type: 'gauge',
    name: 'alertmanager_config_hash',
    help: 'A number that changes with the running configuration.',
  },
  successful: {
    type: 'gauge',
    name: 'alertmanager_config_last_reload_successful',
    help: 'Whether the last configuration that was loaded was accepted.',
  },
  loadedAt: {
    type: 'gauge',
    name: 'alertmanager_config_last_reload_success_timestamp_seconds',
    help: 'When a configuration was last accepted.',
  },
} satisfies MetricRows

function registerConfig({
  metrics,
}: AlertMetricsOptions): Pick<AlertMetrics, 'configLoaded' | 'configRefused'> {
  const { hash, successful, loadedAt } = declareMetrics(metrics, configRows)
  return {
    configLoaded(text, now) {
      // 48 bits: a gauge shows them without rounding.
      hash.set(Number.parseInt(sha256Hex(text).slice(0, 12), 16))
      successful.set(1)
      loadedAt.set(now / 1_000)
    },
    configRefused() {
      successful.set(0)
    },
  }
}
