import { isConflict, type Version, type Write } from '../../../storage/storage.ts'
import type { Instant } from '../../../time/clock.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'
import type { FlushContext } from '../flush-context.ts'
import {
  claimLifeMs,
  type FlushClaim,
  groupBetweenClaims,
  groupCollection,
  type StoredGroup,
} from '../group/group.ts'
import type { Sightings } from '../group/sightings.ts'
import {
  type LoggedNotification,
  logCollection,
  logExpiry,
  type StoredLog,
  union,
} from '../log/log.ts'
import type { Activity } from '../pace/activity.ts'
import { pause } from '../pace/pause.ts'
import { isUnreachable, retryMs, whenReachable } from '../pace/when-reachable.ts'
import { correctAfterLoss } from './correct-after-loss.ts'
import type { FlushStore } from './flush-store.ts'

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

/** The dispatcher that claims flushes, with the state it needs for that. */
export interface ClaimHolder {
  /** The unique id of this dispatcher. It has no other flush in progress of this group, or of one that shares its log. */
  holder: string
  /** Counts its claims and their renewals. */
  nextBeat: () => number
  /** When the claims of others were first seen, by `claimKey()`. */
  sightings: Sightings
  store: FlushStore
  activity: Pick<Activity, 'pause'>
  /** Ends waiting for a storage that is unavailable. */
  halt: AbortSignal
}

/** The flush that a claim is about. */
export interface Claimed {
  readonly by: ClaimHolder
  readonly route: RouteNode
  readonly id: string
  readonly logKey: string
  readonly group: StoredGroup
  /** The log before the claim. */
  readonly log: StoredLog
  /** The instant of the flush. */
  readonly tick: Instant
  /** Integrations that the claim announces. */
  readonly announced: readonly string[]
}

/**
 * How long a claim is certain after the commit that made or renewed it. Others take it over `claimLifeMs` after they saw it,
 * which is later; the difference leaves time for a notification to arrive.
 */
const sureMs = (2 * claimLifeMs) / 3

/** Creates a claim; `begin` stores it. */
export function createClaimedFlush(alerts: FlushContext, claimed: Claimed): ClaimedFlush {
  const { storage, clock } = alerts
  const { id, logKey, group, route } = claimed
  const { holder, nextBeat, store, sightings, activity, halt } = claimed.by
  let { integrations } = claimed.log
  let { announced } = claimed
  /** Integrations whose last received state was uncertain before this flush, and that have received nothing since. */
  let unknown = claimed.log.unknown ?? []
  let sent: Readonly<Record<string, LoggedNotification>> = {}
  let versions: { group: Version; log: Version } = { group: '', log: '' }
  let sureSince = { monotonic: 0, wall: 0 }
  let isLost = false
  /** The commits of a claim run one after another: each depends on the versions of the previous one. */
  let queue: Promise<unknown> = Promise.resolve()

  const time = (): typeof sureSince => ({ monotonic: clock.monotonic(), wall: clock.now() })

  const newClaim = (): FlushClaim => ({
    holder,
    until: clock.now() + claimLifeMs,
    beat: nextBeat(),
  })

  const logWith = (claim: FlushClaim | undefined): StoredLog => {
    const log = claim === undefined ? { integrations } : { integrations, claim }
    const doubtful = claim === undefined ? unknown : union(unknown, announced)
    return doubtful.length === 0 ? log : { ...log, unknown: doubtful }
  }

  const writeLog = (log: StoredLog, version: Version | 'absent'): Write =>
    logCollection.write(logKey, log, {
      if: version,
      expiresAt: logExpiry(alerts, route, clock.now()),
    })

  /** A commit without a confirmation may have been made: then the claim in the storage is still ours. */
  const isStillOurs = async (): Promise<boolean> => {
    const [storedLog, storedGroup] = await Promise.all([
      logCollection.get(storage, logKey),
      groupCollection.get(storage, id),
    ])
    if (storedLog?.value.claim?.holder !== holder || storedGroup === undefined) return false
    const { version, value } = storedGroup
    if (version !== versions.group && value.claim?.holder !== holder) return false
    if (version === versions.group && storedLog.version === versions.log) return false
    versions = { group: version, log: storedLog.version }
    return true
  }

  const commit = async (groupAfter: StoredGroup, claim: FlushClaim | undefined): Promise<void> => {
    const before = time()
    const [groupVersion = '', logVersion = ''] = await store.end([
      groupCollection.write(id, groupAfter, { if: versions.group }),
      writeLog(logWith(claim), versions.log),
    ])
    versions = { group: groupVersion, log: logVersion }
    if (claim !== undefined) sureSince = before
  }

  const commitUnlessLost = (make: () => [StoredGroup, FlushClaim | undefined]): Promise<void> => {
    const work = async (): Promise<void> => {
      while (!isLost) {
        try {
          return await commit(...make())
        } catch (error) {
          if (!isConflict(error)) throw error
        }
        isLost = !(await isStillOurs())
      }
    }
    const result = queue.then(work)
    queue = result.catch(() => undefined) // the caller that made the commit gets the error
    return result
  }

  const keepClaim = (): Promise<void> =>
    commitUnlessLost(() => {
      const claim = newClaim()
      return [{ ...group, claim }, claim]
    })

  const untilHalt = { clock, activity, signals: [halt] }

  const addLogged = (logged: Readonly<Record<string, LoggedNotification>>): void => {
    sent = { ...sent, ...logged }
    integrations = { ...integrations, ...logged }
    const isOpen = (integration: string): boolean => !Object.hasOwn(logged, integration)
    if (unknown.length > 0) unknown = unknown.filter(isOpen)
    if (announced.length > 0) announced = announced.filter(isOpen)
  }

  const flush: ClaimedFlush = {
    ...claimed,

    async begin({ group: version, log }) {
      const before = time()
      const [, logVersion = ''] = await store.begin([
        { collection: groupCollection, id, check: version },
        writeLog(logWith(newClaim()), log),
      ])
      versions = { group: version, log: logVersion }
      sureSince = before
    },

    async announce(more) {
      announced = union(announced, more)
      await whenReachable(keepClaim, untilHalt)
      return !isLost
    },

    async renew() {
      await keepClaim()
      return !isLost
    },

    isSure() {
      // The monotonic clock stops while some machines sleep; the wall clock does not.
      const { monotonic, wall } = time()
      const passedMs = Math.max(monotonic - sureSince.monotonic, wall - sureSince.wall)
      return !isLost && passedMs < sureMs
    },

    async hold(signals) {
      while (!flush.isSure()) {
        if (isLost) return false
        try {
          await keepClaim()
        } catch (error) {
          if (!isUnreachable(error)) throw error
          if (!(await pause(retryMs, { clock, activity, signals }))) return false
        }
      }
      return true
    },

    logged(integration, notification) {
      addLogged({ [integration]: notification })
      return whenReachable(keepClaim, untilHalt)
    },

    async finish({ logged, uncertain, late, done, isEmpty, dueAt }) {
      addLogged(logged)
      unknown = union(unknown, uncertain)
      const next = group.dueAt === undefined ? undefined : (dueAt ?? group.dueAt)
      const groupAfter = groupBetweenClaims(group, { dueAt: isEmpty ? undefined : next, done })
      await whenReachable(() => commitUnlessLost(() => [groupAfter, undefined]), untilHalt)
      if (isLost) {
        const loss = { id, logKey, holder, route, sent, uncertain, late }
        await whenReachable(
          () => correctAfterLoss(alerts, loss, { sightings, activity, signals: [halt] }),
          untilHalt,
        )
      }
      if (isLost || isEmpty) return store.recentLogs.forget(id)
      const left = { id: logKey, value: logWith(undefined), version: versions.log }
      store.recentLogs.set({ id, version: versions.group }, left)
    },
  }
  return flush
}
