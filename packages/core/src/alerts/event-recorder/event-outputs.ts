import type { HttpConfig } from '../../http-client/http-config.ts'
import type { SendRequest } from '../../http-client/send-request.ts'
import type { Logger } from '../../logger.ts'
import type { Clock } from '../../time/clock.ts'
import type { EventRecorderConfig } from '../config/event-recorder.ts'
import type { EventOutput, EventOutputReport } from './event-output.ts'
import { createLineOutput } from './line-output.ts'
import type { RecorderMetrics } from './recorder-metrics.ts'
import { createWebhookOutput } from './webhook-output.ts'

/** The ports of outputs. An output whose port is missing is not opened. */
export interface EventOutputPorts {
  readonly clock: Clock
  readonly logger: Logger
  readonly send: SendRequest
  readonly appendFile?: (path: string, text: string) => Promise<void>
  readonly print?: (text: string) => Promise<void>
}

/** The ports of {@link createEventOutputs}. */
export interface EventOutputSurroundings extends EventOutputPorts {
  readonly readFile: (path: string) => Promise<string>
  /** How webhooks without an `http_config` send requests. */
  readonly http: HttpConfig
}

/** Opens the outputs of a configuration. Logs those that cannot be opened. */
export function createEventOutputs(
  config: EventRecorderConfig,
  ports: EventOutputSurroundings,
  metrics: RecorderMetrics,
): readonly EventOutput[] {
  const { clock, logger, appendFile, print } = ports
  const refuse = (output: string, why: string): void =>
    logger.warn({ output, why }, 'an output of the event recorder is not used')
  const outputs: EventOutput[] = []
  for (const [index, { path }] of config.file_outputs.entries()) {
    const output = `file/${index}`
    if (appendFile === undefined) refuse(output, 'the option appendFile is not set')
    else outputs.push(createLineOutput((text) => appendFile(path, text), reportOf(output), clock))
  }
  for (const [index, webhook] of config.webhook_outputs.entries()) {
    const settings = { ...webhook, http_config: webhook.http_config ?? ports.http }
    outputs.push(createWebhookOutput(settings, ports, reportOf(`webhook/${index}`)))
  }
  for (const index of config.stdout_outputs.keys()) {
    const output = `stdout/${index}`
    if (print === undefined) refuse(output, 'the option print is not set')
    else outputs.push(createLineOutput(print, reportOf(output), clock))
  }
  for (const index of config.kafka_outputs.keys()) {
    refuse(`kafka/${index}`, 'events are not sent to Kafka')
  }
  return outputs

  function reportOf(output: string): EventOutputReport {
    let isFailing = false
    metrics.outputDrops.add(0, { output })
    metrics.bytes.add(0, { output })
    return {
      dropped(events) {
        metrics.dropped.add(events)
        metrics.outputDrops.add(events, { output })
      },
      written: (bytes) => metrics.bytes.add(bytes, { output }),
      failed(detail) {
        if (!isFailing) logger.warn({ output, error: detail }, 'events are lost')
        isFailing = true
      },
      worked() {
        if (isFailing) logger.info({ output }, 'events are written again')
        isFailing = false
      },
    }
  }
}
