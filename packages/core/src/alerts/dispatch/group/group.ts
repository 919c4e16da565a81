import { sha256Hex } from '../../../crypto/crypto.ts'
import { defineCollection, type TypedCollection } from '../../../storage/collection.ts'
import {
  mapOf,
  number,
  objectOf,
  optional,
  type RecordCheck,
  text,
} from '../../../storage/record-check.ts'
import type { Version } from '../../../storage/storage.ts'
import type { Instant } from '../../../time/clock.ts'
import type { Labels, StoredAlert } from '../../alert/alert.ts'
import { type LabelSet, labelSetToObject } from '../../alert/label-set.ts'
import { groupKey } from '../../routing/group-key.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'

/** A flush that some process is at. */
export interface FlushClaim {
  /** The process. */
  readonly holder: string
  /**
   * When it ends unless it is renewed, by the clock of the process. Others go by {@link claimKey}: a process counts as gone
   * when its claim has been the same for {@link claimLifeMs}, as their clocks may show any other time.
   */
  readonly until: Instant
  /** Grows with every claim of the process and every renewal. Absent in records of older versions. */
  readonly beat?: number
}

/** How long a claim lives unless it is renewed. */
export const claimLifeMs = 15_000

/** Names a claim between two renewals. */
export const claimKey = ({ holder, until, beat = until }: FlushClaim): string => `${holder} ${beat}`

/**
 * What is kept of an alert group, so that a restart goes on where the last process stopped: when it is due, and which
 * of its alerts are done with. The alerts themselves are not repeated here.
 */
export interface StoredGroup {
  /** The id of its route. */
  readonly route: string
  readonly receiver: string
  readonly groupKey: string
  readonly labels: Labels
  /** When it is flushed next; absent while it holds no alert. */
  readonly dueAt?: Instant
  /** That of a flush which takes long: until it is renewed for the first time it stands in the log alone. */
  readonly claim?: FlushClaim
  /**
   * Resolved alerts that have left the group: by fingerprint the version of the alert as it was when they were told of.
   * One that has another version by now is in the group again.
   */
  readonly done: Readonly<Record<string, Version>>
}

/** Checks a stored claim. */
export const storedClaim: RecordCheck = objectOf<FlushClaim>({
  holder: text,
  until: number,
  beat: optional(number),
})

/** Groups that have or had alerts which are still stored, by {@link groupId}. */
export const groupCollection: TypedCollection<StoredGroup> = defineCollection<StoredGroup>({
  name: 'alert_groups',
  feed: true,
  unreadable: 'skip',
  check: objectOf<StoredGroup>({
    route: text,
    receiver: text,
    groupKey: text,
    labels: mapOf(text),
    dueAt: optional(number),
    claim: optional(storedClaim),
    done: mapOf(text),
  }),
})

/** Names a group among all groups of a routing tree; a route that gets another receiver has other groups. */
export const groupId = ({ id, receiver }: RouteNode, labels: LabelSet): string =>
  sha256Hex(JSON.stringify([id, receiver, ...labels])).slice(0, 32)

/** A group that has just got its first alert. */
export function newGroup(route: RouteNode, labels: LabelSet, dueAt: Instant): StoredGroup {
  return {
    route: route.id,
    receiver: route.receiver,
    groupKey: groupKey(route, labels),
    labels: labelSetToObject(labels),
    dueAt,
    done: {},
  }
}

/** What is kept of a group while no flush is at it. Written in full: a copy of a copy has a shape of its own, which costs more. */
export function groupBetweenClaims(
  { route, receiver, groupKey, labels }: StoredGroup,
  { dueAt, done }: { dueAt: Instant | undefined; done: StoredGroup['done'] },
): StoredGroup {
  const group = { route, receiver, groupKey, labels, done }
  return dueAt === undefined ? group : { dueAt, ...group }
}

/**
 * When a group is due that this alert creates: after its route's `group_wait`, or at once if the alert is older than that.
 *
 * @see Alertmanager documentation, `group_wait`
 */
export function firstDueAt({ startsAt, updatedAt }: StoredAlert, route: RouteNode): Instant {
  return startsAt + route.groupWaitMs <= updatedAt ? updatedAt : updatedAt + route.groupWaitMs
}

/** A flush that begins later than this after it was due is one of now: its process was not there. */
const punctualMs = 1_000
/** Timers and the wall clock do not quite agree, so that a flush may begin this early. */
const earlyMs = 20

/**
 * The instant that a flush which begins now is one of, and when the next one is due: ticks stay on the group's grid if they
 * can. A grid that lies further away than the interval is one of another clock, or of this one before it was corrected.
 */
export function flushTimes(
  group: StoredGroup,
  intervalMs: number,
  now: Instant,
): { tick: Instant; next: Instant } {
  const { dueAt = now, claim } = group
  // Taken over from a process that is gone: that had moved the group on to its next tick.
  if (claim !== undefined && dueAt > now) {
    return { tick: now, next: Math.min(dueAt, now + intervalMs) }
  }
  // One that is flushed early gets another grid.
  return tickOf(dueAt - now < earlyMs ? dueAt : now, intervalMs, now)
}

function tickOf(
  dueAt: Instant,
  intervalMs: number,
  now: Instant,
): { tick: Instant; next: Instant } {
  const next = dueAt + intervalMs
  return {
    tick: now - dueAt < punctualMs ? dueAt : now,
    next: next > now ? next : now + intervalMs,
  }
}

/** How long a group waits for its next flush at most: one that is due later was timed by another clock. */
export const longestWaitMs = ({ groupWaitMs, groupIntervalMs }: RouteNode): number =>
  Math.max(groupWaitMs, groupIntervalMs)
