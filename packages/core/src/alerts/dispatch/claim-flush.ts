import type { Instant } from '../../clock.ts'
import type { TypedRecord } from '../../collection.ts'
import { isConflict } from '../../storage.ts'
import type { AlertsContext } from '../context.ts'
import type { RouteNode } from '../routing-tree.ts'
import {
  type ClaimedFlush,
  type ClaimHolder,
  claimLifeMs,
  createClaimedFlush,
} from './claimed-flush.ts'
import {
  type FlushClaim,
  flushTimes,
  groupBetweenClaims,
  groupCollection,
  type StoredGroup,
} from './group.ts'
import { logCollection, logExpiry, logId, type StoredLog } from './log.ts'

/** Why a flush was not claimed. */
export type NotClaimed =
  /** Somebody else was faster; the group's record tells more. */
  | { readonly lost: true }
  /** Another group of the same key is flushed until this instant at most. */
  | { readonly busyUntil: Instant }

/** Claims the flush of a group that is due. */
export async function claimFlush(
  alerts: AlertsContext,
  record: TypedRecord<StoredGroup>,
  { route, by }: { route: RouteNode; by: ClaimHolder },
): Promise<ClaimedFlush | NotClaimed> {
  const { id, value, version } = record
  const { holder, store } = by
  const { recentLogs } = store
  const recent = recentLogs.get(record)
  const log = recent?.id ?? logId(value.groupKey, value.receiver)
  const stored = recent ?? (await store.log(log))
  const now = alerts.clock.now()
  const other = stored?.value.claim
  // A claim of its own is one that it was not told of, or whose end could not be stored.
  if (other !== undefined && other.holder !== holder && other.until > now) {
    return { busyUntil: other.until }
  }
  const { tick, next } = flushTimes(value, route.groupIntervalMs, now)
  const claim: FlushClaim = { holder, until: now + claimLifeMs }
  const claimedLog: StoredLog = { integrations: stored?.value.integrations ?? {}, claim }
  const expiresAt = logExpiry(alerts, route, now)
  try {
    // Most flushes are over before the claim is renewed, and then the group is written once, with its next tick.
    const [, logVersion = ''] = await store.begin([
      { collection: groupCollection, id, check: version },
      logCollection.write(log, claimedLog, { if: stored?.version ?? 'absent', expiresAt }),
    ])
    const group = groupBetweenClaims(value, { dueAt: next, done: value.done })
    const claimed = { id, logKey: log, group, log: claimedLog, tick, route, by }
    return createClaimedFlush(alerts, claimed, { group: version, log: logVersion })
  } catch (error) {
    recentLogs.forget(id)
    if (isConflict(error)) return { lost: true }
    throw error
  }
}
