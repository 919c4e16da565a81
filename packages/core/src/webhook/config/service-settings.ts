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
import { addressRanges } from './addresses.ts'
import { history, limitFields, type WrittenLimits } from './limits.ts'
import {
  executor,
  type WebhookSettings,
  type WrittenWebhook,
  webhookDefaults,
  writtenWebhook,
} from './webhook-settings.ts'

/** The whole document as it is written. */
export interface WrittenService
  extends Pick<
    LoadedWebhooksConfig,
    | 'url_prefix'
    | 'hash_endpoint'
    | 'hide_ids'
    | 'executor'
    | 'trusted_proxies'
    | 'history'
    | 'log'
    | 'metrics'
  > {
  readonly webhooks: readonly WrittenWebhook[]
  readonly defaults: Partial<WebhookSettings>
  readonly admin: { readonly token: string } | undefined
  readonly limits: WrittenLimits
}

/** Settings of a program that it keeps in the same file. */
export interface OwnSettings<Own extends object, Limits extends object, Log extends object> {
  readonly fields: Fields<Own>
  /** More keys of `limits`. */
  readonly limits: Fields<Limits>
  /** More keys of `log`. */
  readonly log: Fields<Log>
  /** A rule over its keys. */
  readonly check?: (
    checking: Checking<Own & { readonly limits: Limits; readonly log: Log }>,
  ) => void
}

/** Only characters that stand for themselves in a path and in a pattern of paths. */
const urlPrefix: Schema<string> = parsedText((written, report) => {
  const prefix = written.replace(/\/$/, '')
  const isPath = /^(?:\/[\w.~!$&'(),;=@-]+)*$/.test(prefix)
  if (isPath && !/\/\.{1,2}(?:\/|$)/.test(prefix)) return prefix
  return report('bad_path', 'must be a path such as /hooks')
})

const logFields: Fields<LoadedWebhooksConfig['log']> = {
  run_output: withDefault(flag, false, 'Whether each line that a command writes is logged.'),
}

/** The keys of the document, with those of a program that keeps more in it. */
export function serviceFields<Limits extends object, Log extends object>(
  own: Pick<OwnSettings<object, Limits, Log>, 'limits' | 'log'>,
): Fields<WrittenService & { readonly limits: Limits; readonly log: Log }> {
  return {
    webhooks: withDefault(listOf(writtenWebhook), [], 'The webhooks.'),
    defaults: withDefault(
      webhookDefaults,
      {},
      'Values for the optional keys of every webhook. Those of the webhook itself win.',
    ),
    url_prefix: withDefault(urlPrefix, '', 'The beginning of every path, as `/hooks`.'),
    hash_endpoint: withDefault(flag, true, 'Whether `POST /hash` is served.'),
    hide_ids: withDefault(flag, false, 'Whether an unknown id is answered like a wrong token.'),
    admin: optional(
      mapping(
        { token: required(secretText, 'Opens every run and the list of them.') },
        { title: 'WebhooksAdmin' },
      ),
      'Who sees and ends all runs. Default: nobody.',
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
    history: withDefault(history, {}, 'What is kept of runs.'),
    executor: withDefault(executor, 'auto', 'Which kind of process starts commands.'),
    trusted_proxies: withDefault(
      addressRanges,
      [],
      'Addresses and prefixes whose `X-Forwarded-For` is believed.',
    ),
    metrics: withDefault(flag, false, 'Whether `GET /metrics` is served.'),
    log: withDefault(
      mapping<LoadedWebhooksConfig['log'] & Log>(
        // As above.
        { ...logFields, ...own.log } as Fields<LoadedWebhooksConfig['log'] & Log>,
        { title: 'WebhooksLog' },
      ),
      {},
      'What is logged.',
    ),
  }
}
