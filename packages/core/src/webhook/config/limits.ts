import { availableParallelism } from 'node:os'
import { flag, integer } from '../../document/values.ts'
import type { WebhookHistory, WebhookLimits } from '../webhook.ts'
import { mappingOf } from './fields.ts'
import { duration, size } from './measures.ts'
import type { Decode } from './place.ts'
import { largestText } from './webhook-settings.ts'

const socketTimeout = duration({ least: 1 })

const written = mappingOf<WebhookLimits>({
  body_bytes: size(1, largestText),
  body_total_bytes: size(1),
  concurrency: integer(1),
  queue: integer(0),
  header_timeout: socketTimeout,
  request_timeout: socketTimeout,
  keepalive_timeout: socketTimeout,
  max_connections: integer(1),
  json_depth: integer(1, 1_000),
  command_line_bytes: size(1, 2 * 2 ** 20),
})

/** What bounds the service where a configuration does not say it. */
export function defaultLimits(): WebhookLimits {
  return {
    body_bytes: 4 * 2 ** 20,
    body_total_bytes: 64 * 2 ** 20,
    concurrency: Math.max(4, 2 * availableParallelism()),
    queue: 1_000,
    header_timeout: 10_000,
    request_timeout: 30_000,
    keepalive_timeout: 5_000,
    max_connections: 1_024,
    json_depth: 64,
    command_line_bytes: 131_072,
  }
}

/** What bounds the service. */
export const limits: Decode<WebhookLimits> = (place) => ({ ...defaultLimits(), ...written(place) })

const writtenHistory = mappingOf<WebhookHistory>({
  max_runs: integer(0),
  max_age: duration({ isAge: true }),
  output_bytes: size(0, largestText),
  argv: flag,
})

/** What is kept of runs where a configuration does not say it. */
export const defaultHistory: WebhookHistory = {
  max_runs: 500,
  max_age: 86_400_000,
  output_bytes: 64 * 2 ** 10,
  argv: false,
}

/** What is kept of runs. */
export const history: Decode<WebhookHistory> = (place) => ({
  ...defaultHistory,
  ...writtenHistory(place),
})
