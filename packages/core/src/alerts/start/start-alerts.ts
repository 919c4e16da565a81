import { type Running, stopAll, stoppedOnce } from '../../async/running.ts'
import { isLoopbackHost } from '../../http/loopback.ts'
import { parseUrl } from '../../http/parse-url.ts'
import { decodeInput, exactly, flag, optional, partOf } from '../../input/decode.ts'
import type { AlertsContext } from '../context.ts'
import { prepareNotifications } from '../notifications/prepare-notifications.ts'
import { closeAlerts } from './close-alerts.ts'
import { type DispatcherOptions, dispatcherOptions, startDispatcher } from './start-dispatcher.ts'
import {
  type EventRecorderOptions,
  eventRecorderOptions,
  startEventRecorder,
} from './start-event-recorder.ts'
import { startHeartbeat } from './start-heartbeat.ts'
import { startHistory } from './start-history.ts'
import { startMaintenance } from './start-maintenance.ts'

/** Options of {@link startAlerts}: `false` leaves a part out. */
export interface StartAlertsOptions {
  /** Sends notifications: {@link startDispatcher}, with its options (default `true`). */
  readonly dispatcher?: boolean | DispatcherOptions
  /** Removes what is over, and creates the silences of recurring ones: {@link startMaintenance} (default `true`). */
  readonly maintenance?: boolean
  /** Keeps the history: {@link startHistory} (default `true`). */
  readonly history?: boolean
  /** Joins the cluster of the option `cluster`: {@link startHeartbeat} (default `true`). */
  readonly heartbeat?: boolean
  /** Records events if the configuration has `event_recorder`: {@link startEventRecorder}, with its options (default `true`). */
  readonly eventRecorder?: boolean | EventRecorderOptions
  /** Warns if any client in the network may post and silence alerts, as without the option `authorize` (default `true`). */
  readonly warnings?: boolean
}

const decodeOptions = exactly<StartAlertsOptions>({
  dispatcher: optional(partOf(dispatcherOptions)),
  maintenance: optional(flag),
  history: optional(flag),
  heartbeat: optional(flag),
  eventRecorder: optional(partOf(eventRecorderOptions)),
  warnings: optional(flag),
})

/** The first requests come first. */
const prepareAfterMs = 250

/**
 * Starts everything of the service that runs on its own: notifications, maintenance, history, the heartbeat in a cluster, and the
 * event recorder. Start it in every process that serves requests.
 *
 * `stop()` ends the streams of changes, so that a server can close, and waits for notifications that are being sent and for the
 * history of what they did.
 *
 * @throws {GatehouseError} `InvalidInput`
 * @example
 * const running = startAlerts(alerts)
 * process.once('SIGTERM', () => running.stop())
 */
export function startAlerts(alerts: AlertsContext, options: StartAlertsOptions = {}): Running {
  const given = decodeInput('options', decodeOptions, options)
  const { dispatcher = true, maintenance = true, history = true, heartbeat = true } = given
  const { eventRecorder = true, warnings = true } = given
  if (warnings) warnIfOpen(alerts)
  // These follow what the others do, so they start first and stop last.
  const witnesses = [
    ...(eventRecorder === false ? [] : [startEventRecorder(alerts, optionsOf(eventRecorder))]),
    ...(history ? [startHistory(alerts)] : []),
  ]
  const workers = [
    ...(maintenance ? [startMaintenance(alerts)] : []),
    ...(heartbeat ? [startHeartbeat(alerts)] : []),
    ...(dispatcher === false ? [] : [startDispatcher(alerts, optionsOf(dispatcher))]),
  ]
  const cancelPreparing =
    dispatcher === false
      ? () => {}
      : alerts.clock.setTimer(prepareAfterMs, () => void prepareNotifications(alerts))
  return stoppedOnce(async () => {
    cancelPreparing()
    await closeAlerts(alerts)
    try {
      await stopAll(...workers)
    } finally {
      await stopAll(...witnesses)
    }
  })
}

/** Where the server listens is unknown here: what counts is the URL that people use, or else who sends requests. */
function warnIfOpen({ access, exposure, logger, options }: AlertsContext): void {
  if (access !== undefined) return
  const warn = (): void =>
    logger.warn(
      {},
      'any client that can reach this server may post alerts and silence them: set the option authorize of createAlerts (to () => true if your program checks requests before the routes), or listen on 127.0.0.1',
    )
  if (isLoopbackHost(parseUrl(options.externalUrl)?.hostname ?? '')) exposure.warn = warn
  else warn()
}

const optionsOf = <T extends object>(part: true | T): T | undefined =>
  part === true ? undefined : part
