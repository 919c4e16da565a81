import type { Running } from '../../async/running.ts'
import {
  type Decode,
  decodeInput,
  exactly,
  filledText,
  functionLike,
  optional,
} from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import { formatDateTime } from '../../time/date-time.ts'
import type { EventRecorderConfig } from '../config/event-recorder.ts'
import type { AlertsContext } from '../context.ts'
import { type EventData, eventKind, type RecordedEvent } from '../event-recorder/event.ts'
import type { EventOutput } from '../event-recorder/event-output.ts'
import { createEventOutputs, type EventOutputPorts } from '../event-recorder/event-outputs.ts'
import { registerRecorderMetrics } from '../event-recorder/recorder-metrics.ts'
import { defaultHttpConfig } from '../fields/http-config.ts'
import { createRepeats } from '../history/repeats.ts'
import { followEvents } from './follow-events.ts'

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
  const { clock, dispatch, logger, metrics } = alerts
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
    // Without outputs the recorder costs nothing.
    if (outputs.length > 0) stopFollowing = followEvents(alerts, { record, suppressions })
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
