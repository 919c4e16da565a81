import type { AlertsContext, AlertsOptions, Running } from '@gatehouse/core'
import { whoAmI } from '@gatehouse/core/adapter'
import {
  type AlertsConfigSource,
  closeAlerts,
  createAlerts,
  type DispatcherOptions,
  prepareNotifications,
  reloadAlertsConfig,
  startDispatcher,
  startEventRecorder,
  startHeartbeat,
  startHistory,
  startMaintenance,
} from '@gatehouse/core/alerts'
import { eventFiles } from '../log/event-files.ts'
import type { PreparedService, Service } from '../service.ts'
import { thisMachine } from '../this-machine.ts'

/** Settings of the service; `undefined` means the default. */
export type AlertsServiceSettings = {
  readonly [Key in Exclude<
    keyof AlertsOptions,
    'storage' | 'config' | 'clock' | 'ids' | 'logger' | 'metrics' | 'reload' | 'versionInfo'
  >]?: AlertsOptions[Key] | undefined
}

/** Options of {@link prepareAlerts}. */
export interface PrepareAlertsOptions {
  /** A good configuration with its template files. */
  readonly config: AlertsConfigSource
  readonly settings: AlertsServiceSettings
  /** Reads the configuration again. */
  readonly reload: () => Promise<AlertsConfigSource>
  /** How long after the start no notifications are sent, in ms (default 0). */
  readonly startDelayMs?: number
  /** Whether the event recorder runs if the configuration has one (default `true`). */
  readonly recordsEvents?: boolean
}

/** Prepares the alert service of a server that is about to start. */
export function prepareAlerts(given: PrepareAlertsOptions): PreparedService {
  const { config, settings, reload, startDelayMs = 0, recordsEvents = true } = given
  return {
    create(ports) {
      const options = { ...thisMachine, ...withoutUndefined(settings), ...ports, config, reload }
      return serviceOf(createAlerts(options), { startDelayMs }, recordsEvents)
    },
  }
}

/** The first requests come first. */
const prepareAfterMs = 250

function serviceOf(
  alerts: AlertsContext,
  dispatcher: DispatcherOptions,
  recordsEvents: boolean,
): Service {
  const { routes, fallbackRoutes, openApi } = alerts
  const { routePrefix, externalUrl } = alerts.options
  return {
    name: 'alerts',
    basePath: routePrefix,
    routes,
    fallbackRoutes,
    openApi,
    whoAmI: (caller) => whoAmI(alerts, caller),
    summary: {
      path: `${routePrefix}/api/v2/`,
      externalUrl,
      receivers: alerts.config.current.receivers.length,
    },
    start() {
      const recorder = recordsEvents ? startEventRecorder(alerts, eventFiles) : undefined
      if (recorder === undefined && alerts.config.current.event_recorder !== undefined) {
        alerts.logger.warn({}, 'event_recorder needs --enable-feature=event-recorder')
      }
      const history = startHistory(alerts)
      const parts = together([
        startMaintenance(alerts),
        startHeartbeat(alerts),
        startDispatcher(alerts, dispatcher),
      ])
      const preparing = setTimeout(() => void prepareNotifications(alerts), prepareAfterMs)
      return {
        async stop() {
          clearTimeout(preparing)
          await parts.stop()
          // Last, so that these have the last decisions of the others.
          await Promise.all([history.stop(), recorder?.stop()])
        },
      }
    },
    async drain() {
      closeAlerts(alerts)
    },
    reload: () => reloadAlertsConfig(alerts),
  }
}

/** Combines several running parts into one. */
function together(parts: readonly Running[]): Running {
  return {
    async stop() {
      await Promise.all(parts.map((part) => part.stop()))
    },
  }
}

function withoutUndefined(settings: AlertsServiceSettings): Partial<AlertsOptions> {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  // The entries are unchanged: AlertsServiceSettings differs from the options only in `undefined`.
  return Object.fromEntries(given) as Partial<AlertsOptions>
}
