import type { Running } from '../../async/running.ts'
import {
  type Decode,
  decodeInput,
  exactly,
  filledText,
  functionLike,
  optional,
} from '../../input/decode.ts'
import { createView } from '../../storage/view.ts'
import type { Instant } from '../../time/clock.ts'
import { formatDateTime } from '../../time/date-time.ts'
import { alertCollection } from '../alert/alert.ts'
import { labelSetFromObject } from '../alert/label-set.ts'
import type { EventRecorderConfig } from '../config/event-recorder.ts'
import type { AlertsContext } from '../context.ts'
import type { AlertChange } from '../dispatch/hooks.ts'
import type { NotificationDecision } from '../dispatch/log/decision.ts'
import {
  type EventAlert,
  type EventData,
  eventAlert,
  eventGroup,
  eventKind,
  isSentResolved,
  notificationData,
  type RecordedEvent,
  silenceEventData,
  startsToFire,
} from '../event-recorder/event.ts'
import type { EventOutput } from '../event-recorder/event-output.ts'
import { createEventOutputs, type EventOutputPorts } from '../event-recorder/event-outputs.ts'
import { registerRecorderMetrics } from '../event-recorder/recorder-metrics.ts'
import { defaultHttpConfig } from '../fields/http-config.ts'
import { createEndingAlerts } from '../history/ending-alerts.ts'
import { createRepeats } from '../history/repeats.ts'
import { groupKey } from '../routing/group-key.ts'
import { groupLabels, routesFor } from '../routing/routing-tree.ts'

/** Options of {@link startEventRecorder}. */
export interface EventRecorderOptions {
  /** Appends text to a file, for `file_outputs`; rejects if some of it was not written (default: files are not written). */
  appendFile?: (path: string, text: string) => Promise<void>
  /** Writes text, for `stdout_outputs` (default: nothing is written). */
  print?: (text: string) => Promise<void>
  /** The name of this process in events (default: its name in the cluster, or `gatehouse`). */
  instance?: string
}

/** The options, given from code. */
export const eventRecorderOptions: Decode<EventRecorderOptions> = exactly<EventRecorderOptions>({
  appendFile: optional(functionLike('a function that appends to a file')),
  print: optional(functionLike('a function that writes text')),
  instance: optional(filledText),
})

/** How often it looks for alerts whose end has passed. */
const lookEveryMs = 1_000
/** An end counts as passed this long after it: another process may have moved it, which is seen within a second. */
const graceMs = 2_000
const mostEnds = 10_000
/** A suppression that lasts is recorded again after an hour. */
const repeats = { forMs: 3_600_000, maxKeys: 50_000 }

/**
 * Records events to the outputs of `event_recorder` in the configuration, until it is stopped: the start and the stop of this
 * process; alerts that fire, join a group and resolve; silences that are created or changed; alerts that a silence or an
 * inhibition suppresses; and notifications that were sent. A reload opens the outputs of the new configuration.
 *
 * It never delays or fails anything else: events wait in bounded queues, and those that an output cannot take are dropped and
 * counted. Each process records what it does; the silent end of an alert is recorded by all.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is not valid.
 * @example
 * const recorder = startEventRecorder(alerts, { print: async (text) => console.log(text) })
 * @see Alertmanager documentation, "Configuration", `event_recorder`
 */
export function startEventRecorder(
  alerts: AlertsContext,
  given: EventRecorderOptions = {},
): Running {
  const options = decodeInput('options', eventRecorderOptions, given)
  const { clock, dispatch, logger, metrics, storage, board } = alerts
  const { instance = alerts.options.cluster?.name ?? 'gatehouse' } = options
  const ports: EventOutputPorts = {
    clock,
    logger,
    send: alerts.send,
    ...(options.appendFile && { appendFile: options.appendFile }),
    ...(options.print && { print: options.print }),
  }
  let outputs: readonly EventOutput[] = []
  const closing = new Set<Promise<void>>()
  const counters = registerRecorderMetrics(metrics, () =>
    outputs.reduce((sum, { waiting }) => sum + waiting, 0),
  )
  const suppressions = createRepeats(repeats)
  let config: EventRecorderConfig | undefined
  let stopFollowing = (): void => {}

  const record = (data: EventData, at: Instant = clock.now()): void => {
    if (outputs.length === 0) return
    const event: RecordedEvent = { timestamp: formatDateTime(at), instance, data }
    const line = JSON.stringify(event)
    counters.recorded.add(1, { event_type: eventKind(data) })
    for (const output of outputs) output.add(line)
  }

  const recordAlerts = (changes: readonly AlertChange[], now: Instant): void => {
    for (const change of changes) {
      const ends = isSentResolved(change, now)
      if (!ends && !startsToFire(change, now)) continue
      const alert = eventAlert(change.fingerprint, change.after)
      if (ends) {
        record({ alertResolved: { alert } }, now)
        continue
      }
      record({ alertCreated: { alert } }, now)
      recordGroups(change, alert, now)
    }
  }

  const recordGroups = ({ after }: AlertChange, alert: EventAlert, now: Instant): void => {
    const labels = labelSetFromObject(after.labels)
    for (const route of routesFor(board.routingTree, labels)) {
      const key = groupKey(route, groupLabels(route, labels))
      const group = { receiver: route.receiver, groupKey: key }
      record({ alertGrouped: { alert, group } }, now)
    }
  }

  const recordDecision = (decision: NotificationDecision): void => {
    const { outcome, at } = decision
    if (outcome === 'sent') record(notificationData(decision), at)
    if (outcome !== 'silenced' && outcome !== 'inhibited') return
    const group = eventGroup(decision)
    for (const fingerprint of decision.firing) {
      const entry = board.alerts.get(fingerprint)
      if (entry === undefined) continue
      const { silencedBy, inhibitedBy } = board.statusOf(entry, at)
      const causes = outcome === 'silenced' ? silencedBy : inhibitedBy
      const key = `${outcome} ${fingerprint} ${group.receiver} ${group.groupKey}`
      if (!suppressions.isNews(key, causes.join(), at)) continue
      record(
        outcome === 'silenced'
          ? { silenceMutedAlert: { fingerprint, silenceIDs: causes, group } }
          : { inhibitionMutedAlert: { fingerprint, inhibitedBy: causes, group } },
        at,
      )
    }
  }

  /** Follows everything while there are outputs; otherwise the recorder costs nothing. */
  const follow = (): (() => void) => {
    const since = clock.now()
    const ending = createEndingAlerts()
    const view = createView({ storage, clock, collection: alertCollection, projection: ending })
    const look = async (): Promise<void> => {
      try {
        await view.refresh()
        if (isOver) return
        for (const [fingerprint, alert] of ending.takeEnded(clock.now() - graceMs, mostEnds)) {
          if (alert.endsAt < since) continue
          record({ alertResolved: { alert: eventAlert(fingerprint, alert) } }, alert.endsAt)
        }
      } catch {
        // The storage does not work, which others report.
      }
      if (!isOver) cancel = clock.setTimer(lookEveryMs, () => void look())
    }
    let isOver = false
    let cancel = (): void => {}
    void look()
    const stops = [
      dispatch.onAlertsChanged(recordAlerts),
      dispatch.onSilenceChanged((change, now) => record(silenceEventData(change), now)),
      dispatch.onDecision(recordDecision),
    ]
    return () => {
      isOver = true
      cancel()
      for (const stop of stops) stop()
    }
  }

  const close = (): void => {
    stopFollowing()
    stopFollowing = () => {}
    for (const output of outputs) {
      const end: Promise<void> = output.close().finally(() => closing.delete(end))
      closing.add(end)
    }
    outputs = []
  }

  const configure = (): void => {
    const { current } = alerts.config
    if (config === current.event_recorder) return
    config = current.event_recorder
    close()
    if (config === undefined) return
    const { readFile } = alerts.receiversOf(current).ports
    const http = current.global.http_config ?? defaultHttpConfig
    outputs = createEventOutputs(config, { ...ports, readFile, http }, counters)
    if (outputs.length > 0) stopFollowing = follow()
  }

  configure()
  record({ startup: { version: alerts.options.versionInfo.version } })
  const stopWaking = dispatch.onWake(configure)
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    stopWaking()
    record({ shutdown: {} })
    close()
    await Promise.all(closing)
  }
  return {
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}
