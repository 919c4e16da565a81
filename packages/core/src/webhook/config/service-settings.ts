import { parseBasePath } from '../../document/base-path.ts'
import { secretText } from '../../document/outside-text.ts'
import {
  type Checking,
  type Fields,
  flag,
  listOf,
  mapping,
  optional,
  parsedText,
  required,
  type Schema,
  withDefault,
} from '../../document/schema.ts'
import type { LoadedWebhooksConfig } from '../webhook.ts'
import { history, limitFields, type WrittenLimits } from './limits.ts'
import {
  executor,
  type WebhookSettings,
  type WrittenWebhook,
  webhookDefaults,
  writtenWebhook,
} from './webhook-settings.ts'

/** The whole document as written. */
export interface WrittenService
  extends Pick<
    LoadedWebhooksConfig,
    'base_path' | 'hash_endpoint' | 'hide_ids' | 'executor' | 'history' | 'log' | 'metrics'
  > {
  readonly webhooks: readonly WrittenWebhook[]
  readonly defaults: Partial<WebhookSettings>
  readonly admin: { readonly token: string } | undefined
  readonly limits: WrittenLimits
}

/** Settings of a program in the same file. */
export interface OwnSettings<Own extends object, Limits extends object, Log extends object> {
  readonly fields: Fields<Own>
  /** More keys of `limits`. */
  readonly limits: Fields<Limits>
  /** More keys of `log`. */
  readonly log: Fields<Log>
  /** A rule across the keys. */
  readonly check?: (
    checking: Checking<Own & { readonly limits: Limits; readonly log: Log }>,
  ) => void
}

const basePath: Schema<string> = parsedText(
  (written, report) =>
    parseBasePath(written) ?? report('bad_path', 'must be a path such as /hooks'),
)

const logFields: Fields<LoadedWebhooksConfig['log']> = {
  run_output: withDefault(flag, false, 'Whether to log each line that a command writes.'),
}

/** The keys of the document, including those of a program. */
export function serviceFields<Limits extends object, Log extends object>(
  own: Pick<OwnSettings<object, Limits, Log>, 'limits' | 'log'>,
): Fields<WrittenService & { readonly limits: Limits; readonly log: Log }> {
  return {
    webhooks: withDefault(listOf(writtenWebhook), [], 'The webhooks.'),
    defaults: withDefault(
      webhookDefaults,
      {},
      'Defaults for the optional keys of every webhook, which can override them.',
    ),
    base_path: withDefault(
      basePath,
      '',
      'Where the paths of webhooks begin, such as `/hooks`. A change needs a restart. Default: at the root.',
    ),
    hash_endpoint: withDefault(flag, true, 'Whether `POST /hash` is served.'),
    hide_ids: withDefault(
      flag,
      false,
      'Whether an unknown id gets the same answer as a wrong token.',
    ),
    admin: optional(
      mapping(
        { token: required(secretText, 'Gives access to every run and to the list of runs.') },
        { title: 'WebhooksAdmin' },
      ),
      'Access to all runs, to see and end them. Default: none.',
    ),
    limits: withDefault(
      mapping<WrittenLimits & Limits>(
        // The type of a spread of generic fields.
        { ...limitFields, ...own.limits } as Fields<WrittenLimits & Limits>,
        { title: 'WebhooksLimits' },
      ),
      {},
      'Limits of the whole service.',
    ),
    history: withDefault(history, {}, 'What to keep of finished runs.'),
    executor: withDefault(executor, 'auto', 'The kind of process that starts commands.'),
    metrics: withDefault(flag, false, 'Whether `GET /metrics` is served.'),
    log: withDefault(
      mapping<LoadedWebhooksConfig['log'] & Log>(
        // As above.
        { ...logFields, ...own.log } as Fields<LoadedWebhooksConfig['log'] & Log>,
        { title: 'WebhooksLog' },
      ),
      {},
      'What to log.',
    ),
  }
}
