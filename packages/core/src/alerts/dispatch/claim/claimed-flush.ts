import type { Version } from '../../../storage/storage.ts'
import type { Instant } from '../../../time/clock.ts'
import type { FlushContext } from '../flush-context.ts'
import { groupBetweenClaims } from '../group/group.ts'
import type { LoggedNotification } from '../log/log.ts'
import { pause } from '../pace/pause.ts'
import { isUnreachable, retryMs, whenReachable } from '../pace/when-reachable.ts'
import { announcing, ending, isSureAt, logOf, sending } from './claim-state.ts'
import { correctAfterLoss } from './correct-after-loss.ts'
import { type Claimed, createStoredClaim, momentOf } from './stored-claim.ts'

/** A flush that this process has claimed: no other process flushes the group, or one that shares its log, meanwhile. */
export interface ClaimedFlush extends Claimed {
  /** Claims the flush. `versions` are the records that the decision to flush is based on. */
  begin(versions: { group: Version; log: Version | 'absent' }): Promise<void>
  /**
   * Stores that these integrations may be notified, which must happen before they are. Returns whether the claim is still held.
   */
  announce(integrations: readonly string[]): Promise<boolean>
  /** Renews the claim. Returns false if it was lost. */
  renew(): Promise<boolean>
  /**
   * Whether no other process can have claimed the flush by now. A process does not notice that it was suspended, and may then act
   * at the same time as another.
   */
  isSure(): boolean
  /** Waits until {@link isSure}, and renews the claim if necessary; `false` if it was lost, or a signal was aborted. */
  hold(signals: readonly AbortSignal[]): Promise<boolean>
  /** Logs what was sent to an integration. */
  logged(integration: string, notification: LoggedNotification): Promise<void>
  /** Releases the claim. */
  finish(end: FlushEnd): Promise<void>
}

/** The result of a flush. */
export interface FlushEnd {
  /** Notifications that were sent and are not logged yet, by integration. */
  readonly logged: Readonly<Record<string, LoggedNotification>>
  /** Integrations that may have received a notification without confirming it. */
  readonly uncertain: readonly string[]
  /** Notifications that were, or may have been, sent when another process may have held the claim. */
  readonly late: Readonly<Record<string, LoggedNotification>>
  /** Resolved alerts that have left the group, by fingerprint. */
  readonly done: Readonly<Record<string, Version>>
  /** Whether no alert is left in the group. */
  readonly isEmpty: boolean
  /** When the group is due next, if not by its schedule. */
  readonly dueAt?: Instant
}

/** Creates a claim; `begin` stores it. What it knows changes by the rules of `claim-state.ts`. */
export function createClaimedFlush(alerts: FlushContext, claimed: Claimed): ClaimedFlush {
  const { clock } = alerts
  const { by, group, ...rest } = claimed
  const { sightings, activity, store } = by
  const untilHalt = { clock, activity, signals: [by.halt] }
  const claim = createStoredClaim(alerts, claimed)

  const flush: ClaimedFlush = {
    ...claimed,
    begin: claim.begin,

    async announce(more) {
      claim.state = announcing(claim.state, more)
      await whenReachable(claim.keep, untilHalt)
      return !claim.state.isLost
    },

    async renew() {
      await claim.keep()
      return !claim.state.isLost
    },

    isSure: () => isSureAt(claim.state, momentOf(clock)),

    async hold(signals) {
      while (!flush.isSure()) {
        if (claim.state.isLost) return false
        try {
          await claim.keep()
        } catch (error) {
          if (!isUnreachable(error)) throw error
          if (!(await pause(retryMs, { clock, activity, signals }))) return false
        }
      }
      return true
    },

    logged(integration, notification) {
      claim.state = sending(claim.state, { [integration]: notification })
      return whenReachable(claim.keep, untilHalt)
    },

    async finish({ logged, uncertain, late, done, isEmpty, dueAt }) {
      claim.state = ending(claim.state, logged, uncertain)
      const next = group.dueAt === undefined ? undefined : (dueAt ?? group.dueAt)
      const after = groupBetweenClaims(group, { dueAt: isEmpty ? undefined : next, done })
      await whenReachable(() => claim.release(after), untilHalt)
      const { isLost, sent } = claim.state
      if (isLost) {
        const loss = { ...rest, holder: by.holder, sent, uncertain, late }
        await whenReachable(
          () => correctAfterLoss(alerts, loss, { sightings, activity, signals: [by.halt] }),
          untilHalt,
        )
      }
      if (isLost || isEmpty) return store.recentLogs.forget(claimed.id)
      const { versions } = claim.state
      const left = {
        id: claimed.logKey,
        value: logOf(claim.state, undefined),
        version: versions.log,
      }
      store.recentLogs.set({ id: claimed.id, version: versions.group }, left)
    },
  }
  return flush
}
