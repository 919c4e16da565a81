import type { Content } from '../../../storage/decision-queue.ts'
import { allowedAt, returnRate, spendRate } from '../../../storage/rate-limit.ts'
import type { Instant } from '../../../time/clock.ts'
import { claimLifeMs } from '../group/group.ts'
import { isSameState, type LoggedNotification } from '../log/log.ts'
import { mustYield, type Turn, withTaken, withWaiting } from './fair-turns.ts'
import type { Limit, LimitedGroup, StoredLimit } from './limit.ts'

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
  readonly isUnknown: boolean
  readonly beat: number
}

/** The answer to a flush that wants to notify. */
export type Permission =
  | { readonly may: 'send' }
  | { readonly may: 'wait'; readonly limit: Limit }
  /** It must send a summary instead. */
  | ({ readonly may: 'summarize' } & SummaryTurn)
  /** Its plan is outdated: a summary has been sent meanwhile. */
  | { readonly may: 'replan' }

/** What a flush asks for. */
export interface LimitRequest {
  /** The limits of the integration. */
  limits: readonly Limit[]
  group: { readonly id: string; readonly groupKey: string }
  cover: Cover | undefined
  /** Whether the receiver considers the group firing by its own notification: then its own notification must resolve it. */
  isOpen: boolean
  /** Whether it has nothing new to say. */
  isReminder: boolean
  /** When the group asks again if it must wait, in ms. */
  intervalMs: number
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

/** The contents of limits after a decision, and the answer to the flush. */
export interface LimitDecision<A> {
  readonly contents: readonly Content<StoredLimit>[]
  readonly answer: A
}

/** The most groups in one summary. Further ones wait for a notification of their own. */
const maxGroups = 1_000

/** Whether a summary may have arrived unnoticed: its sender did not say how it ended. */
const isOpenEnded = ({ sender, isUnknown }: StoredLimit): boolean =>
  isUnknown === true || sender !== undefined

/** Whether what a plan knows about a group is still stored. */
const isAsPlanned = (group: LimitedGroup | undefined, cover: Cover | undefined): boolean => {
  if (group === undefined || cover === undefined) return group === undefined && cover === undefined
  const [now, before] = [group.told, cover.told]
  if (now === undefined || before === undefined) return now === before
  return now.at === before.at && isSameState(now, before)
}

/** The limits that a notification counts for: a summary of a receiver's limit has groups of several routes. */
export const countedFor = ({
  limits,
  cover,
}: Pick<LimitRequest, 'limits' | 'cover'>): readonly Limit[] =>
  cover === undefined ? limits : limits.slice(limits.findIndex(({ id }) => id === cover.limit.id))

/** What happens to one of the limits that a notification counts for. */
const decisionOf = (
  { rate }: Limit,
  { value: before, expiresAt }: Content<StoredLimit>,
  { turn, isReminder, now }: { turn: Turn; isReminder: boolean; now: Instant },
) => {
  const spending = spendRate(rate, now)(before?.spent, expiresAt)
  const freeMs = now - allowedAt(rate, before?.spent, now)
  const isAllowed =
    spending.answer.allowed && !mustYield(before?.waits, { turn, isReminder, freeMs })
  return { before, expiresAt, turn, spending, freeMs, isAllowed }
}

/** The limit that refuses a notification, afterwards: the group joins those of the next summary, unless it must not. */
const refusedBy = (
  { before, expiresAt, turn, spending }: ReturnType<typeof decisionOf>,
  { group, cover, isOpen, isReminder, intervalMs, keepUntil }: LimitRequest,
): Content<StoredLimit> => {
  if (before === undefined) return { value: before, expiresAt }
  const joins = cover === undefined && !isOpen && Object.keys(before.groups).length < maxGroups
  const groups = joins
    ? { ...before.groups, [group.id]: { groupKey: group.groupKey } }
    : before.groups
  const askMs = intervalMs + claimLifeMs
  const waiting = joins ? 'summary' : turn
  const isNews = !isReminder && (before.waits?.[waiting] ?? 0) < askMs
  const waits = isNews ? withWaiting(before.waits, waiting, askMs) : before.waits
  // A clock that was set back needs its new beginning stored; otherwise a refusal spends nothing.
  const spent = spending.answer.allowed ? before.spent : (spending.value ?? before.spent)
  if (!joins && !isNews && spent === before.spent) return { value: before, expiresAt }
  const value = { ...before, groups, spent, ...(waits === undefined ? {} : { waits }) }
  return { value, expiresAt: Math.max(expiresAt ?? 0, keepUntil) }
}

/** A limit that allows a notification, afterwards. */
const takenFrom = (
  { before, expiresAt = 0, turn, spending, freeMs }: ReturnType<typeof decisionOf>,
  keepUntil: Instant,
): Content<StoredLimit> => {
  const { value: spent, expiresAt: refilledAt = 0 } = spending
  if (spent === undefined) return { value: before, expiresAt }
  const groups = before?.groups ?? {}
  const waits = before?.waits === undefined ? {} : { waits: withTaken(before.waits, turn, freeMs) }
  const isIdle = Object.keys(groups).length === 0
  return {
    value: { ...before, ...waits, groups, spent },
    expiresAt: isIdle ? refilledAt : Math.max(refilledAt, expiresAt, keepUntil),
  }
}

/** The process that asks, and the present. */
export interface Asker {
  /** The unique id of its dispatcher. */
  readonly holder: string
  /** The number of a summary, if it sends one. */
  readonly beat: number
  readonly now: Instant
  /** Whether a process is still sending the summary that this limit knows of: one that died must not stop all further ones. */
  readonly isBusy: (limit: StoredLimit) => boolean
}

/**
 * Whether a flush may notify, and what its limits are afterwards.
 *
 * @param contents those of the limits that the notification is {@link countedFor}, in their order.
 */
export function permissionFor(
  contents: readonly Content<StoredLimit>[],
  request: LimitRequest,
  { holder, beat, now, isBusy }: Asker,
): LimitDecision<Permission> {
  const { group, cover, isReminder, deadlineMs, keepUntil } = request
  const counted = countedFor(request)
  const isCurrent = contents.every(({ value }, index) =>
    isAsPlanned(value?.groups[group.id], index === 0 ? cover : undefined),
  )
  if (!isCurrent) return { contents, answer: { may: 'replan' } }
  const [first] = contents
  if (cover !== undefined && first?.value !== undefined && isBusy(first.value)) {
    return { contents, answer: { may: 'wait', limit: cover.limit } }
  }
  const decisions = counted.map((limit, index) => {
    const turn = cover !== undefined && index === 0 ? 'summary' : 'group'
    return decisionOf(limit, contents[index] ?? { value: undefined }, { turn, isReminder, now })
  })
  const refusing = decisions.findIndex(({ isAllowed }) => !isAllowed)
  const [refused, limit] = [decisions[refusing], counted[refusing]]
  if (refused !== undefined && limit !== undefined) {
    const after = contents.with(refusing, refusedBy(refused, request))
    return { contents: after, answer: { may: 'wait', limit } }
  }
  const after = decisions.map((one) => takenFrom(one, keepUntil))
  const record = after[0]?.value
  if (cover === undefined || record === undefined) {
    return { contents: after, answer: { may: 'send' } }
  }
  const sender = { holder, beat, lifeMs: deadlineMs + claimLifeMs }
  const claimed = { ...after[0], value: { ...record, sender } }
  const { groups, kept } = record
  const turn = { limit: cover.limit, groups, kept, isUnknown: isOpenEnded(record), beat }
  return { contents: after.with(0, claimed), answer: { may: 'summarize', ...turn } }
}

/** Whether and by which limit a group is covered. Keeps that stored at least until `keepUntil`, or nearly. */
export function coverOf(
  contents: readonly Content<StoredLimit>[],
  {
    limits,
    groupId,
    keepUntil,
  }: {
    readonly limits: readonly Limit[]
    readonly groupId: string
    readonly keepUntil: Instant
  },
  now: Instant,
): LimitDecision<Cover | undefined> {
  for (const [index, limit] of limits.entries()) {
    const { value, expiresAt } = contents[index] ?? {}
    const group = value?.groups[groupId]
    if (value === undefined || group === undefined) continue
    const answer = { limit, told: group.told, isUnknown: isOpenEnded(value) }
    const isKept = expiresAt === undefined || expiresAt - now > (keepUntil - now) / 2
    if (isKept) return { contents, answer }
    return { contents: contents.with(index, { value, expiresAt: keepUntil }), answer }
  }
  return { contents, answer: undefined }
}

/** A limit of a notification that did not arrive. */
export const returned = ({ value, ...rest }: Content<StoredLimit>): Content<StoredLimit> =>
  value === undefined ? { value } : { ...rest, value: { ...value, spent: returnRate(value.spent) } }

/** A limit that no longer covers a group. */
export function released(content: Content<StoredLimit>, groupId: string): Content<StoredLimit> {
  if (content.value?.groups[groupId] === undefined) return content
  const { [groupId]: _, ...groups } = content.value.groups
  return { ...content, value: { ...content.value, groups } }
}

/** A limit after a summary of the process `holder`. */
export function afterSummary(
  before: StoredLimit,
  { groups, beat }: SummaryTurn,
  { told, kept, isUnknown }: SummaryEnd,
  holder: string,
): StoredLimit {
  const { sender, isUnknown: _, kept: keptBefore, ...rest } = before
  if (sender?.holder !== holder || sender.beat !== beat) {
    // Stored already, by a commit that was not confirmed; or another process took over, and may have sent before us or after us.
    const isStored = Object.entries(told ?? {}).every(
      ([id, { at }]) => before.groups[id]?.told?.at === at,
    )
    if (sender === undefined && isStored) return before
    const disputed = sender === undefined ? {} : { sender: { ...sender, isDisputed: true } }
    return { ...before, ...disputed, isUnknown: true }
  }
  const left = told === undefined ? before.groups : groupsAfter(before.groups, groups, told)
  const keeps = Object.keys(left).length === 0 ? undefined : (kept ?? keptBefore)
  return {
    ...rest,
    groups: left,
    ...(isUnknown || sender.isDisputed === true ? { isUnknown: true } : {}),
    ...(keeps === undefined ? {} : { kept: keeps }),
  }
}

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
