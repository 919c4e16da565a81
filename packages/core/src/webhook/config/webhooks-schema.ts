import {
  type Checking,
  checked,
  type Fields,
  mapping,
  type Schema,
  type Sound,
} from '../../document/schema.ts'
import { checkWebhook } from './build-webhook.ts'
import { tokenWarnings } from './check-access.ts'
import { checkPaths, webhookAt } from './delivery-path.ts'
import { foreignServiceKeys } from './foreign-keys.ts'
import { checkChains } from './planned-runs.ts'
import { type OwnSettings, serviceFields, type WrittenService } from './service-settings.ts'
import type { WebhookSettings, WrittenWebhook } from './webhook-settings.ts'

/** A document with the settings of the service and of a program. */
export type WrittenDocument<Own, Limits, Log> = WrittenService &
  Own & { readonly limits: Limits; readonly log: Log }

/**
 * The configuration of the webhook service, with the settings of a program in the same file.
 *
 * @param isWhole whether other files have no webhooks.
 */
export function webhooksSchema<Own extends object, Limits extends object, Log extends object>(
  own: OwnSettings<Own, Limits, Log>,
  isWhole = true,
): Schema<WrittenDocument<Own, Limits, Log>> {
  const fields = { ...serviceFields(own), ...own.fields }
  return checked(
    mapping<WrittenDocument<Own, Limits, Log>>(
      // The type of a spread of generic fields.
      fields as unknown as Fields<WrittenDocument<Own, Limits, Log>>,
      { title: 'WebhooksConfig', notes: foreignServiceKeys },
    ),
    // Each rule checks the keys of its own schema.
    (checking) => {
      checkService(checking as unknown as Checking<WrittenService>, isWhole)
      own.check?.(checking as unknown as Parameters<typeof own.check>[0])
    },
  )
}

function checkService(checking: Checking<WrittenService>, isWhole: boolean): void {
  const { value, warn } = checking
  const { webhooks = [], defaults = {}, admin } = value
  checkEach(checking, defaults)
  checkIds(checking)
  checkPaths(checking)
  checkChains(checking, isWhole)
  for (const problem of admin?.token === undefined ? [] : tokenWarnings(admin.token)) {
    warn(['admin', 'token'], problem)
  }
  if (isWhole && webhooks.length === 0) warn(['webhooks'], 'there are none')
}

/** Checks each webhook of a file by itself. */
export function checkEach(
  {
    value,
    isBroken,
    report,
    reportMissing,
    warn,
  }: Checking<{ readonly webhooks: readonly WrittenWebhook[] }>,
  defaults: Sound<Partial<WebhookSettings>>,
): void {
  for (const [index, webhook] of (value.webhooks ?? []).entries()) {
    const at = (key: string): readonly PropertyKey[] => ['webhooks', index, key]
    checkWebhook(webhook ?? {}, defaults, {
      isBroken: (key) => isBroken(...at(key)),
      report: (key, code, message) => report(at(key), code, message),
      reportMissing: (key, message, later) => reportMissing(at(key), message, later),
      warn: (key, message) => warn(at(key), message),
    })
  }
}

/** Two webhooks must differ in their ids. */
export function checkIds(
  {
    value,
    report,
  }: Pick<Checking<{ readonly webhooks: readonly { readonly id: string }[] }>, 'value' | 'report'>,
  nameOf: (index: number) => string = webhookAt,
): void {
  const firsts = new Map<string, number>()
  for (const [index, webhook] of (value.webhooks ?? []).entries()) {
    const id = webhook?.id
    const first = id === undefined ? undefined : firsts.get(id)
    if (first !== undefined) {
      report(['webhooks', index, 'id'], 'duplicate_id', `${nameOf(first)} already has this id`)
    } else if (id !== undefined) {
      firsts.set(id, index)
    }
  }
}
