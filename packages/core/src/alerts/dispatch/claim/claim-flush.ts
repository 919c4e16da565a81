import type { TypedRecord } from '../../../storage/collection.ts'
import { isConflict } from '../../../storage/storage.ts'
import type { Instant } from '../../../time/clock.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'
import type { FlushContext } from '../flush-context.ts'
import { flushTimes } from '../group/flush-times.ts'
import { claimKey, claimLifeMs, groupBetweenClaims, type StoredGroup } from '../group/group.ts'
import { logId, type StoredLog } from '../log/log.ts'
import { type ClaimedFlush, createClaimedFlush } from './claimed-flush.ts'
import type { ClaimHolder } from './stored-claim.ts'

/** Why a flush was not claimed: another process was faster, or another group with the same key is being flushed. */
export type NotClaimed = 'lost' | 'busy'

/** A flush before it is claimed. */
export interface FlushToClaim {
  readonly group: StoredGroup
  readonly log: StoredLog
  readonly logKey: string
  /** The instant of the flush. */
  readonly tick: Instant
}

/** Options of {@link claimFlush}. */
export interface ClaimFlushOptions {
  route: RouteNode
  by: ClaimHolder
  /** Predicts the integrations that will be notified. */
  intend: (flush: FlushToClaim) => Promise<readonly string[]>
}

/** Claims the flush of a group that is due. */
export async function claimFlush(
  alerts: FlushContext,
  record: TypedRecord<StoredGroup>,
  { route, by, intend }: ClaimFlushOptions,
): Promise<ClaimedFlush | NotClaimed> {
  const { id, value, version } = record
  const { holder, store, sightings } = by
  const { recentLogs } = store
  const recent = recentLogs.get(record)
  const logKey = recent?.id ?? logId(value.groupKey, value.receiver)
  const stored = recent ?? (await store.log(logKey))
  const other = stored?.value.claim
  // A claim by this process is one whose commit was not confirmed, or whose end could not be stored.
  if (other !== undefined && other.holder !== holder) {
    if (sightings.age(claimKey(other)) < claimLifeMs) return 'busy'
  }
  const now = alerts.clock.now()
  const { tick, next } = flushTimes(value, route.groupIntervalMs, now)
  const group = groupBetweenClaims(value, { dueAt: next, done: value.done })
  const { integrations = {}, unknown } = stored?.value ?? {}
  const log: StoredLog = unknown === undefined ? { integrations } : { integrations, unknown }
  const announced = await intend({ group, log, logKey, tick })
  const claimed = { id, logKey, group, log, tick, route, by, announced }
  const flush = createClaimedFlush(alerts, claimed)
  try {
    // Most flushes end before the claim is renewed; then the group is written once, with its next tick.
    await flush.begin({ group: version, log: stored?.version ?? 'absent' })
    return flush
  } catch (error) {
    recentLogs.forget(id)
    if (isConflict(error)) return 'lost'
    throw error
  }
}
