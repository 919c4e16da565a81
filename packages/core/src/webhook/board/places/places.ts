import { createAlarm } from '../../../async/alarm.ts'
import { createBackground } from '../../../async/background.ts'
import type { Logger } from '../../../logger.ts'
import type { Clock } from '../../../time/clock.ts'
import type { PlaceClaim } from '../../records/place-records.ts'
import {
  below,
  fenced,
  holdingMs,
  type LaneAction,
  newLane,
  type PlacedWebhook,
  placeToClaim,
  tendLane,
} from './lane.ts'
import {
  attempt,
  claimOf,
  give,
  type LaneCell,
  type LanePorts,
  look,
  search,
  withdraw,
} from './lane-steps.ts'
import { findRivals, findSuperseded } from './polls.ts'

/**
 * The places of webhooks with a `concurrency`, shared by all processes over one storage. A process gives its places to its runs
 * one after the other, without accessing the storage, until no run waits or another process does.
 *
 * @see docs/how-processes-share-work.md
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

/** Options of {@link createPlaces}. */
export interface PlacesOptions extends LanePorts {
  readonly clock: Clock
  readonly logger: Logger
  /** Called when waiting runs can have a place. */
  readonly onPlaces: () => void
  /** Called with a waiting run that is not the newest of its webhook. */
  readonly onSuperseded: (runId: string) => void
}

/** Creates {@link Places} without places. The rules are in `lane.ts`; this performs what they decide. */
export function createPlaces(options: PlacesOptions): Places {
  const { clock, logger, heartbeat, admission } = options
  const cells = new Map<string, LaneCell>()
  const background = createBackground((error) => {
    logger.warn({ error: String(error) }, 'the places of a webhook could not be recorded')
  })
  const alarm = createAlarm(clock, () => background.add(watch()))
  let isStopping = false

  const open = (id: string): LaneCell => {
    const known = cells.get(id) ?? { lane: newLane(id) }
    cells.set(id, known)
    return known
  }

  const perform = (cell: LaneCell, action: LaneAction): void => {
    const { id } = cell.lane
    const run = (step: typeof search, onEnd: () => void): void =>
      background.add(attempt(step, { ports: options, cell, onEnd }))
    if (action.type === 'wake') alarm.atMost(action.ms)
    else if (action.type === 'forget') cells.delete(id)
    else if (action.type === 'search') run(search, () => found(id))
    else if (action.type === 'withdraw') run(withdraw, () => tend(id))
    else background.add(give(options, cell, action).finally(() => tend(id)))
  }

  const found = (id: string): void => {
    admission().changed(id)
    options.onPlaces()
    tend(id)
  }

  const tend = (id: string): void => {
    const next = admission().next(id)?.webhook
    const cell = cells.get(id) ?? (next === undefined ? undefined : open(id))
    if (cell === undefined) return
    const demand = { ...admission().counts(id), next }
    const now = clock.monotonic()
    const { lane, actions } = tendLane(cell.lane, demand, { now, isStopping })
    cell.lane = lane
    for (const action of actions) perform(cell, action)
  }

  const tendEach = (ids: Iterable<string>): void => {
    for (const id of [...ids]) tend(id)
  }

  /** Polls the records of other processes. */
  const watch = async (): Promise<void> => {
    try {
      await findRivals(options, () => cells.values())
      await findSuperseded(options, cells.values(), options.onSuperseded)
    } finally {
      tendEach(cells.keys())
    }
  }

  return {
    owned({ id, concurrency }) {
      // Asked first, because it then reports when it is sure again.
      if (!heartbeat.isSure()) return 0
      const cell = cells.get(id)
      return cell === undefined ? 0 : below(concurrency, cell.lane.held)
    },

    claim({ id, concurrency }) {
      const cell = open(id)
      const place = placeToClaim(cell.lane, concurrency, admission().counts(id).running)
      if (place === undefined) return undefined
      alarm.atMost(holdingMs)
      return claimOf(options, cell, place)
    },

    look: (webhook) => look(options, open(webhook.id), webhook),
    tend,
    tendAll: () => tendEach(admission().busy()),

    forget() {
      for (const cell of cells.values()) cell.lane = fenced(cell.lane)
    },

    async stop() {
      isStopping = true
      alarm.stop()
      tendEach(cells.keys())
      await background.settled()
    },
  }
}
