import { isGatehouseError } from '../../../errors.ts'
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
import type { Cutoff } from '../pace/cutoff.ts'
import { pause } from '../pace/pause.ts'
import { correctAfterLoss } from './correct-after-loss.ts'
import type { FlushStore } from './flush-store.ts'

/** A flush that this process has claimed: nobody else flushes the group, or one that shares its log, meanwhile. */
export interface ClaimedFlush extends Claimed {
  /** Claims it. `versions` are those that the decision to flush rests on. */
  begin(versions: { group: Version; log: Version | 'absent' }): Promise<void>
  /** Stores that these integrations may be told, which must be done before they are. Answers whether the claim still holds. */
  announce(integrations: readonly string[]): Promise<boolean>
  /** Keeps the claim alive. A claim that was lost is told by the answer. */
  renew(): Promise<boolean>
  /**
   * Whether nobody else can have claimed the flush by now. A process does not notice that it was stopped for a while: what it
   * does next, it may do beside another.
   */
  isSure(): boolean
  /** Waits until {@link isSure}, and renews the claim if that is necessary; `false` if it was lost, or a cutoff came. */
  hold(cutoffs: readonly Cutoff[]): Promise<boolean>
  /** Logs what an integration was told. */
  logged(integration: string, notification: LoggedNotification): Promise<void>
  /** Ends the claim. */
  finish(end: FlushEnd): Promise<void>
}

/** How a flush ended. */
export interface FlushEnd {
  /** What integrations were told and is not logged yet. */
  readonly logged: Readonly<Record<string, LoggedNotification>>
  /** Integrations that may have received a notification although they did not confirm it. */
  readonly uncertain: readonly string[]
  /** What integrations were told, or may have been, at a time when somebody else may have had the claim. */
  readonly late: Readonly<Record<string, LoggedNotification>>
  /** Resolved alerts that have left the group, by fingerprint. */
  readonly done: Readonly<Record<string, Version>>
  /** Whether any alert is left in the group. */
  readonly isEmpty: boolean
  /** When the group is due instead, if not on its grid. */
  readonly dueAt?: Instant
}

/** Who claims a flush, and by what means. */
export interface ClaimHolder {
  /** Tells this dispatcher from all others. It has no other flush of the group under way, or of one that shares its log. */
  holder: string
  /** Counts its claims and their renewals. */
  nextBeat: () => number
  /** Of the claims of others, by `claimKey()`. */
  sightings: Sightings
  store: FlushStore
  activity: Pick<Activity, 'pause'>
  /** Ends the waiting for a storage that cannot be reached. */
  halt: Cutoff
}

/** The flush that a claim is about. */
export interface Claimed {
  readonly by: ClaimHolder
  readonly route: RouteNode
  readonly id: string
  readonly logKey: string
  readonly group: StoredGroup
  /** As it was before the claim. */
  readonly log: StoredLog
  /** The instant of the flush. */
  readonly tick: Instant
  /** Integrations that the claim announces. */
  readonly announced: readonly string[]
}

/** So long after the storage could not be reached it is tried again. */
const retryMs = 250
/**
 * How long a claim is sure after the commit that made or renewed it. Others take it over `claimLifeMs` after they saw it, thus
 * later; the rest is for a notification to arrive.
 */
const sureMs = (2 * claimLifeMs) / 3

/** A claim that `begin` makes. */
export function createClaimedFlush(alerts: FlushContext, claimed: Claimed): ClaimedFlush {
  const { storage, clock } = alerts
  const { id, logKey, group, route } = claimed
  const { holder, nextBeat, store, sightings, activity, halt } = claimed.by
  let { integrations } = claimed.log
  let { announced } = claimed
  /** Integrations that may have been told something else before this flush, and were not told anything since. */
  let unknown = claimed.log.unknown ?? []
  let told: Readonly<Record<string, LoggedNotification>> = {}
  let versions: { group: Version; log: Version } = { group: '', log: '' }
  let sureSince = { monotonic: 0, wall: 0 }
  let isLost = false
  /** Commits of one claim follow each other: each rests on the versions of the one before. */
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

  /** A commit whose answer did not arrive may have been made: then the claim in the storage is still this one. */
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
    queue = result.catch(() => undefined) // whoever made the commit is told
    return result
  }

  const keepClaim = (): Promise<void> =>
    commitUnlessLost(() => {
      const claim = newClaim()
      return [{ ...group, claim }, claim]
    })

  /** What was told would be told again if it were not logged: a storage that cannot be reached is waited for. */
  const whenReachable = async (work: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isUnreachable(error)) throw error
        if (!(await pause(retryMs, { clock, activity, cutoffs: [halt] }))) throw error
      }
    }
  }

  const addLogged = (logged: Readonly<Record<string, LoggedNotification>>): void => {
    told = { ...told, ...logged }
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
      await whenReachable(keepClaim)
      return !isLost
    },

    async renew() {
      await keepClaim()
      return !isLost
    },

    isSure() {
      // The monotonic clock stands still while some machines sleep, which the wall clock shows.
      const { monotonic, wall } = time()
      const passedMs = Math.max(monotonic - sureSince.monotonic, wall - sureSince.wall)
      return !isLost && passedMs < sureMs
    },

    async hold(cutoffs) {
      while (!flush.isSure()) {
        if (isLost) return false
        try {
          await keepClaim()
        } catch (error) {
          if (!isUnreachable(error)) throw error
          if (!(await pause(retryMs, { clock, activity, cutoffs }))) return false
        }
      }
      return true
    },

    logged(integration, notification) {
      addLogged({ [integration]: notification })
      return whenReachable(keepClaim)
    },

    async finish({ logged, uncertain, late, done, isEmpty, dueAt }) {
      addLogged(logged)
      unknown = union(unknown, uncertain)
      const next = group.dueAt === undefined ? undefined : (dueAt ?? group.dueAt)
      const groupAfter = groupBetweenClaims(group, { dueAt: isEmpty ? undefined : next, done })
      await whenReachable(() => commitUnlessLost(() => [groupAfter, undefined]))
      if (isLost) {
        const loss = { id, logKey, holder, route, told, uncertain, late }
        await whenReachable(() =>
          correctAfterLoss(alerts, loss, { sightings, activity, cutoffs: [halt] }),
        )
      }
      if (isLost || isEmpty) return store.recentLogs.forget(id)
      const left = { id: logKey, value: logWith(undefined), version: versions.log }
      store.recentLogs.set({ id, version: versions.group }, left)
    },
  }
  return flush
}

/** Whether the storage cannot be reached, but may be later. */
const isUnreachable = (error: unknown): boolean =>
  isGatehouseError(error) && error.kind === 'ServiceUnavailable' && error.reason !== 'StorageClosed'
