import { type SenderRecipe, senderRecipe } from './access/sender-recipe.ts'
import { type WebhookInput, webhookInputs } from './command/webhook-inputs.ts'
import type { WebhooksContext } from './context.ts'
import type { Webhook } from './webhook.ts'

/** A webhook of the configuration without its secrets, command and environment. */
export interface WebhookDescription
  extends Pick<Webhook, 'id' | 'mode' | 'concurrency' | 'queue' | 'on_busy'> {
  /** The longest duration of a run, in ms; `null` for no limit. */
  readonly timeout_ms: number | null
  /** Whether the command reads the whole data of a request from its standard input. */
  readonly reads_data: boolean
  /** The values that the command gets from a request. */
  readonly inputs: readonly WebhookInput[]
  /** What to enter at its sender. */
  readonly sender: SenderRecipe
}

/**
 * Describes the enabled webhooks, in the order of the configuration.
 *
 * @example
 * const ids = listWebhooks(webhooks).map(({ id }) => id)
 */
export function listWebhooks({ config }: WebhooksContext): readonly WebhookDescription[] {
  return config.current.webhooks.filter(({ enabled }) => enabled).map(describeWebhook)
}

/** Describes one webhook. */
export function describeWebhook(webhook: Webhook): WebhookDescription {
  const { id, mode, concurrency, queue, on_busy, timeout, stdin } = webhook
  return {
    id,
    mode,
    concurrency,
    queue,
    on_busy,
    timeout_ms: timeout ?? null,
    reads_data: stdin !== 'none',
    inputs: webhookInputs(webhook),
    sender: senderRecipe(webhook),
  }
}
