import { isConflict, type Version, type Write } from '../../../storage/storage.ts'
import type { Clock, Instant } from '../../../time/clock.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'
import type { FlushContext } from '../flush-context.ts'
import { claimLifeMs, type FlushClaim, groupCollection, type StoredGroup } from '../group/group.ts'
import type { Sightings } from '../group/sightings.ts'
import { logCollection, logExpiry, type StoredLog } from '../log/log.ts'
import type { Activity } from '../pace/activity.ts'
import {
  beforeClaim,
  type ClaimState,
  committed,
  conflicted,
  logOf,
  type Moment,
} from './claim-state.ts'
import type { FlushStore } from './flush-store.ts'

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

/** The claim of a flush in the storage: the commits that make, renew and release it, one after another. */
export interface StoredClaim {
  /** Each commit stores what this says when the commit is made. */
  state: ClaimState
  /** Makes the claim. `versions` are the records that the decision to flush is based on. */
  begin(versions: { group: Version; log: Version | 'absent' }): Promise<void>
  /** Renews the claim, and stores the state. Does nothing once the claim is lost. */
  keep(): Promise<void>
  /** Stores the state and the group without the claim. Does nothing once the claim is lost. */
  release(group: StoredGroup): Promise<void>
}

/** The present, by both clocks. */
export const momentOf = (clock: Pick<Clock, 'monotonic' | 'now'>): Moment => ({
  monotonic: clock.monotonic(),
  wall: clock.now(),
})

/** Creates a {@link StoredClaim} that is not stored yet. */
export function createStoredClaim(
  alerts: FlushContext,
  { by, route, id, logKey, group, log, announced }: Claimed,
): StoredClaim {
  const { storage, clock } = alerts
  /** Each commit depends on the versions of the one before. */
  let queue: Promise<unknown> = Promise.resolve()

  const newClaim = (): FlushClaim => ({
    holder: by.holder,
    until: clock.now() + claimLifeMs,
    beat: by.nextBeat(),
  })

  const writeLog = (value: StoredLog, version: Version | 'absent'): Write =>
    logCollection.write(logKey, value, {
      if: version,
      expiresAt: logExpiry(alerts, route, clock.now()),
    })

  const commit = async (after: StoredGroup, claim: FlushClaim | undefined): Promise<void> => {
    const { versions } = stored.state
    const before = momentOf(clock)
    const [groupVersion = '', logVersion = ''] = await by.store.end([
      groupCollection.write(id, after, { if: versions.group }),
      writeLog(logOf(stored.state, claim), versions.log),
    ])
    const renewedAt = claim === undefined ? undefined : before
    stored.state = committed(stored.state, { group: groupVersion, log: logVersion }, renewedAt)
  }

  const commitUnlessLost = (make: () => [StoredGroup, FlushClaim | undefined]): Promise<void> => {
    const work = async (): Promise<void> => {
      while (!stored.state.isLost) {
        try {
          return await commit(...make())
        } catch (error) {
          if (!isConflict(error)) throw error
        }
        const [log, group] = await Promise.all([
          logCollection.get(storage, logKey),
          groupCollection.get(storage, id),
        ])
        stored.state = conflicted(stored.state, { group, log }, by.holder)
      }
    }
    const result = queue.then(work)
    queue = result.catch(() => undefined) // the caller that made the commit gets the error
    return result
  }

  const stored: StoredClaim = {
    state: beforeClaim(log, announced),

    async begin({ group: version, log }) {
      const before = momentOf(clock)
      const [, logVersion = ''] = await by.store.begin([
        { collection: groupCollection, id, check: version },
        writeLog(logOf(stored.state, newClaim()), log),
      ])
      stored.state = committed(stored.state, { group: version, log: logVersion }, before)
    },

    keep: () =>
      commitUnlessLost(() => {
        const claim = newClaim()
        return [{ ...group, claim }, claim]
      }),

    release: (after) => commitUnlessLost(() => [after, undefined]),
  }
  return stored
}
