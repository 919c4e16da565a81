import {
  createFunctionNotifier,
  isGatehouseError,
  type Notifier,
  type NotifyResult,
  triggerWebhook,
  type WebhooksContext,
} from '@gatehouse/core'

/** Not retried, since a retry would end the same way: an operator has to look at it. */
const failed = (detail: string): NotifyResult => ({ outcome: 'failed', reason: 'other', detail })

/** A receiver that runs the webhook `clean-disk` for the disk of an alert group, while one of its alerts fires. */
export function createCleanUp(webhooks: WebhooksContext): Notifier {
  return createFunctionNotifier(
    async ({ status, groupLabels }) => {
      if (status === 'resolved') return { outcome: 'sent' }
      try {
        const run = await triggerWebhook(webhooks, 'clean-disk', { disk: groupLabels.disk })
        return run.status === 'succeeded' ? { outcome: 'sent' } : failed(`the run ${run.status}`)
      } catch (error) {
        if (isGatehouseError(error) && error.reason.startsWith('argument_')) {
          return failed(error.message)
        }
        throw error
      }
    },
    { name: 'clean-up' },
  )
}
