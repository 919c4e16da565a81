import type { Instant } from '../../time/clock.ts'
import type { RunHandle } from '../board/run-handle.ts'
import type { WebhooksContext } from '../context.ts'
import { holdsKey, type KeyClaim, keyCollection, keyId } from '../records/dedupe.ts'
import { toRun } from '../records/run-record.ts'
import type { Delivery } from '../request/delivery.ts'
import { readSource } from '../request/source.ts'
import { readRun } from '../runs/read-runs.ts'
import { followRecord } from '../runs/remote-run.ts'
import type { Webhook } from '../webhook.ts'

/** The deduplication key of a delivery. */
export interface DeliveryKey {
  /** The id of its record. */
  readonly id: string
  readonly expiresAt: Instant
}

/** The key of a delivery; `undefined` if it has none, or its webhook does not deduplicate. */
export function deliveryKey(
  { id, dedupe }: Webhook,
  delivery: Delivery,
  now: Instant,
): DeliveryKey | undefined {
  if (dedupe === undefined) return undefined
  const key = readSource(dedupe.from, delivery, now)
  if (key === undefined || key === '') return undefined
  return { id: keyId(id, key), expiresAt: now + dedupe.ttl }
}

/**
 * Finds the run that an earlier delivery with this key made, if that run still holds the key; otherwise returns the claim for a
 * new run.
 */
export async function findRepeat(
  webhooks: WebhooksContext,
  webhook: Webhook,
  { id, expiresAt }: DeliveryKey,
): Promise<{ readonly run: RunHandle } | { readonly claim: KeyClaim }> {
  const record = await keyCollection.get(webhooks.storage, id)
  if (record === undefined) return { claim: { id, expiresAt, version: 'absent' } }
  const { run_id, run: kept } = record.value
  const claim: KeyClaim = { id, expiresAt, version: record.version }
  const own = webhooks.work.board.find(run_id)
  const seen = own?.snapshot() ?? (await readRun(webhooks, run_id)) ?? (kept && toRun(kept))
  if (seen === undefined || !holdsKey(seen)) return { claim }
  return { run: own ?? followRecord(webhooks, seen, webhook) }
}
