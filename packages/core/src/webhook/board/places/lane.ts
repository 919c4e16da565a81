import type { TypedRecord } from '../../../storage/collection.ts'
import type { Version } from '../../../storage/storage.ts'
import {
  laneKey,
  placeNumber,
  type StoredPlace,
  type StoredWait,
} from '../../records/place-records.ts'

/** A webhook with places. */
export interface PlacedWebhook {
  readonly id: string
  readonly concurrency: number
}

/** The record of another process whose runs wait for a place. */
export type Rival = TypedRecord<StoredWait>

/**
 * The places of one webhook, as this process knows them. A place is free, held by this process, on its way to or from it while a
 * commit is in progress, or foreign.
 */
export interface Lane {
  readonly id: string
  readonly key: string
  /** Places of this process, with the versions of their records. */
  readonly held: ReadonlyMap<number, Version>
  /** Places that a commit in progress takes. */
  readonly taking: ReadonlySet<number>
  /** Whether one of them is for waiting runs, and no run counts on it yet. */
  readonly isTaking: boolean
  /** Places that a commit in progress gives away. */
  readonly leaving: ReadonlySet<number>
  /** Counts changes of the two, so that a slow read of the records can be recognized as outdated. */
  readonly moves: number
  /** Places of other processes, at the last poll. */
  readonly foreign: ReadonlySet<number>
  readonly rival: Rival | undefined
  /** The record of waiting runs of this process: under which server id it may exist, and whether it certainly does. */
  readonly wait: { readonly server: string; readonly isKnown: boolean } | undefined
  /** The result of a commit is unknown: the storage may have places of this process that it does not know. */
  readonly isUnsure: boolean
  /** Whether a search for a place, or a withdrawal, is in progress. */
  readonly isTrying: boolean
  /** The monotonic time of the last failed attempt to get a place. */
  readonly failedAt: number
  /** The monotonic time of the last failed attempt to give a place back. */
  readonly keptAt: number
}

/** What the runs of a webhook want. */
export interface Demand {
  readonly running: number
  readonly waiting: number
  /** The webhook of the first waiting run; `undefined` if none waits, or the server is full. */
  readonly next: PlacedWebhook | undefined
}

/** What the driver has to do for a lane. */
export type LaneAction =
  /** Give a place to a rival, or to any process. */
  | {
      readonly type: 'give'
      readonly place: number
      readonly version: Version
      readonly to: Rival | undefined
    }
  /** Look for a place for waiting runs. */
  | { readonly type: 'search' }
  /** Record that no run waits any more, and look for unknown places of this process, to give them back. */
  | { readonly type: 'withdraw' }
  /** Tend the lane again after this time at the latest. */
  | { readonly type: 'wake'; readonly ms: number }
  /** Nothing is left to know about the lane. */
  | { readonly type: 'forget' }

/** A lane after a decision, and what to do now, in order. */
export interface LaneDecision {
  readonly lane: Lane
  readonly actions: readonly LaneAction[]
}

/** How a commit that gives a place away ended. */
export type GiveEnd =
  | 'given'
  /** Another process has the place already. */
  | 'lost'
  /** The rival no longer waits, so the place stays. */
  | 'refused'
  /** The commit may have been made. */
  | 'unknown'

/** How often to poll the places that runs wait for, and the processes that wait for places of this one, in ms. */
const waitingMs = 250
export const holdingMs = 1_000

/** A webhook of whose places this process knows nothing. */
export const newLane = (id: string): Lane => ({
  id,
  key: laneKey(id),
  held: new Map(),
  taking: new Set(),
  isTaking: false,
  leaving: new Set(),
  moves: 0,
  foreign: new Set(),
  rival: undefined,
  wait: undefined,
  isUnsure: false,
  isTrying: false,
  failedAt: Number.NEGATIVE_INFINITY,
  keptAt: Number.NEGATIVE_INFINITY,
})

/** How many places have a number below the `concurrency`, because a new configuration may allow fewer. */
export function below(
  concurrency: number,
  places: ReadonlySet<number> | ReadonlyMap<number, unknown>,
): number {
  let count = 0
  for (const place of places.keys()) if (place < concurrency) count++
  return count
}

/** How many of the allowed places its runs have, or will have. */
export const ownedOf = ({ held, taking, isTaking }: Lane, concurrency: number): number =>
  below(concurrency, held) + below(concurrency, taking) - (isTaking ? 1 : 0)

/** How many more places its waiting runs need. */
export function missingOf(
  { held, taking }: Lane,
  waiting: number,
  { concurrency }: Pick<PlacedWebhook, 'concurrency'>,
): number {
  if (concurrency === 0) return 0
  const own = below(concurrency, held) + below(concurrency, taking)
  return Math.max(0, Math.min(waiting, concurrency - own))
}

/** The first place that seems free. */
export function lowestFree({ held, taking, foreign }: Lane): number {
  let place = 0
  while (held.has(place) || taking.has(place) || foreign.has(place)) place++
  return place
}

/** The place that a run takes which the admission let in; `undefined` if this process has one for it already. */
export function placeToClaim(lane: Lane, concurrency: number, running: number): number | undefined {
  const { held, taking } = lane
  if (ownedOf(lane, concurrency) >= running) return undefined
  const isOwn = (place: number): boolean => held.has(place) || taking.has(place)
  const free = lowestFree(lane)
  if (free < concurrency) return free
  // A place that is not known to be free may be free by now, so try it.
  for (let other = 0; other < concurrency; other++) if (!isOwn(other)) return other
  // A waiting run is about to get the last one. Of two commits for it, the slower one fails.
  const [last = 0] = taking
  return last
}

/** A commit that takes a place begins: for a run that was let in, or for waiting ones. */
export const taking = (lane: Lane, place: number, isForWaiting = false): Lane => ({
  ...lane,
  taking: new Set(lane.taking).add(place),
  isTaking: lane.isTaking || isForWaiting,
  moves: lane.moves + 1,
})

/** The commit that takes a place ended: with the version of its record, or with a failure. */
export function taken(
  lane: Lane,
  place: number,
  version: Version | undefined,
  isForWaiting = false,
): Lane {
  const after = {
    ...lane,
    taking: without(lane.taking, place),
    isTaking: lane.isTaking && !isForWaiting,
    moves: lane.moves + 1,
  }
  if (version === undefined) return { ...after, isUnsure: true }
  return { ...after, held: new Map(lane.held).set(place, version) }
}

const giving = (lane: Lane, place: number): Lane => {
  const held = new Map(lane.held)
  held.delete(place)
  const leaving = new Set(lane.leaving).add(place)
  return { ...lane, held, leaving, rival: undefined, moves: lane.moves + 1 }
}

/** The commit that gives a place away ended. */
export function given(
  lane: Lane,
  { place, version }: { readonly place: number; readonly version: Version },
  end: GiveEnd,
  now: number,
): Lane {
  const after = { ...lane, leaving: without(lane.leaving, place), moves: lane.moves + 1 }
  // The place may have been given away without an answer. Read the storage before a run starts with it. The next attempt waits
  // for the timer. Otherwise an unavailable storage would be called in a loop.
  if (end === 'unknown') return { ...after, isUnsure: true, keptAt: now }
  // If others took the place meanwhile, it no longer belongs to this process.
  return end === 'refused' ? { ...after, held: new Map(lane.held).set(place, version) } : after
}

/**
 * The records of the places were read: takes over those that others gave to this process.
 *
 * @param moves those of the lane before the read: the records do not show places taken or given away meanwhile.
 * @returns also the servers of the other places.
 */
export function seen(
  lane: Lane,
  records: readonly TypedRecord<StoredPlace>[],
  { moves, server }: { readonly moves: number; readonly server: string },
): { readonly lane: Lane; readonly others: readonly string[] } {
  const others = records.filter(({ value }) => value.server !== server)
  const foreign = new Set(others.map(({ id }) => placeNumber(id)))
  const servers = others.map(({ value }) => value.server)
  if (lane.moves !== moves) return { lane: { ...lane, foreign }, others: servers }
  const held = new Map(lane.held)
  for (const { id, value, version } of records) {
    const place = placeNumber(id)
    const isMoving = lane.taking.has(place) || lane.leaving.has(place)
    // A place recorded for this process that it does not know was given to it by another one.
    if (value.server === server && !isMoving) held.set(place, version)
  }
  return { lane: { ...lane, foreign, held, isUnsure: false }, others: servers }
}

/** Whether a run can start, or a place is free, after the places were {@link seen}. */
export function hasRoom(
  lane: Lane,
  { running }: Pick<Demand, 'running'>,
  { concurrency, foreign }: { readonly concurrency: number; readonly foreign: number },
): boolean {
  const mine = ownedOf(lane, concurrency)
  return mine >= running || mine + foreign < concurrency
}

/**
 * The place that a search takes once it has looked; `undefined` to wait. The server may be full by now, because a webhook that has
 * its places was faster. Only with a place of its own does this webhook have a turn, so it must not give up.
 *
 * @param heldBefore how many places were held before it looked: with another one, it needs none.
 */
export function placeToTake(
  lane: Lane,
  waiting: number,
  webhook: PlacedWebhook,
  { isFree, heldBefore }: { readonly isFree: boolean; readonly heldBefore: number },
): number | undefined {
  if (!isFree || lane.held.size !== heldBefore) return undefined
  if (missingOf(lane, waiting, webhook) === 0) return undefined
  const place = lowestFree(lane)
  return place < webhook.concurrency ? place : undefined
}

/** A search or a withdrawal ended. A failed one is not repeated at once. */
export const searched = (lane: Lane, failedAt?: number): Lane => ({
  ...lane,
  isTrying: false,
  failedAt: failedAt ?? lane.failedAt,
})

/** Others declared this process dead, so its places are gone, and so is its record of waiting runs. */
export const fenced = (lane: Lane): Lane => ({
  ...lane,
  held: new Map(),
  wait: undefined,
  isUnsure: false,
})

/**
 * Runs have arrived, started or ended, records have changed, or time has passed: gives unneeded places away, to rivals first, and
 * gets needed ones.
 */
export function tendLane(
  before: Lane,
  demand: Demand,
  { now, isStopping }: { readonly now: number; readonly isStopping: boolean },
): LaneDecision {
  const { lane, actions } = giveSpare(before, demand, now)
  const { running, waiting, next } = demand
  const isRested = now - lane.failedAt >= waitingMs
  const wants = next !== undefined && missingOf(lane, waiting, next) > 0
  const isToSettle = lane.wait !== undefined || lane.isUnsure
  const searches = wants && isRested && !lane.isTrying && !isStopping
  const withdraws = !wants && isToSettle && isRested && !lane.isTrying
  if (searches) actions.push({ type: 'search' })
  if (withdraws) actions.push({ type: 'withdraw' })
  const isTrying = lane.isTrying || searches || withdraws
  const own = lane.held.size + lane.taking.size + lane.leaving.size
  const isBusy = running + waiting + own > 0
  if (isBusy) actions.push({ type: 'wake', ms: wants ? waitingMs : holdingMs })
  else if (isToSettle) actions.push({ type: 'wake', ms: waitingMs })
  else if (!isTrying) actions.push({ type: 'forget' })
  return { lane: { ...lane, isTrying }, actions }
}

function giveSpare(
  before: Lane,
  { running, waiting, next }: Demand,
  now: number,
): { lane: Lane; actions: LaneAction[] } {
  const actions: LaneAction[] = []
  let lane = before
  if (now - lane.keptAt < holdingMs) return { lane, actions }
  const { concurrency = 0 } = next ?? {}
  const spare = ownedOf(lane, Number.POSITIVE_INFINITY) - running
  for (let left = spare; left > 0 && lane.held.size > 0; left--) {
    const place = Math.max(...lane.held.keys())
    const version = lane.held.get(place) ?? ''
    // The place was taken when more were allowed. Neither this process nor another can use it now.
    const isTooMany = concurrency > 0 && place >= concurrency
    const { rival } = lane
    if (waiting > 0 && rival === undefined && !isTooMany) break
    lane = giving(lane, place)
    if (isTooMany) lane = { ...lane, rival }
    actions.push({ type: 'give', place, version, to: isTooMany ? undefined : rival })
  }
  return { lane, actions }
}

function without(places: ReadonlySet<number>, place: number): ReadonlySet<number> {
  const left = new Set(places)
  left.delete(place)
  return left
}
