import { isGatehouseError } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import type { CommitTogether } from '../../storage/commit-together.ts'
import { isConflict, type Storage, type Version, type Write } from '../../storage/storage.ts'
import type { Clock } from '../../time/clock.ts'
import type { Heartbeat } from '../records/heartbeat.ts'
import {
  laneKey,
  latestCollection,
  type PlaceClaim,
  placeCollection,
  placeId,
  placeNumber,
  type StoredWait,
  waitCollection,
} from '../records/place-records.ts'
import type { Admission } from './admission.ts'

/**
 * The places of webhooks with a `concurrency`, shared by all processes over one storage. A process gives its places to its runs
 * one after the other, without accessing the storage, until no run waits or another process does.
 */
export interface Places {
  /** How many places of a webhook this process can give to runs now; 0 while others may have declared it dead. */
  owned(webhook: PlacedWebhook): number
  /** The claim for a run that the admission let in; `undefined` if this process has a free place already. */
  claim(webhook: PlacedWebhook): PlaceClaim | undefined
  /**
   * Reads who has the places of a webhook.
   *
   * @returns whether one is free, or was given to this process.
   * @throws any error of the storage.
   */
  look(webhook: PlacedWebhook): Promise<boolean>
  /** Call it when runs of a webhook have arrived, started or ended: gives away unneeded places, and tries to get needed ones. */
  tend(webhookId: string): void
  /** {@link Places.tend} for all webhooks with runs, because the server may have room for more of them. */
  tendAll(): void
  /** Others declared this process dead, so its places are gone. */
  forget(): void
  /** Waits for work in progress. */
  stop(): Promise<void>
}

/** A webhook with places. */
export interface PlacedWebhook {
  readonly id: string
  readonly concurrency: number
}

/** Options of {@link createPlaces}. */
export interface PlacesOptions {
  readonly storage: Storage
  readonly commit: CommitTogether
  readonly clock: Clock
  readonly logger: Logger
  readonly heartbeat: Heartbeat
  readonly admission: () => Admission
  /** Called when waiting runs can have a place. */
  readonly onPlaces: () => void
  /** Called with a waiting run that is not the newest of its webhook. */
  readonly onSuperseded: (runId: string) => void
  /** Frees the places of dead processes among these; returns whether there were any. */
  readonly recover: (servers: readonly string[]) => Promise<boolean>
}

/** How often to poll the places that runs wait for, and the processes that wait for places of this one, in ms. */
const waitingMs = 250
const holdingMs = 1_000
const mostRead = 1_000

/** The places of one webhook, as this process knows them. */
interface Lane {
  readonly id: string
  readonly key: string
  readonly held: Map<number, Version>
  /** Places that a commit in progress takes. */
  readonly taking: Set<number>
  /** Whether one of them is for waiting runs, and no run counts on it yet. */
  isTaking: boolean
  /** Places that a commit in progress gives away. */
  readonly leaving: Set<number>
  /** Counts changes of the two. */
  moves: number
  /** Places of other processes, at the last poll. */
  foreign: ReadonlySet<number>
  /** The record of another process whose runs wait for a place. */
  rival: TypedRecord<StoredWait> | undefined
  /** The server id under which the record of waiting runs may exist, and whether it certainly does. */
  waitsAs: string | undefined
  isWaitKnown: boolean
  /** The result of a commit is unknown: the storage may have places of this process that it does not know. */
  isUnsure: boolean
  isTrying: boolean
  /** The monotonic time of the last failed attempt to get a place. */
  failedAt: number
  /** The monotonic time of the last failed attempt to give a place back. */
  keptAt: number
}

/** Creates {@link Places} without places. */
export function createPlaces(options: PlacesOptions): Places {
  const { storage, commit, clock, logger, heartbeat, admission, recover } = options
  const lanes = new Map<string, Lane>()
  const working = new Set<Promise<void>>()
  let cancelTimer: (() => void) | undefined
  /** The monotonic time at which the timer fires. */
  let dueAt = 0
  let isStopped = false

  const open = (id: string): Lane => {
    const known = lanes.get(id)
    if (known !== undefined) return known
    const lane: Lane = {
      id,
      key: laneKey(id),
      held: new Map(),
      taking: new Set(),
      isTaking: false,
      leaving: new Set(),
      moves: 0,
      foreign: new Set(),
      rival: undefined,
      waitsAs: undefined,
      isWaitKnown: false,
      isUnsure: false,
      isTrying: false,
      failedAt: Number.NEGATIVE_INFINITY,
      keptAt: Number.NEGATIVE_INFINITY,
    }
    lanes.set(id, lane)
    return lane
  }

  /** Starts work without waiting for it. */
  const inBackground = (work: Promise<unknown>): void => {
    const failed = (error: unknown): void => {
      logger.warn({ error: String(error) }, 'the places of a webhook could not be recorded')
    }
    const settled = work.then(() => {}, failed).finally(() => working.delete(settled))
    working.add(settled)
  }

  const move = async (lane: Lane, place: number, writes: readonly Write[]): Promise<void> => {
    const version = lane.held.get(place)
    lane.held.delete(place)
    lane.leaving.add(place)
    lane.moves++
    try {
      await commit(writes)
    } catch (error) {
      // If others took the place meanwhile, it no longer belongs to this process.
      if (isAbout(error, waitCollection) && version !== undefined) lane.held.set(place, version)
      if (isConflict(error)) return
      // The place may have been given away without an answer. Read the storage before a run starts with it.
      lane.isUnsure = true
      // The next attempt waits for the timer. Otherwise an unavailable storage would be called in a loop.
      lane.keptAt = clock.monotonic()
      throw error
    } finally {
      lane.leaving.delete(place)
      lane.moves++
    }
  }

  /** Gives away an unused place: to another process with waiting runs, or to any process. */
  const giveAway = (lane: Lane, place: number, rival: Lane['rival']): void => {
    const version = lane.held.get(place)
    if (version === undefined) return
    const id = placeId(lane.key, place)
    if (rival !== undefined) lane.rival = undefined
    const write =
      rival === undefined
        ? placeCollection.remove(id, version)
        : placeCollection.write(
            id,
            { webhook: lane.key, server: rival.value.server },
            { if: version },
          )
    // A process that no longer waits would never look for the place.
    const check = rival && { collection: waitCollection, id: rival.id, check: rival.version }
    const writes = check === undefined ? [write] : [write, check]
    inBackground(move(lane, place, writes).finally(() => tend(lane.id)))
  }

  /** How many more places its waiting runs need. */
  const missing = (lane: Lane, { concurrency }: Pick<PlacedWebhook, 'concurrency'>): number => {
    if (concurrency === 0) return 0
    const { waiting } = admission().counts(lane.id)
    const own = below(concurrency, lane.held) + below(concurrency, lane.taking)
    return Math.max(0, Math.min(waiting, concurrency - own))
  }

  /** How many more places its runs could use now: none while the server is full. */
  const wanted = (lane: Lane): number => {
    const next = admission().next(lane.id)
    return next === undefined ? 0 : missing(lane, next.webhook)
  }

  /** How many of the allowed places its runs have, or will have. */
  const owned = ({ held, taking, isTaking }: Lane, concurrency: number): number =>
    below(concurrency, held) + below(concurrency, taking) - (isTaking ? 1 : 0)

  const isMoving = ({ taking, leaving }: Lane, place: number): boolean =>
    taking.has(place) || leaving.has(place)

  const lowestFree = ({ held, taking, foreign }: Lane): number => {
    let place = 0
    while (held.has(place) || taking.has(place) || foreign.has(place)) place++
    return place
  }

  const claimOf = (lane: Lane, place: number): PlaceClaim => {
    lane.taking.add(place)
    lane.moves++
    const over = (): void => {
      lane.taking.delete(place)
      lane.moves++
    }
    return {
      get writes() {
        const value = { webhook: lane.key, server: heartbeat.server }
        const write = placeCollection.write(placeId(lane.key, place), value, { if: 'absent' })
        return [heartbeat.check(), write]
      },
      settle([, version = '']) {
        over()
        lane.held.set(place, version)
      },
      drop() {
        over()
        lane.isUnsure = true
      },
    }
  }

  const claim = ({ id, concurrency }: PlacedWebhook): PlaceClaim | undefined => {
    const lane = open(id)
    if (owned(lane, concurrency) >= admission().counts(id).running) return undefined
    const isOwn = (place: number): boolean => lane.held.has(place) || lane.taking.has(place)
    let place = lowestFree(lane)
    // A place that is not known to be free may be free by now, so try it.
    for (let other = 0; place >= concurrency && other < concurrency; other++) {
      if (!isOwn(other)) place = other
    }
    // A waiting run is about to get the last one. Of two commits for it, the slower one fails.
    if (place >= concurrency) [place = 0] = lane.taking
    arm(holdingMs)
    return claimOf(lane, place)
  }

  /** Takes over places that others gave to this process; returns the servers of the other places. */
  const readPlaces = async (lane: Lane): Promise<readonly string[]> => {
    const { moves } = lane
    const query = { by: 'webhook', equals: lane.key, limit: mostRead }
    const records = await placeCollection.find(storage, query)
    const own = heartbeat.server
    // The records do not show places that this process has taken or given away meanwhile.
    const isCurrent = lane.moves === moves
    if (isCurrent) lane.isUnsure = false
    for (const record of isCurrent ? records : []) {
      const place = placeNumber(record.id)
      // A place recorded for this process that it does not know was given to it by another one.
      const isGiven = record.value.server === own && !isMoving(lane, place)
      if (isGiven) lane.held.set(place, record.version)
    }
    const others = records.filter(({ value }) => value.server !== own)
    lane.foreign = new Set(others.map(({ id }) => placeNumber(id)))
    return others.map(({ value }) => value.server)
  }

  const look = async ({ id, concurrency }: PlacedWebhook): Promise<boolean> => {
    const lane = open(id)
    await heartbeat.ensure()
    const others = await readPlaces(lane)
    if (await recover([...new Set(others)])) {
      lane.foreign = new Set()
      return true
    }
    const { running } = admission().counts(id)
    const mine = owned(lane, concurrency)
    return mine >= running || mine + others.length < concurrency
  }

  /** Tries to get a place for waiting runs. */
  const tryFor = async (lane: Lane): Promise<void> => {
    const next = admission().next(lane.id)
    if (next === undefined) return
    const { webhook } = next
    const before = lane.held.size
    const isFree = await look(webhook)
    // The server may be full by now, because a webhook that has its places was faster. Only with a place of its own does this
    // webhook have a turn, so it must not give up.
    if (lane.held.size === before && isFree && missing(lane, webhook) > 0) await take(lane, webhook)
    if (lane.held.size > before) return
    lane.failedAt = clock.monotonic()
    await recordThatRunsWait(lane, webhook)
  }

  const take = async (lane: Lane, webhook: PlacedWebhook): Promise<void> => {
    const place = lowestFree(lane)
    if (place >= webhook.concurrency) return
    const taken = claimOf(lane, place)
    lane.isTaking = true
    try {
      const versions = await commit(taken.writes)
      lane.isTaking = false
      taken.settle(versions)
    } catch (error) {
      lane.isTaking = false
      taken.drop()
      if (!isConflict(error)) throw error
      // Either another process was faster, or this one was declared dead.
      await heartbeat.confirm()
    }
  }

  const recordThatRunsWait = async (lane: Lane, webhook: PlacedWebhook): Promise<void> => {
    const { server } = heartbeat
    const isKnown = lane.waitsAs === server && lane.isWaitKnown
    if (isKnown || missing(lane, webhook) === 0) return
    lane.waitsAs = server
    lane.isWaitKnown = false
    await commit([
      waitCollection.write(`${lane.key}.${server}`, {
        webhook: lane.key,
        server,
        since: clock.now(),
      }),
    ])
    lane.isWaitKnown = true
  }

  const tryAgain = (lane: Lane): void => {
    if (lane.isTrying || isStopped) return
    lane.isTrying = true
    const attempt = async (): Promise<void> => {
      try {
        await tryFor(lane)
      } catch (error) {
        lane.failedAt = clock.monotonic()
        throw error
      } finally {
        lane.isTrying = false
        admission().changed(lane.id)
        options.onPlaces()
        tend(lane.id)
      }
    }
    inBackground(attempt())
  }

  /** Records that no run waits any more, and looks for unknown places of this process, to give them back. */
  const withdraw = (lane: Lane): void => {
    const { waitsAs } = lane
    if (lane.isTrying || clock.monotonic() - lane.failedAt < waitingMs) return
    lane.isTrying = true
    const attempt = async (): Promise<void> => {
      try {
        if (waitsAs !== undefined) {
          await commit([waitCollection.remove(`${lane.key}.${waitsAs}`)])
          lane.waitsAs = undefined
        }
        await readPlaces(lane)
      } catch (error) {
        lane.failedAt = clock.monotonic()
        throw error
      } finally {
        lane.isTrying = false
        tend(lane.id)
      }
    }
    inBackground(attempt())
  }

  const tend = (id: string): void => {
    const lane = lanes.get(id) ?? (admission().next(id) === undefined ? undefined : open(id))
    if (lane === undefined) return
    const { running, waiting } = admission().counts(id)
    const spare = owned(lane, Number.POSITIVE_INFINITY) - running
    const { concurrency = 0 } = admission().next(id)?.webhook ?? {}
    const mayGiveAway = clock.monotonic() - lane.keptAt >= holdingMs
    for (let left = mayGiveAway ? spare : 0; left > 0 && lane.held.size > 0; left--) {
      const last = Math.max(...lane.held.keys())
      // The place was taken when more were allowed. Neither this process nor another can use it now.
      const isTooMany = concurrency > 0 && last >= concurrency
      if (waiting > 0 && lane.rival === undefined && !isTooMany) break
      giveAway(lane, last, isTooMany ? undefined : lane.rival)
    }
    const wants = wanted(lane) > 0
    if (wants && clock.monotonic() - lane.failedAt >= waitingMs) tryAgain(lane)
    const isToSettle = lane.waitsAs !== undefined || lane.isUnsure
    if (!wants && isToSettle) withdraw(lane)
    const own = lane.held.size + lane.taking.size + lane.leaving.size
    if (running + waiting + own > 0) arm(wants ? waitingMs : holdingMs)
    else if (isToSettle) arm(waitingMs)
    else if (!lane.isTrying) lanes.delete(id)
  }

  const arm = (ms: number): void => {
    if (isStopped) return
    const at = clock.monotonic() + ms
    if (cancelTimer !== undefined && dueAt <= at) return
    cancelTimer?.()
    dueAt = at
    cancelTimer = clock.setTimer(ms, () => {
      cancelTimer = undefined
      inBackground(watch())
    })
  }

  /** Polls the records of other processes. */
  const watch = async (): Promise<void> => {
    try {
      await findRivals()
      await findSuperseded()
    } finally {
      for (const lane of [...lanes.values()]) {
        tend(lane.id)
      }
    }
  }

  const findRivals = async (): Promise<void> => {
    if (![...lanes.values()].some(({ held }) => held.size > 0)) return
    const waits = await waitCollection.find(storage, { by: 'id', limit: mostRead })
    const rivals = new Map<string, TypedRecord<StoredWait>>()
    const own = heartbeat.server
    const others = waits.filter(({ value }) => value.server !== own)
    // The longest wait comes first. Different clocks make the order inexact, but every run gets a turn.
    for (const wait of others.sort((one, other) => one.value.since - other.value.since)) {
      if (!rivals.has(wait.value.webhook)) rivals.set(wait.value.webhook, wait)
    }
    await recover([...new Set(others.map(({ value }) => value.server))])
    for (const lane of lanes.values()) lane.rival = rivals.get(lane.key)
  }

  const findSuperseded = async (): Promise<void> => {
    const waiting = [...lanes.values()].filter(
      ({ id }) => admission().next(id)?.webhook.on_busy === 'latest',
    )
    if (waiting.length === 0) return
    const keys = waiting.map(({ key }) => key)
    for (const record of await storage.get(latestCollection, keys)) {
      const lane = waiting.find(({ key }) => key === record?.id)
      if (lane === undefined || record === undefined) continue
      const { run_id } = record.value as { readonly run_id: string }
      const runs = admission().waiting(lane.id)
      if (!runs.includes(run_id)) for (const run of runs) options.onSuperseded(run)
    }
  }

  return {
    owned: ({ id, concurrency }) =>
      heartbeat.isSure() ? below(concurrency, lanes.get(id)?.held ?? none) : 0,
    claim,
    look,
    tend,
    tendAll() {
      for (const id of admission().busy()) tend(id)
    },
    forget() {
      for (const lane of lanes.values()) {
        lane.held.clear()
        lane.waitsAs = undefined
        lane.isUnsure = false
      }
    },
    async stop() {
      isStopped = true
      cancelTimer?.()
      for (const id of [...lanes.keys()]) tend(id)
      while (working.size > 0) await Promise.all(working)
    },
  }
}

const none: ReadonlySet<number> = new Set()

/** How many places have a number below the `concurrency`, because a new configuration may allow fewer. */
function below(
  concurrency: number,
  places: ReadonlySet<number> | ReadonlyMap<number, unknown>,
): number {
  let count = 0
  for (const place of places.keys()) if (place < concurrency) count++
  return count
}

const isAbout = (error: unknown, { name }: { readonly name: string }): boolean =>
  isGatehouseError(error) && error.info.collection === name
