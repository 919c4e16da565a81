import type { Notification } from '../alerts/notification/notification.ts'
import type { Notifier, NotifyResult } from '../alerts/receivers/notifier.ts'
import { decodeInput, exactly, filledText, optional } from '../input/decode.ts'

/** Takes the notifications of a test instead of sending them. */
export interface Outbox {
  /** For the option `notifiers` of `createAlerts()`; one outbox may serve several receivers. */
  readonly notifier: Notifier
  /** What was sent, in its order. */
  readonly notifications: readonly Notification[]
  /** Every attempt, in its order: also those that were answered with a failure. */
  readonly attempts: readonly Notification[]
  /** Answers the next attempts with these results, one after the other; those after them are sent again. */
  answerNext(...results: readonly NotifyResult[]): void
  /** Forgets notifications, attempts, and results that are left. */
  clear(): void
}

/** Options of {@link createOutbox}. */
export interface OutboxOptions {
  /** What the notifier is called in logs and metrics (default `outbox`). */
  name?: string
}

const decodeOptions = exactly<OutboxOptions>({ name: optional(filledText) })

/**
 * An empty outbox that sends everything.
 *
 * @throws {GatehouseError} `InvalidInput`
 */
export function createOutbox(options: OutboxOptions = {}): Outbox {
  const { name = 'outbox' } = decodeInput('options', decodeOptions, options)
  const notifications: Notification[] = []
  const attempts: Notification[] = []
  const results: NotifyResult[] = []
  return {
    notifier: {
      name,
      async notify(notification) {
        const result = results.shift() ?? { outcome: 'sent' }
        attempts.push(notification)
        if (result.outcome === 'sent') notifications.push(notification)
        return result
      },
    },
    notifications,
    attempts,

    answerNext(...given) {
      results.push(...given)
    },

    clear() {
      for (const list of [notifications, attempts, results]) list.length = 0
    },
  }
}
