import { isGatehouseError } from '../../../errors.ts'
import type { CommitTogether } from '../../../storage/commit-together.ts'
import { isConflict, type Storage } from '../../../storage/storage.ts'
import type { Clock } from '../../../time/clock.ts'
import type { Heartbeat } from '../../records/heartbeat.ts'
import {
  type PlaceClaim,
  placeCollection,
  placeId,
  waitCollection,
} from '../../records/place-records.ts'
import type { Admission } from '../admission.ts'
import {
  type GiveEnd,
  given,
  hasRoom,
  type Lane,
  type LaneAction,
  missingOf,
  type PlacedWebhook,
  placeToTake,
  searched,
  seen,
  taken,
  taking,
} from './lane.ts'

/** What is known about a lane now. Work in progress keeps the cell, and reads the lane again after every wait. */
export interface LaneCell {
  lane: Lane
}

/** What the steps of a lane use. */
export interface LanePorts {
  readonly storage: Storage
  readonly commit: CommitTogether
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly heartbeat: Heartbeat
  readonly admission: () => Admission
  /** Frees the places of dead processes among these; returns whether there were any. */
  readonly recover: (servers: readonly string[]) => Promise<boolean>
}

/** The most records that one read returns. */
export const maxRead = 1_000

/** Commits that a place belongs to a rival, or to no process. */
export async function give(
  { commit, clock }: LanePorts,
  cell: LaneCell,
  action: LaneAction & { type: 'give' },
): Promise<void> {
  const { place, version, to } = action
  const { key } = cell.lane
  const id = placeId(key, place)
  const writes =
    to === undefined
      ? [placeCollection.remove(id, version)]
      : [
          placeCollection.write(id, { webhook: key, server: to.value.server }, { if: version }),
          // A process that no longer waits would never look for the place.
          { collection: waitCollection, id: to.id, check: to.version },
        ]
  let end: GiveEnd = 'given'
  try {
    await commit(writes)
  } catch (error) {
    end = endOf(error)
    if (end === 'unknown') throw error
  } finally {
    cell.lane = given(cell.lane, action, end, clock.monotonic())
  }
}

function endOf(error: unknown): GiveEnd {
  if (!isConflict(error)) return 'unknown'
  const isAboutRival = isGatehouseError(error) && error.info.collection === waitCollection.name
  return isAboutRival ? 'refused' : 'lost'
}

/** A place as it is taken by a commit of others. */
export function claimOf(
  { heartbeat }: LanePorts,
  cell: LaneCell,
  place: number,
  isForWaiting = false,
): PlaceClaim {
  cell.lane = taking(cell.lane, place, isForWaiting)
  const { key } = cell.lane
  return {
    get writes() {
      const value = { webhook: key, server: heartbeat.server }
      const write = placeCollection.write(placeId(key, place), value, { if: 'absent' })
      return [heartbeat.check(), write]
    },
    settle([, version = '']) {
      cell.lane = taken(cell.lane, place, version, isForWaiting)
    },
    drop() {
      cell.lane = taken(cell.lane, place, undefined, isForWaiting)
    },
  }
}

/** Reads who has the places; returns the servers of those of others. */
async function readPlaces(
  { storage, heartbeat }: LanePorts,
  cell: LaneCell,
): Promise<readonly string[]> {
  const { key, moves } = cell.lane
  const query = { by: 'webhook', equals: key, limit: maxRead }
  const records = await placeCollection.find(storage, query)
  const { lane, others } = seen(cell.lane, records, { moves, server: heartbeat.server })
  cell.lane = lane
  return others
}

/** Reads who has the places; returns whether one is free, or was given to this process. */
export async function look(
  ports: LanePorts,
  cell: LaneCell,
  { id, concurrency }: PlacedWebhook,
): Promise<boolean> {
  await ports.heartbeat.ensure()
  const others = await readPlaces(ports, cell)
  if (await ports.recover([...new Set(others)])) {
    cell.lane = { ...cell.lane, foreign: new Set() }
    return true
  }
  const counts = ports.admission().counts(id)
  return hasRoom(cell.lane, counts, { concurrency, foreign: others.length })
}

/** Tries to get a place for waiting runs. */
export async function search(ports: LanePorts, cell: LaneCell): Promise<void> {
  const { id, held } = cell.lane
  const waiting = (): number => ports.admission().counts(id).waiting
  const next = ports.admission().next(id)
  if (next === undefined) return
  const { webhook } = next
  const heldBefore = held.size
  const isFree = await look(ports, cell, webhook)
  const place = placeToTake(cell.lane, waiting(), webhook, { isFree, heldBefore })
  if (place !== undefined) await take(ports, cell, place)
  if (cell.lane.held.size > heldBefore) return
  cell.lane = { ...cell.lane, failedAt: ports.clock.monotonic() }
  if (missingOf(cell.lane, waiting(), webhook) > 0) await recordThatRunsWait(ports, cell)
}

async function take(ports: LanePorts, cell: LaneCell, place: number): Promise<void> {
  const claim = claimOf(ports, cell, place, true)
  try {
    claim.settle(await ports.commit(claim.writes))
  } catch (error) {
    claim.drop()
    if (!isConflict(error)) throw error
    // Either another process was faster, or this one was declared dead.
    await ports.heartbeat.confirm()
  }
}

async function recordThatRunsWait(
  { commit, clock, heartbeat }: LanePorts,
  cell: LaneCell,
): Promise<void> {
  const { key, wait } = cell.lane
  const { server } = heartbeat
  if (wait?.server === server && wait.isKnown) return
  cell.lane = { ...cell.lane, wait: { server, isKnown: false } }
  const value = { webhook: key, server, since: clock.now() }
  await commit([waitCollection.write(`${key}.${server}`, value)])
  cell.lane = known(cell.lane)
}

const known = (lane: Lane): Lane =>
  lane.wait === undefined ? lane : { ...lane, wait: { ...lane.wait, isKnown: true } }

/** Records that no run waits any more, and looks for unknown places of this process, to give them back. */
export async function withdraw(ports: LanePorts, cell: LaneCell): Promise<void> {
  const { key, wait } = cell.lane
  if (wait !== undefined) {
    await ports.commit([waitCollection.remove(`${key}.${wait.server}`)])
    cell.lane = { ...cell.lane, wait: undefined }
  }
  await readPlaces(ports, cell)
}

/** Runs a search or a withdrawal to its end, and calls `onEnd` in the same turn in which the next one may begin. */
export async function attempt(
  step: (ports: LanePorts, cell: LaneCell) => Promise<void>,
  { ports, cell, onEnd }: { ports: LanePorts; cell: LaneCell; onEnd: () => void },
): Promise<void> {
  let failedAt: number | undefined
  try {
    await step(ports, cell)
  } catch (error) {
    failedAt = ports.clock.monotonic()
    throw error
  } finally {
    cell.lane = searched(cell.lane, failedAt)
    onEnd()
  }
}
