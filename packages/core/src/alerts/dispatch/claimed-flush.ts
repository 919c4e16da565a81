import type { Instant } from '../../clock.ts'
import { isGatehouseError } from '../../errors.ts'
import { isConflict, type Version } from '../../storage.ts'
import type { AlertsContext } from '../context.ts'
import type { RouteNode } from '../routing-tree.ts'
import type { Activity } from './activity.ts'
import type { Cutoff } from './cutoff.ts'
import type { FlushStore } from './flush-store.ts'
import { type FlushClaim, groupBetweenClaims, groupCollection, type StoredGroup } from './group.ts'
import { type LoggedNotification, logCollection, logExpiry, type StoredLog } from './log.ts'
import { logAnyway } from './log-anyway.ts'
import { pause } from './pause.ts'

/** A flush that this process has claimed: nobody else flushes the group, or one that shares its log, meanwhile. */
export interface ClaimedFlush {
  readonly id: string
  readonly route: RouteNode
  readonly group: StoredGroup
  readonly log: StoredLog
  /** The instant of the flush. */
  readonly tick: Instant
  /** Keeps the claim alive. A claim that was lost is told by the answer. */
  renew(): Promise<boolean>
  /** Logs what an integration was told. */
  logged(integration: string, notification: LoggedNotification): Promise<void>
  /**
   * Ends the claim.
   *
   * @param done the alerts that have left the group; `undefined` if some integration was not told, so none has.
   */
  finish(end: FlushEnd): Promise<void>
}

/** How a flush ended. */
export interface FlushEnd {
  /** What integrations were told and is not logged yet. */
  readonly logged: Readonly<Record<string, LoggedNotification>>
  /** Resolved alerts that have left the group, by fingerprint; `undefined`: as before. */
  readonly done: Readonly<Record<string, Version>> | undefined
  /** Whether any alert is left in the group. */
  readonly isEmpty: boolean
  /** When the group is due instead, if not on its grid. */
  readonly dueAt?: Instant
}

/** How long a claim lives unless it is renewed: longer than clocks may differ. */
export const claimLifeMs = 15_000

/** Who claims a flush, and by what means. */
export interface ClaimHolder {
  /** Tells this dispatcher from all others. It has no other flush of the group under way, or of one that shares its log. */
  holder: string
  store: FlushStore
  activity: Pick<Activity, 'pause'>
  /** Ends the waiting for a storage that cannot be reached. */
  halt: Cutoff
}

interface Claimed {
  readonly by: ClaimHolder
  readonly route: RouteNode
  readonly id: string
  readonly logKey: string
  readonly group: StoredGroup
  readonly log: StoredLog
  readonly tick: Instant
}

/** So long after the storage could not be reached it is tried again. */
const retryMs = 250

/** @param versions of the two records of the claim. */
export function createClaimedFlush(
  alerts: AlertsContext,
  claimed: Claimed,
  versions: { group: Version; log: Version },
): ClaimedFlush {
  const { clock } = alerts
  const { id, logKey, group, tick, route } = claimed
  const { holder, store, activity, halt } = claimed.by
  let { log } = claimed
  let current = versions
  let isLost = false
  /** Commits of one claim follow each other: each rests on the versions of the one before. */
  let queue: Promise<unknown> = Promise.resolve()

  const commit = (groupAfter: StoredGroup, logAfter: StoredLog): Promise<void> => {
    const work = async (): Promise<void> => {
      const expiresAt = logExpiry(alerts, route, clock.now())
      const [groupVersion = '', logVersion = ''] = await store.end([
        groupCollection.write(id, groupAfter, { if: current.group }),
        logCollection.write(logKey, logAfter, { if: current.log, expiresAt }),
      ])
      current = { group: groupVersion, log: logVersion }
    }
    const result = queue.then(work)
    queue = result.catch(() => undefined) // whoever made the commit is told
    return result
  }

  const commitUnlessLost = async (group: StoredGroup, log: StoredLog): Promise<void> => {
    try {
      if (!isLost) return await commit(group, log)
    } catch (error) {
      if (!isConflict(error)) throw error
    }
    isLost = true
  }

  /** What was told would be told again if it were not logged: a storage that cannot be reached is waited for. */
  const commitLogged = async (groupAfter: StoredGroup, logAfter: StoredLog): Promise<void> => {
    for (;;) {
      try {
        await commitUnlessLost(groupAfter, logAfter)
        return isLost ? await logAnyway(alerts, { logKey, log, route }) : undefined
      } catch (error) {
        if (!isUnreachable(error)) throw error
        if (!(await pause(retryMs, { clock, activity, cutoffs: [halt] }))) throw error
      }
    }
  }

  const claimNow = (): FlushClaim => ({ holder, until: clock.now() + claimLifeMs })
  const addLogged = (logged: Readonly<Record<string, LoggedNotification>>): void => {
    const integrations = Object.assign({}, log.integrations, logged)
    log = log.claim === undefined ? { integrations } : { integrations, claim: log.claim }
  }

  return {
    id,
    route,
    group,
    log,
    tick,

    async renew() {
      const claim = claimNow()
      await commitUnlessLost({ ...group, claim }, { ...log, claim })
      return !isLost
    },

    logged(integration, notification) {
      const claim = claimNow()
      addLogged({ [integration]: notification })
      return commitLogged({ ...group, claim }, { ...log, claim })
    },

    async finish({ logged, done, isEmpty, dueAt }) {
      addLogged(logged)
      const next = group.dueAt === undefined ? undefined : (dueAt ?? group.dueAt)
      const groupAfter = groupBetweenClaims(group, {
        dueAt: isEmpty ? undefined : next,
        done: done ?? group.done,
      })
      const logAfter: StoredLog = { integrations: log.integrations }
      await commitLogged(groupAfter, logAfter)
      if (isLost || isEmpty) return store.recentLogs.forget(id)
      const left = { id: logKey, value: logAfter, version: current.log }
      store.recentLogs.set({ id, version: current.group }, left)
    },
  }
}

/** Whether the storage cannot be reached, but may be later. */
const isUnreachable = (error: unknown): boolean =>
  isGatehouseError(error) && error.kind === 'ServiceUnavailable' && error.reason !== 'StorageClosed'
