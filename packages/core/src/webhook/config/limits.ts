import { availableParallelism } from 'node:os'
import { duration, size } from '../../document/measures.ts'
import {
  type Fields,
  flag,
  integer,
  mapping,
  optional,
  type Schema,
  withDefault,
} from '../../document/schema.ts'
import type { WebhookHistory, WebhookLimits } from '../webhook.ts'
import { maxTextBytes } from './webhook-settings.ts'

/** The keys of `limits`. The default of `concurrency` depends on the machine. */
export interface WrittenLimits extends Omit<WebhookLimits, 'concurrency'> {
  readonly concurrency: number | undefined
}

/** The keys of `limits`. */
export const limitFields: Fields<WrittenLimits> = {
  max_body_bytes: withDefault(size(1, maxTextBytes), '4MiB', 'The largest body of a request.'),
  body_total_bytes: withDefault(size(1), '64MiB', 'The largest total of all bodies in memory.'),
  concurrency: optional(
    integer(1),
    'The maximum number of running commands. Default: twice the number of processors, at least 4.',
  ),
  queue: withDefault(integer(0), 5_000, 'The maximum number of waiting runs.'),
  json_depth: withDefault(integer(1, 1_000), 64, 'The maximum nesting depth of a JSON body.'),
  command_line_bytes: withDefault(
    size(1, 2 * 2 ** 20),
    131_072,
    'The maximum length of a command line, in bytes.',
  ),
}

/** Fills in the default that depends on the machine. */
export function limitsOf({ concurrency, ...others }: WrittenLimits): WebhookLimits {
  return { ...others, concurrency: concurrency ?? Math.max(4, 2 * availableParallelism()) }
}

/** How long runs are kept. */
export const history: Schema<WebhookHistory> = mapping(
  {
    max_runs: withDefault(
      integer(0),
      500,
      'The maximum number of finished runs to keep, of all webhooks together. Each keeps a share, so a busy one removes only its own.',
    ),
    max_age: withDefault(
      duration({ isAge: true, takesSeconds: true }),
      '24h',
      'How long to keep a finished run.',
    ),
    output_bytes: withDefault(size(0, maxTextBytes), '64KiB', 'How much of each output to keep.'),
    argv: withDefault(flag, false, 'Whether to keep the arguments of commands.'),
  },
  { title: 'WebhookHistory' },
)
