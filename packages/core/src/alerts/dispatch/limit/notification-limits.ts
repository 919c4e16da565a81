import { type Content, createDecisionQueue } from '../../../storage/decision-queue.ts'
import { type RateLimit, spendRate } from '../../../storage/rate-limit.ts'
import type { Storage } from '../../../storage/storage.ts'
import type { Clock, Instant } from '../../../time/clock.ts'
import { claimLifeMs } from '../group/group.ts'
import type { Sightings } from '../group/sightings.ts'
import type { LoggedNotification } from '../log/log.ts'
import {
  type Limit,
  type LimitedGroup,
  limitCollection,
  type StoredLimit,
  type Waiting,
} from './limit.ts'

/** A group that is over a limit. */
export interface Cover {
  readonly limit: Limit
  /** What the last summary said about the group. */
  readonly told: LoggedNotification | undefined
  /** Whether a summary may have arrived without a confirmation. */
  readonly isUnknown: boolean
}

/** A permission to send a summary. */
export interface SummaryTurn {
  readonly limit: Limit
  /** The groups over the limit, by id. */
  readonly groups: Readonly<Record<string, LimitedGroup>>
  readonly kept: Readonly<Record<string, string>> | undefined
  readonly beat: number
}

/** The answer to a flush that wants to notify: it may, it must not, or it may send a summary instead. */
export type Permission =
  | { readonly may: 'send' }
  | { readonly may: 'wait'; readonly limit: Limit }
  | ({ readonly may: 'summarize' } & SummaryTurn)

/** What a flush asks for. */
export interface LimitRequest {
  /** The limits of the integration. */
  limits: readonly Limit[]
  group: { readonly id: string; readonly groupKey: string }
  cover: Cover | undefined
  /** Whether the receiver considers the group firing by its own notification: then its own notification must resolve it. */
  isOpen: boolean
  /** Whether the notification would only repeat the one before. */
  isRepeat: boolean
  /** How long a flush may take, in ms. */
  deadlineMs: number
  /** When the state of groups expires unless it is written again. */
  keepUntil: Instant
}

/** The result of a summary. */
export interface SummaryEnd {
  /** What it said, by group; none if it was not sent. A group that is missing needs no further summary. */
  told: Readonly<Record<string, LoggedNotification>> | undefined
  /** Values that the integration stored; none: those of the summary before. */
  kept: Readonly<Record<string, string>> | undefined
  isUnknown: boolean
  keepUntil: Instant
}

/** The rate limits of notifications, shared by all processes on the storage. */
export interface NotificationLimits {
  /** Whether and by which limit a group is covered by summaries. */
  find(limits: readonly Limit[], groupId: string): Promise<Cover | undefined>
  ask(request: LimitRequest): Promise<Permission>
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
}

/** The most groups in one summary. Further ones wait for a notification of their own. */
const mostGroups = 2_000

/** Creates {@link NotificationLimits}. */
export function createNotificationLimits({
  storage,
  clock,
  sightings,
  holder,
  nextBeat,
}: NotificationLimitsOptions): NotificationLimits {
  const queue = createDecisionQueue({ storage, collection: limitCollection, clock })
  /** The summaries that this process is sending. */
  const sending = new Set<number>()

  /** A process that died while it sent a summary must not stop all further ones. */
  const isBusy = ({ sender }: StoredLimit, deadlineMs: number): boolean => {
    if (sender === undefined) return false
    if (sender.holder === holder) return sending.has(sender.beat)
    return sightings.age(`summary ${sender.holder} ${sender.beat}`) < deadlineMs + claimLifeMs
  }

  /** Whether the process that sent a summary is gone, or still sends it: it may have arrived. */
  const isOpenEnded = ({ sender, isUnknown }: StoredLimit): boolean =>
    isUnknown === true || sender !== undefined

  const coverOf = (
    limits: readonly Limit[],
    contents: readonly Content<StoredLimit>[],
    groupId: string,
  ): Cover | undefined => {
    for (const [index, limit] of limits.entries()) {
      const stored = contents[index]?.value
      const group = stored?.groups[groupId]
      if (stored === undefined || group === undefined) continue
      return { limit, told: group.told, isUnknown: isOpenEnded(stored) }
    }
    return undefined
  }

  return {
    find: (limits, groupId) =>
      queue.decideTogether(
        limits.map(({ id }) => id),
        (contents) => ({ contents, answer: coverOf(limits, contents, groupId) }),
      ),

    async ask({ limits, group, cover, isOpen, isRepeat, deadlineMs, keepUntil }) {
      // A summary of a receiver is about groups of several routes, so it counts only for the receiver.
      const counted = cover === undefined ? limits : limits.slice(limits.indexOf(cover.limit))
      const beat = nextBeat()
      const who = cover?.limit.id ?? 'own'
      const ids = counted.map(({ id }) => id)
      const permission = await queue.decideTogether<Permission>(ids, (contents) => {
        const now = clock.now()
        const [first] = contents
        if (cover !== undefined && first?.value !== undefined && isBusy(first.value, deadlineMs)) {
          return { contents, answer: { may: 'wait', limit: cover.limit } }
        }
        const spent = counted.map(({ rate }, index) => ({
          before: contents[index]?.value,
          queue: waitingNow(contents[index]?.value, rate, { now, deadlineMs }),
          ...spendRate(rate, now)(contents[index]?.value?.spent, undefined),
        }))
        const refusing = spent.findIndex(
          ({ answer, queue }) => !answer.allowed || !isNext(queue, who, isRepeat),
        )
        const refused = counted[refusing]
        const refusal = spent[refusing]
        if (refused !== undefined && refusal !== undefined) {
          const answer: Permission = { may: 'wait', limit: refused }
          const { before, queue } = refusal
          if (before === undefined) return { contents, answer }
          const retryAfterMs = refusal.answer.allowed ? 0 : refusal.answer.retryAfterMs
          const until = now + retryAfterMs + 2 * deadlineMs
          const joins = cover === undefined && !isOpen && hasPlace(before)
          // A group that joins comes back for the summary.
          const place = { who: joins ? refused.id : who, until }
          const waiting = isRepeat ? before : withPlace(before, queue, place)
          const groups = { ...before.groups, [group.id]: { groupKey: group.groupKey } }
          const value = joins ? { ...waiting, groups } : waiting
          if (value === before) return { contents, answer }
          return { contents: contents.with(refusing, { value, expiresAt: keepUntil }), answer }
        }
        const after = spent.map(
          ({ before, queue, value, expiresAt = now }): Content<StoredLimit> => {
            const { groups = {}, queue: _, ...rest } = before ?? {}
            if (value === undefined) return { value: before }
            const others = queue.filter((one) => one.who !== who)
            const isIdle = Object.keys(groups).length === 0
            return {
              value: { ...rest, groups, spent: value, ...(others.length > 0 && { queue: others }) },
              expiresAt: isIdle ? expiresAt : Math.max(expiresAt, keepUntil),
            }
          },
        )
        const record = after[0]?.value
        if (cover === undefined || record === undefined) {
          return { contents: after, answer: { may: 'send' } }
        }
        const claimed = { ...after[0], value: { ...record, sender: { holder, beat } } }
        const { groups, kept } = record
        const turn = { limit: cover.limit, groups, kept, beat }
        return { contents: after.with(0, claimed), answer: { may: 'summarize', ...turn } }
      })
      if (permission.may === 'summarize') sending.add(beat)
      return permission
    },

    async end({ limit, groups, beat }, { told, kept, isUnknown, keepUntil }) {
      await queue.decide(limit.id, (before, expiresAt) => {
        if (before === undefined) return { value: before, expiresAt, answer: undefined }
        const { sender, isUnknown: _, kept: keptBefore, ...rest } = before
        const isOurs = sender?.holder === holder && sender.beat === beat
        const left = told === undefined ? before.groups : groupsAfter(before.groups, groups, told)
        const isOver = Object.keys(left).length === 0
        const keeps = isOver ? undefined : (kept ?? keptBefore)
        const value: StoredLimit = {
          ...rest,
          groups: left,
          ...(sender === undefined || isOurs ? {} : { sender }),
          ...(isUnknown ? { isUnknown } : {}),
          ...(keeps === undefined ? {} : { kept: keeps }),
        }
        return { value, expiresAt: Math.max(expiresAt ?? 0, keepUntil), answer: undefined }
      })
      sending.delete(beat)
    },

    release: (limit, groupId) =>
      queue.decide(limit.id, (before, expiresAt) => {
        if (before?.groups[groupId] === undefined) {
          return { value: before, expiresAt, answer: undefined }
        }
        const { [groupId]: _, ...groups } = before.groups
        return { value: { ...before, groups }, expiresAt, answer: undefined }
      }),
  }
}

/** The places of those who may still come. A place that a clock far ahead gave away counts as lost. */
const waitingNow = (
  stored: StoredLimit | undefined,
  { per }: RateLimit,
  { now, deadlineMs }: { now: Instant; deadlineMs: number },
): readonly Waiting[] =>
  (stored?.queue ?? []).filter(({ until }) => until >= now && until - now <= per + 2 * deadlineMs)

/**
 * Whether it is the turn of somebody. Without turns, one group that changes often could take every notification. A repetition
 * says nothing new, so everybody else goes first.
 */
const isNext = (queue: readonly Waiting[], who: string, isRepeat: boolean): boolean => {
  const [first] = queue
  return first === undefined || (first.who === who && !isRepeat)
}

/** The record with a place for somebody in its queue; the same record if that has one. */
function withPlace(stored: StoredLimit, queue: readonly Waiting[], place: Waiting): StoredLimit {
  if (queue.some(({ who }) => who === place.who)) return stored
  const before = stored.queue ?? []
  // A place that was lost because others came first keeps its position.
  const kept = before.map((one) => (one.who === place.who ? place : one))
  return { ...stored, queue: kept.includes(place) ? kept : [...queue, place] }
}

const hasPlace = ({ groups }: StoredLimit): boolean => Object.keys(groups).length < mostGroups

/** The groups over a limit after a summary: those that it was about as it told them, and those that joined meanwhile. */
function groupsAfter(
  now: StoredLimit['groups'],
  summarized: StoredLimit['groups'],
  told: Readonly<Record<string, LoggedNotification>>,
): StoredLimit['groups'] {
  const after: Record<string, LimitedGroup> = {}
  for (const [id, group] of Object.entries(now)) {
    const last = told[id]
    if (last !== undefined) after[id] = { groupKey: group.groupKey, told: last }
    else if (!Object.hasOwn(summarized, id)) after[id] = group
  }
  return after
}
