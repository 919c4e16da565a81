import type { TypedRecord } from '../../../storage/collection.ts'
import type { Version } from '../../../storage/storage.ts'
import { claimLifeMs, type FlushClaim, type StoredGroup } from '../group/group.ts'
import { type LoggedNotification, type StoredLog, union } from '../log/log.ts'

/** An instant by both clocks: the monotonic one stops while some machines sleep, and the other may be set back. */
export interface Moment {
  readonly monotonic: number
  readonly wall: number
}

/** The records that a claim consists of, by their versions. */
export interface ClaimVersions {
  readonly group: Version
  readonly log: Version
}

/** What a process knows about the flush of a group that it has claimed. It changes with what is sent, and with each commit. */
export interface ClaimState {
  /** The last notifications, by integration. */
  readonly integrations: StoredLog['integrations']
  /** Integrations that may have been notified since the claim, and have not confirmed it. */
  readonly announced: readonly string[]
  /** Integrations whose last received state was uncertain before this flush, and that have received nothing since. */
  readonly unknown: readonly string[]
  /** The notifications of this flush. */
  readonly sent: StoredLog['integrations']
  readonly versions: ClaimVersions
  /** When the commit began that made or renewed the claim last. */
  readonly sureSince: Moment
  /** Another process has taken the claim over. This does not change any more. */
  readonly isLost: boolean
}

/**
 * How long a claim is certain after the commit that made or renewed it. Others take it over `claimLifeMs` after they saw it,
 * which is later; the difference leaves time for a notification to arrive.
 */
const sureMs = (2 * claimLifeMs) / 3

const never: Moment = { monotonic: 0, wall: 0 }

/** The state before the claim is stored. */
export const beforeClaim = (log: StoredLog, announced: readonly string[]): ClaimState => ({
  integrations: log.integrations,
  announced,
  unknown: log.unknown ?? [],
  sent: {},
  versions: { group: '', log: '' },
  sureSince: never,
  isLost: false,
})

/** More integrations are about to be notified. */
export const announcing = (state: ClaimState, more: readonly string[]): ClaimState => ({
  ...state,
  announced: union(state.announced, more),
})

/** Notifications were sent: what their integrations received is certain. */
export function sending(state: ClaimState, sent: StoredLog['integrations']): ClaimState {
  const isOpen = (integration: string): boolean => !Object.hasOwn(sent, integration)
  return {
    ...state,
    integrations: { ...state.integrations, ...sent },
    sent: { ...state.sent, ...sent },
    announced: state.announced.length === 0 ? state.announced : state.announced.filter(isOpen),
    unknown: state.unknown.length === 0 ? state.unknown : state.unknown.filter(isOpen),
  }
}

/** The flush ends, after these last notifications. */
export function ending(
  state: ClaimState,
  logged: Readonly<Record<string, LoggedNotification>>,
  uncertain: readonly string[],
): ClaimState {
  const after = sending(state, logged)
  return { ...after, unknown: union(after.unknown, uncertain) }
}

/**
 * The log as it is stored now, with the claim or, at the end, without. With a claim, integrations that are about to be notified
 * count as unknown: if this process dies, nobody knows what they received.
 */
export function logOf(
  { integrations, announced, unknown }: ClaimState,
  claim: FlushClaim | undefined,
): StoredLog {
  const log = claim === undefined ? { integrations } : { integrations, claim }
  const doubtful = claim === undefined ? unknown : union(unknown, announced)
  return doubtful.length === 0 ? log : { ...log, unknown: doubtful }
}

/**
 * A commit was made.
 *
 * @param renewedAt when it began, if it made or renewed the claim.
 */
export const committed = (
  state: ClaimState,
  versions: ClaimVersions,
  renewedAt: Moment | undefined,
): ClaimState => ({ ...state, versions, sureSince: renewedAt ?? state.sureSince })

/**
 * A commit failed because a record has another version. An earlier commit without a confirmation may have been made: then the
 * claim in the storage is still that of the holder, and the state goes on from its versions. Otherwise the claim is lost.
 */
export function conflicted(
  state: ClaimState,
  {
    group,
    log,
  }: {
    readonly group: TypedRecord<StoredGroup> | undefined
    readonly log: TypedRecord<StoredLog> | undefined
  },
  holder: string,
): ClaimState {
  const lost = { ...state, isLost: true }
  if (log?.value.claim?.holder !== holder || group === undefined) return lost
  const isGroupAsKnown = group.version === state.versions.group
  if (!isGroupAsKnown && group.value.claim?.holder !== holder) return lost
  if (isGroupAsKnown && log.version === state.versions.log) return lost
  return { ...state, versions: { group: group.version, log: log.version } }
}

/**
 * Whether no other process can have claimed the flush by now. A process does not notice that it was suspended, and may then act
 * at the same time as another.
 */
export function isSureAt({ isLost, sureSince }: ClaimState, { monotonic, wall }: Moment): boolean {
  const passedMs = Math.max(monotonic - sureSince.monotonic, wall - sureSince.wall)
  return !isLost && passedMs < sureMs
}
