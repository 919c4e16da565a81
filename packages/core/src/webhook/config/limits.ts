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
import { largestText } from './webhook-settings.ts'

/** The keys of `limits`, of which one has a default that depends on the machine. */
export interface WrittenLimits extends Omit<WebhookLimits, 'concurrency'> {
  readonly concurrency: number | undefined
}

/** The keys of `limits`. */
export const limitFields: Fields<WrittenLimits> = {
  body_bytes: withDefault(size(1, largestText), '4MiB', 'The largest body of a request.'),
  body_total_bytes: withDefault(
    size(1),
    '64MiB',
    'How large all bodies that are held at once may be together.',
  ),
  concurrency: optional(
    integer(1),
    'How many runs there are at once. Default: twice the number of processors, at least 4.',
  ),
  queue: withDefault(integer(0), 1_000, 'How many runs wait at most.'),
  json_depth: withDefault(integer(1, 1_000), 64, 'How deep a JSON body may be nested.'),
  command_line_bytes: withDefault(
    size(1, 2 * 2 ** 20),
    131_072,
    'How long a command line may be, in bytes.',
  ),
}

/** Fills in what depends on the machine. */
export function limitsOf({ concurrency, ...others }: WrittenLimits): WebhookLimits {
  return { ...others, concurrency: concurrency ?? Math.max(4, 2 * availableParallelism()) }
}

/** What is kept of runs. */
export const history: Schema<WebhookHistory> = mapping(
  {
    max_runs: withDefault(integer(0), 500, 'How many runs are kept.'),
    max_age: withDefault(duration({ isAge: true }), '24h', 'How long a run is kept.'),
    output_bytes: withDefault(size(0, largestText), '64KiB', 'How much of each output is kept.'),
    argv: withDefault(flag, false, 'Whether the arguments of commands are kept.'),
  },
  { title: 'WebhookHistory' },
)
