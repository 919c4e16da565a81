import { type Checking, checked, type Fields, mapping, type Schema } from '../../document/schema.ts'
import { checkWebhook } from './build-webhook.ts'
import { tokenWarnings } from './check-access.ts'
import { checkPaths } from './delivery-path.ts'
import { foreignServiceKeys } from './foreign-keys.ts'
import { checkChains } from './planned-runs.ts'
import { type OwnSettings, serviceFields, type WrittenService } from './service-settings.ts'

/** A document with the settings of the service and of a program. */
export type WrittenDocument<Own, Limits, Log> = WrittenService &
  Own & { readonly limits: Limits; readonly log: Log }

/** The configuration of the webhook service, with the settings of a program in the same file. */
export function webhooksSchema<Own extends object, Limits extends object, Log extends object>(
  own: OwnSettings<Own, Limits, Log>,
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
      checkService(checking as unknown as Checking<WrittenService>)
      own.check?.(checking as unknown as Parameters<typeof own.check>[0])
    },
  )
}

function checkService(checking: Checking<WrittenService>): void {
  const { value, isBroken, report, reportMissing, warn } = checking
  const { webhooks = [], defaults = {}, admin } = value
  const firsts = new Map<string, number>()
  for (const [index, webhook] of webhooks.entries()) {
    const at = (key: string): readonly PropertyKey[] => ['webhooks', index, key]
    checkWebhook(webhook ?? {}, defaults, {
      isBroken: (key) => isBroken(...at(key)),
      report: (key, code, message) => report(at(key), code, message),
      reportMissing: (key, message, later) => reportMissing(at(key), message, later),
      warn: (key, message) => warn(at(key), message),
    })
    const id = webhook?.id
    const first = id === undefined ? undefined : firsts.get(id)
    if (first !== undefined) {
      report(at('id'), 'duplicate_id', `webhooks[${first}] already has this id`)
    } else if (id !== undefined) {
      firsts.set(id, index)
    }
  }
  checkPaths(checking)
  checkChains(checking)
  for (const problem of admin?.token === undefined ? [] : tokenWarnings(admin.token)) {
    warn(['admin', 'token'], problem)
  }
  if (webhooks.length === 0) warn(['webhooks'], 'there are none')
}
