import type { AlertsContext, AlertsOptions } from '@gatehouse/core'
import { whoAmI } from '@gatehouse/core/adapter'
import {
  type AlertsConfigSource,
  closeAlerts,
  createAlerts,
  type DispatcherOptions,
  reloadAlertsConfig,
  startAlerts,
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
    // The service knows no people, only the senders of requests.
    create({ subjectOf: _, ...ports }) {
      const options = { ...thisMachine, ...withoutUndefined(settings), ...ports, config, reload }
      return serviceOf(createAlerts(options), { startDelayMs }, recordsEvents)
    },
  }
}

function serviceOf(
  alerts: AlertsContext,
  dispatcher: DispatcherOptions,
  recordsEvents: boolean,
): Service {
  const { routes, fallbackRoutes, openApi } = alerts
  const { basePath, externalUrl } = alerts.options
  return {
    name: 'alerts',
    basePath: basePath,
    routes,
    fallbackRoutes,
    openApi,
    whoAmI: (caller) => whoAmI(alerts, caller),
    summary: {
      path: `${basePath}/api/v2/`,
      externalUrl,
      receivers: alerts.config.current.receivers.length,
    },
    start() {
      if (!recordsEvents && alerts.config.current.event_recorder !== undefined) {
        alerts.logger.warn({}, 'event_recorder needs --enable-feature=event-recorder')
      }
      return startAlerts(alerts, {
        dispatcher,
        eventRecorder: recordsEvents && eventFiles,
        // The command knows where it listens, and has warned.
        warnings: false,
      })
    },
    drain: () => closeAlerts(alerts),
    reload: () => reloadAlertsConfig(alerts),
  }
}

function withoutUndefined(settings: AlertsServiceSettings): Partial<AlertsOptions> {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  // The entries are unchanged: AlertsServiceSettings differs from the options only in `undefined`.
  return Object.fromEntries(given) as Partial<AlertsOptions>
}
