import { duration } from '../../document/measures.ts'
import {
  type Checking,
  filledListOf,
  integer,
  isMapping,
  mapping,
  oneOf,
  optional,
  parsed,
  parsedText,
  required,
  type Schema,
  withDefault,
} from '../../document/schema.ts'
import type { Json } from '../../storage/storage.ts'
import { isTimeZone } from '../../time/zoned-time.ts'
import { nextTime } from '../next-time.ts'
import { maxDepth } from '../records/due-run.ts'
import type { After, Retries, Schedule } from '../webhook.ts'

/** The most starts after the first one. */
const maxRetries = 100

/** When to start the command of a failed run again. */
export const retries: Schema<Retries> = mapping<Retries>(
  {
    count: required(integer(1, maxRetries), 'The most starts after the first one, up to 100.'),
    delay: withDefault(
      duration({ least: 1, takesSeconds: true }),
      '10s',
      'The wait before the second start. It doubles each time.',
    ),
    max_delay: withDefault(
      duration({ least: 1, takesSeconds: true }),
      '5m',
      'The longest wait between two starts.',
    ),
    exit_codes: optional(
      filledListOf(integer(1, 255)),
      'Only after these exit codes. Default: after every failure of the command, its timeout too.',
    ),
  },
  { title: 'WebhookRetries' },
)

/** Longer ones are mistakes. */
const maxCronLength = 200
/** A time that never comes is found by searching years of days. */
const anyInstant = Date.UTC(2024, 0, 1)

const cron: Schema<string> = parsedText((written, report) => {
  const problem =
    'must be five fields such as `0 3 * * *`: minute, hour, day, month and day of the week'
  if (written.length > maxCronLength) return report('bad_cron', problem)
  try {
    const first = nextTime({ cron: written, time_zone: 'UTC' }, anyInstant)
    return first === undefined ? report('bad_cron', 'never comes') : written
  } catch {
    return report('bad_cron', problem)
  }
})

const timeZone: Schema<string> = parsedText((written, report) =>
  isTimeZone(written)
    ? written
    : report('bad_time_zone', 'must be the name of a time zone, such as Europe/Berlin'),
)

const freeData = { type: 'object', additionalProperties: {} } as const

/** Data of runs, as the data of a request. */
const data = parsed<Readonly<Record<string, Json>>>(freeData, (given, report) => {
  if (!isMapping(given)) return report('wrong_type', 'must be a mapping')
  if (Object.hasOwn(given, 'schedule')) {
    return report('conflict', 'has the member schedule, which has the time of the run')
  }
  return JSON.parse(JSON.stringify(given))
})

/** When a webhook runs without a delivery. */
export const schedule: Schema<Schedule> = mapping<Schedule>(
  {
    cron: required(cron, 'Five fields: minute, hour, day, month and day of the week.'),
    time_zone: withDefault(timeZone, 'UTC', 'The time zone of the fields.'),
    data: optional(data, 'The data of each run, which sources read like those of a request.'),
  },
  { title: 'WebhookSchedule' },
)

/** After which runs a webhook runs. */
export const after: Schema<After> = mapping<After>(
  {
    webhook: required(
      parsedText((id) => id),
      'The id of the other webhook.',
    ),
    on: withDefault(
      oneOf('success', 'failure', 'always'),
      'success',
      'After which of its runs. A canceled or superseded run is neither a success nor a failure.',
    ),
  },
  { title: 'WebhookAfter' },
)

/** The parts of a document that say what runs after what. */
interface ChainParts {
  readonly defaults: { readonly after: After | undefined }
  readonly webhooks: readonly { readonly id: string; readonly after?: After | undefined }[]
}

/**
 * What runs after another webhook must have a beginning, and not be too far from it.
 *
 * @param isWhole whether the webhook before may not be elsewhere.
 */
export function checkChains(
  { value, report }: Pick<Checking<ChainParts>, 'value' | 'report'>,
  isWhole = true,
): void {
  const { webhooks = [], defaults = {} } = value
  /** The webhook before each one. */
  const before = new Map<string, string | undefined>()
  for (const webhook of webhooks) {
    const { webhook: first } = webhook?.after ?? defaults.after ?? {}
    if (webhook?.id !== undefined) before.set(webhook.id, first)
  }
  for (const [index, webhook] of webhooks.entries()) {
    const id = webhook?.id
    const first = id === undefined ? undefined : before.get(id)
    if (first === undefined) continue
    const at = ['webhooks', index, 'after', 'webhook']
    if (!before.has(first)) {
      if (isWhole) report(at, 'conflict', 'no webhook has this id')
      continue
    }
    let one: string | undefined = first
    const seen = new Set<string>()
    // What leads to a circle is right once the circle is gone.
    while (one !== undefined && one !== id && !seen.has(one) && seen.size <= maxDepth) {
      seen.add(one)
      one = before.get(one)
    }
    if (one === id) report(at, 'conflict', 'the webhook would run after itself')
    else if (seen.size > maxDepth) {
      report(at, 'conflict', `at most ${maxDepth} webhooks may run after each other`)
    }
  }
}
