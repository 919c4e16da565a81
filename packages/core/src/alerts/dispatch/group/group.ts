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
import type { Labels } from '../../alert/alert.ts'
import { type LabelSet, labelSetToObject } from '../../alert/label-set.ts'
import { groupKey } from '../../routing/group-key.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'

/** The claim of a process that is flushing a group. */
export interface FlushClaim {
  /** The id of the process. */
  readonly holder: string
  /**
   * When it expires unless it is renewed, by the clock of its process. Others use {@link claimKey}, because their clocks may
   * differ: a process counts as gone when its claim has not changed for {@link claimLifeMs}.
   */
  readonly until: Instant
  /** Grows with every claim of the process and every renewal. Absent in records of older versions. */
  readonly beat?: number
}

/** How long a claim lives unless it is renewed, in ms. */
export const claimLifeMs = 15_000

/** Identifies a claim between two renewals. */
export const claimKey = ({ holder, until, beat = until }: FlushClaim): string => `${holder} ${beat}`

/**
 * The stored state of an alert group, so that a restart continues where the last process stopped: when it is due, and which
 * alerts have left it. The alerts themselves are stored elsewhere.
 */
export interface StoredGroup {
  /** The id of its route. */
  readonly route: string
  readonly receiver: string
  readonly groupKey: string
  readonly labels: Labels
  /** When it is flushed next; absent while it has no alert. */
  readonly dueAt?: Instant
  /** The claim of a slow flush: until its first renewal it is only in the log. */
  readonly claim?: FlushClaim
  /**
   * Resolved alerts that have left the group: by fingerprint, the version of the alert that was reported. An alert with another
   * version is in the group again.
   */
  readonly done: Readonly<Record<string, Version>>
}

/** Checks a stored claim. */
export const storedClaim: RecordCheck = objectOf<FlushClaim>({
  holder: text,
  until: number,
  beat: optional(number),
})

/** Groups that have, or had, alerts that are still stored, by {@link groupId}. */
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

/** Identifies a group among all groups of a routing tree; changing a route's receiver creates other groups. */
export const groupId = ({ id, receiver }: RouteNode, labels: LabelSet): string =>
  sha256Hex(JSON.stringify([id, receiver, ...labels])).slice(0, 32)

/** Creates the record of a group with its first alert. */
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

/** The record of a group between flushes. Written in full: a copy of a copy has its own shape, which is slower. */
export function groupBetweenClaims(
  { route, receiver, groupKey, labels }: StoredGroup,
  { dueAt, done }: { dueAt: Instant | undefined; done: StoredGroup['done'] },
): StoredGroup {
  const group = { route, receiver, groupKey, labels, done }
  return dueAt === undefined ? group : { dueAt, ...group }
}
