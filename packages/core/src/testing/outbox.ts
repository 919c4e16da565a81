import type { Notification } from '../alerts/notification/notification.ts'
import type { Notifier, NotifyResult } from '../alerts/receivers/notifier.ts'
import { decodeInput, exactly, filledText, optional } from '../input/decode.ts'

/** Collects the notifications of a test instead of sending them. */
export interface Outbox {
  /** Pass it in the option `notifiers` of `createAlerts()`. One outbox may serve several receivers. */
  readonly notifier: Notifier
  /** The sent notifications, in order. */
  readonly notifications: readonly Notification[]
  /** All attempts in order, including failed ones. */
  readonly attempts: readonly Notification[]
  /** Returns these results for the next attempts, one after the other. Later attempts succeed again. */
  answerNext(...results: readonly NotifyResult[]): void
  /** Removes notifications, attempts, and remaining results. */
  clear(): void
}

/** Options of {@link createOutbox}. */
export interface OutboxOptions {
  /** The name of the notifier in logs and metrics (default `outbox`). */
  name?: string
}

const decodeOptions = exactly<OutboxOptions>({ name: optional(filledText) })

/**
 * Creates an empty outbox that accepts every notification.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is not valid.
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
