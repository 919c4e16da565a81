import type { TypedRecord } from '../collection.ts'
import { isConflict, type Query, type Write } from '../storage.ts'
import type { WebhooksContext } from './context.ts'
import { keyCollection } from './dedupe.ts'
import { findLost } from './read-runs.ts'
import { forgottenAt, lostRun, runCollection, type StoredRun, toRun } from './run-record.ts'

const pageSize = 200

type LostRunKeeper = Pick<
  WebhooksContext,
  'storage' | 'clock' | 'config' | 'work' | 'logger' | 'counters' | 'events'
>

/**
 * Records as `lost` the runs whose processes are gone, and frees their keys. What somebody else records meanwhile stays.
 *
 * @returns how many there were.
 */
export async function markLostRuns(hooks: LostRunKeeper): Promise<number> {
  let count = 0
  // Only runs under way are found by it.
  let query: Query = { by: 'server', limit: pageSize }
  for (;;) {
    const page = await runCollection.find(hooks.storage, query)
    for (const record of await findLost(hooks, page)) {
      if (record.value.server === undefined || !(await mark(hooks, record))) continue
      count++
      tell(hooks, lostRun(record.value))
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return count
    query = { ...query, after: { key: last.value.server ?? '', id: last.id } }
  }
}

/** Whether nobody was faster. */
async function mark(
  { storage, clock, config, work }: LostRunKeeper,
  { id, value, version }: TypedRecord<StoredRun>,
): Promise<boolean> {
  const { dedupe } = value
  const key = dedupe === undefined ? undefined : await keyCollection.get(storage, dedupe)
  const expiresAt = forgottenAt(clock.now(), config.current.history)
  const writes: Write[] = [runCollection.write(id, lostRun(value), { if: version, expiresAt })]
  if (key?.value.run_id === id) writes.push(keyCollection.remove(key.id, key.version))
  try {
    await work.commit(writes)
    return true
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}

function tell({ logger, counters, events }: LostRunKeeper, lost: StoredRun): void {
  const run = toRun(lost)
  logger.warn({ run_id: run.run_id, webhook: run.id }, 'a run is lost: its process is gone')
  counters.runEnded(run)
  events.emit('run.finished', () => run)
}
