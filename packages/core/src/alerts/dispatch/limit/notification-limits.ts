import { type Content, createDecisionQueue } from '../../../storage/decision-queue.ts'
import type { Storage } from '../../../storage/storage.ts'
import type { Clock, Instant } from '../../../time/clock.ts'
import type { Sightings } from '../group/sightings.ts'
import type { PauseOptions } from '../pace/pause.ts'
import { whenReachable } from '../pace/when-reachable.ts'
import { type Limit, limitCollection, type StoredLimit } from './limit.ts'
import {
  afterSummary,
  type Cover,
  countedFor,
  coverOf,
  type LimitRequest,
  type Permission,
  permissionFor,
  released,
  returned,
  type SummaryEnd,
  type SummaryTurn,
} from './limit-decision.ts'

/** The rate limits of notifications, shared by all processes on the storage. */
export interface NotificationLimits {
  /** Whether and by which limit a group is covered by summaries. Keeps that stored at least until `keepUntil`, or nearly. */
  find(limits: readonly Limit[], groupId: string, keepUntil: Instant): Promise<Cover | undefined>
  ask(request: LimitRequest): Promise<Permission>
  /** Gives a permission back: the notification did not arrive. */
  giveBack(request: Pick<LimitRequest, 'limits' | 'cover'>): Promise<void>
  /** Ends a summary. */
  end(turn: SummaryTurn, result: SummaryEnd): Promise<void>
  /** Ends the coverage of a group without a summary: there is nothing to say about it. */
  release(limit: Limit, groupId: string): Promise<void>
}

/** Options of {@link createNotificationLimits}. */
export interface NotificationLimitsOptions {
  storage: Storage
  clock: Clock
  sightings: Sightings
  /** The unique id of this dispatcher. */
  holder: string
  nextBeat: () => number
  /** How to wait for an unavailable storage when a notification has ended. */
  waiting: Omit<PauseOptions, 'clock'>
}

/** Creates {@link NotificationLimits}. What it stores and answers is decided by the rules of `limit-decision.ts`. */
export function createNotificationLimits({
  storage,
  clock,
  sightings,
  holder,
  nextBeat,
  waiting,
}: NotificationLimitsOptions): NotificationLimits {
  const queue = createDecisionQueue({ storage, collection: limitCollection, clock })
  const untilEnd = { clock, ...waiting }
  /** The summaries that this process is sending. */
  const sending = new Set<number>()

  const isBusy = ({ sender }: StoredLimit): boolean => {
    if (sender === undefined) return false
    if (sender.holder === holder) return sending.has(sender.beat)
    return sightings.age(`summary ${sender.holder} ${sender.beat}`) < sender.lifeMs
  }

  return {
    find: (limits, groupId, keepUntil) =>
      queue.decideTogether<Cover | undefined>(idsOf(limits), (contents) =>
        coverOf(contents, { limits, groupId, keepUntil }, clock.now()),
      ),

    async ask(request) {
      const beat = nextBeat()
      // Now, because others may be decided together with this one.
      sending.add(beat)
      let isSending = false
      try {
        const permission = await queue.decideTogether<Permission>(
          idsOf(countedFor(request)),
          (contents) =>
            permissionFor(contents, request, { holder, beat, now: clock.now(), isBusy }),
        )
        isSending = permission.may === 'summarize'
        return permission
      } finally {
        if (!isSending) sending.delete(beat)
      }
    },

    giveBack(request) {
      const ids = idsOf(countedFor(request))
      const decide = (all: readonly Content<StoredLimit>[]) => ({
        contents: all.map(returned),
        answer: undefined,
      })
      return whenReachable(() => queue.decideTogether(ids, decide), untilEnd)
    },

    async end(turn, result) {
      const decide = (before: StoredLimit | undefined, expiresAt = 0) => ({
        value: before && afterSummary(before, turn, result, holder),
        expiresAt: Math.max(expiresAt, result.keepUntil),
        answer: undefined,
      })
      try {
        await whenReachable(() => queue.decide(turn.limit.id, decide), untilEnd)
      } finally {
        // If the end is not stored, the next flush finds a summary that has not ended.
        sending.delete(turn.beat)
      }
    },

    release: (limit, groupId) =>
      queue.decide(limit.id, (value, expiresAt) => ({
        ...released({ value, expiresAt }, groupId),
        answer: undefined,
      })),
  }
}

const idsOf = (limits: readonly Limit[]): string[] => limits.map(({ id }) => id)
