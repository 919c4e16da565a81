import { latestCollection, waitCollection } from '../../records/place-records.ts'
import type { Rival } from './lane.ts'
import { type LaneCell, type LanePorts, maxRead } from './lane-steps.ts'

/**
 * By lane, the process that has waited longest for a place of this one. Different clocks make the order inexact, but every run
 * gets a turn.
 */
export function rivalsOf(others: readonly Rival[]): ReadonlyMap<string, Rival> {
  const rivals = new Map<string, Rival>()
  for (const wait of others.toSorted((one, other) => one.value.since - other.value.since)) {
    if (!rivals.has(wait.value.webhook)) rivals.set(wait.value.webhook, wait)
  }
  return rivals
}

/** Finds the processes that wait for places of this one. */
export async function findRivals(
  { storage, heartbeat, recover }: LanePorts,
  cells: () => Iterable<LaneCell>,
): Promise<void> {
  if (![...cells()].some(({ lane }) => lane.held.size > 0)) return
  const waits = await waitCollection.find(storage, { by: 'id', limit: maxRead })
  const own = heartbeat.server
  const others = waits.filter(({ value }) => value.server !== own)
  const rivals = rivalsOf(others)
  await recover([...new Set(others.map(({ value }) => value.server))])
  for (const cell of cells()) cell.lane = { ...cell.lane, rival: rivals.get(cell.lane.key) }
}

/** Reports the waiting runs that a run of another process has replaced. */
export async function findSuperseded(
  { storage, admission }: Pick<LanePorts, 'storage' | 'admission'>,
  cells: Iterable<LaneCell>,
  onSuperseded: (runId: string) => void,
): Promise<void> {
  const waiting = Array.from(cells, ({ lane }) => lane).filter(
    ({ id }) => admission().next(id)?.webhook.on_busy === 'latest',
  )
  if (waiting.length === 0) return
  const keys = waiting.map(({ key }) => key)
  for (const record of await storage.get(latestCollection, keys)) {
    const lane = waiting.find(({ key }) => key === record?.id)
    if (lane === undefined || record === undefined) continue
    const { run_id } = record.value as { readonly run_id: string }
    const runs = admission().waiting(lane.id)
    if (!runs.includes(run_id)) for (const run of runs) onSuperseded(run)
  }
}
