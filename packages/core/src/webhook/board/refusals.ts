import type { Instant } from '../../time/clock.ts'
import type { WebhookErrorCode } from '../errors.ts'

/** A delivery that was refused, without its values. */
export interface Refusal {
  readonly at: Instant
  /** The code of the answer. */
  readonly code: WebhookErrorCode
  /** The source, the argument or the variable that the refusal is about. */
  readonly about?: string
  readonly request_id: string
  readonly client_ip: string | null
}

/** The last refusals of this process, by webhook. Senders can cause them at will, so they are not stored. */
export interface Refusals {
  /** Only ids of webhooks may be given, not those that senders make up. */
  note(webhook: string, refusal: Refusal): void
  /** The newest first. */
  of(webhook: string): readonly Refusal[]
  /** Forgets all others. */
  keepOnly(webhooks: ReadonlySet<string>): void
}

/** The most refusals that are kept of a webhook. */
const maxRefusals = 20

/** No refusals. */
export function createRefusals(): Refusals {
  const byWebhook = new Map<string, Refusal[]>()
  return {
    note(webhook, refusal) {
      const last = byWebhook.get(webhook) ?? []
      byWebhook.set(webhook, last)
      if (last.push(refusal) > maxRefusals) last.shift()
    },
    of: (webhook) => [...(byWebhook.get(webhook) ?? [])].reverse(),
    keepOnly(webhooks) {
      for (const webhook of byWebhook.keys()) if (!webhooks.has(webhook)) byWebhook.delete(webhook)
    },
  }
}
