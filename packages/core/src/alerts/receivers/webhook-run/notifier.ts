import { sha256Hex } from '../../../crypto/crypto.ts'
import { errorText, type GatehouseError, isGatehouseError } from '../../../errors.ts'
import type { Notification } from '../../notification/notification.ts'
import { webhookPayload } from '../../notification/webhook-payload.ts'
import { abortReason } from '../attempt/abort-reason.ts'
import type { ReceiverKind } from '../kind.ts'
import type { NotifyResult, WebhookRuns } from '../notifier.ts'
import { type WebhookRunIntegration, webhookRunConfig } from './config.ts'
import type { AlertmanagerWebhookRunConfig } from './written.ts'

/** Runs webhooks of the same server. The notification has arrived once its run is recorded, however the command ends. */
export const webhookRun: ReceiverKind<WebhookRunIntegration, AlertmanagerWebhookRunConfig> = {
  ...webhookRunConfig,
  create: (integration, { webhookRuns }) => ({
    name: 'webhook_run',
    async notify(notification, signal) {
      if (webhookRuns === undefined) {
        const detail = 'this server has no webhooks: the option webhookRuns is not set'
        return { outcome: 'failed', reason: 'other', detail }
      }
      return Promise.race([run(integration, notification, webhookRuns), aborted(signal)])
    },
  }),
}

async function run(
  { webhook, index }: WebhookRunIntegration,
  notification: Notification,
  webhookRuns: WebhookRuns,
): Promise<NotifyResult> {
  const { receiver, groupHash, kept, truncatedAlerts } = notification
  const payload = webhookPayload(notification, { version: '4', truncatedAlerts })
  // Another process that sends the same notification, because this one was lost, knows the same run before it.
  const key = sha256Hex(JSON.stringify([receiver, index, kept.run_id ?? '', payload]))
  try {
    const run_id = await webhookRuns.run({
      webhook,
      data: JSON.parse(payload),
      receiver,
      group_hash: groupHash,
      key,
    })
    return { outcome: 'sent', ...(run_id === undefined ? {} : { keep: { run_id } }) }
  } catch (error) {
    return isGatehouseError(error) ? failureOf(error) : lost(errorText(error))
  }
}

function failureOf({ kind, message, info }: GatehouseError): NotifyResult {
  const seconds = Number(info.retryAfterSeconds)
  const retryAfterMs = seconds > 0 ? { retryAfterMs: seconds * 1_000 } : {}
  if (kind === 'TooManyRequest') {
    return { outcome: 'retry', reason: 'rateLimited', detail: message, ...retryAfterMs }
  }
  if (kind === 'ServiceUnavailable' || kind === 'Conflict')
    return { ...lost(message), ...retryAfterMs }
  return { outcome: 'failed', reason: 'clientError', detail: message }
}

/** The run may be recorded nevertheless; the next attempt finds it then. */
const lost = (detail: string): NotifyResult => ({
  outcome: 'retry',
  reason: 'serverError',
  detail,
  mayHaveArrived: true,
})

/** Resolves when the attempt is aborted. A storage that does not answer must not hold it. */
const aborted = (signal: AbortSignal): Promise<NotifyResult> =>
  new Promise((resolve) => {
    const end = (): void =>
      resolve({
        ...lost('the run was not recorded in time'),
        reason: abortReason(signal),
      } as NotifyResult)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
