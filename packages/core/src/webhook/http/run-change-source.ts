import type { Change, ChangeFilter, ChangeSource } from '../../changes/change.ts'
import { resetBytes } from '../../changes/change-listener.ts'
import { eventBytes } from '../../http/event-stream.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import type { Instant } from '../../time/clock.ts'
import type { WebhooksContext } from '../context.ts'
import { runCollection, type StoredRun } from '../records/run-record.ts'
import { hasEnded, type Run } from '../run.ts'
import { type RunReader, readRunStates } from '../runs/read-runs.ts'
import { createRunId } from '../runs/run-id.ts'
import { type GettableRun, toGettableRun } from './run-json.ts'

/** A run as a stream of changes sends it: without its output. */
export type GettableRunState = Omit<GettableRun, 'stdout' | 'stderr'>

/** How long after its time a run may be recorded, by a process whose clock may differ. */
const lateMs = 10_000
/** The most runs that are read at once. */
const maxRuns = 1_000

/** The id before those of all runs that began at an instant or later. */
const firstId = (at: Instant): string => createRunId(Math.max(at, 0), new Uint8Array(10))

/** A filter by the webhook (default: all). */
export const runFilter = (id: string | undefined): ChangeFilter<'runs'> => ({
  topics: new Set(['runs']),
  id: JSON.stringify([id]),
  wants: ({ subject }) => id === undefined || subject === undefined || subject === id,
})

/**
 * Finds changes of runs of all processes, for a hub. Runs have no feed, so it reads those in progress and the latest ones again; it
 * follows at most a thousand of each.
 */
export function createRunChangeSource(
  webhooks: RunReader & Pick<WebhooksContext, 'clock'>,
): ChangeSource<'runs'> {
  const { storage, clock } = webhooks
  /** The runs that listeners know and that may still change or be found again. */
  let shown: ReadonlyMap<string, Run> | undefined

  const read = async (from: string): Promise<readonly TypedRecord<StoredRun>[]> => {
    const latest = { by: 'id', from, order: 'desc', limit: maxRuns } as const
    // Only runs in progress have a server.
    const [found, open] = await Promise.all([
      runCollection.find(storage, latest),
      runCollection.find(storage, { by: 'server', limit: maxRuns }),
    ])
    return [...new Map([...open, ...found].map((record) => [record.id, record])).values()]
  }

  /** The known runs in progress that are not any more. */
  const readEnded = async (
    known: ReadonlyMap<string, Run>,
    records: readonly TypedRecord<StoredRun>[],
  ): Promise<{ ended: readonly TypedRecord<StoredRun>[]; removed: readonly Run[] }> => {
    const found = new Set(records.map(({ id }) => id))
    const missing = [...known.values()].filter((run) => !hasEnded(run) && !found.has(run.id))
    if (missing.length === 0) return { ended: [], removed: [] }
    const ended = await runCollection.getAll(
      storage,
      missing.map(({ id: run_id }) => run_id),
    )
    return {
      ended: ended.filter((record) => record !== undefined),
      removed: missing.filter((_, index) => ended[index] === undefined),
    }
  }

  return {
    async look() {
      const now = clock.now()
      const from = firstId(now - lateMs)
      const records = await read(from)
      const { ended, removed } = await readEnded(shown ?? new Map(), records)
      const runs = await readRunStates(webhooks, [...records, ...ended])
      const before = shown
      shown = new Map(runs.map((run) => [run.id, run]))
      const oldest = runs.reduce((id, run) => {
        return !hasEnded(run) && run.id < id ? run.id : id
      }, from)
      const position = `${now.toString(36)}.${oldest}`
      if (before === undefined) return { changes: [], position }
      const changed = runs.filter((run) => !isSame(before.get(run.id), run))
      // Runs before the thousand latest are not known.
      const isTooMuch = changed.length >= maxRuns
      return {
        changes: isTooMuch ? [reset] : [...changed.sort(byId).map(changeOf), ...removed.map(gone)],
        position,
      }
    },

    async since(text) {
      const [, at, oldest] = /^([0-9a-z]{1,11})\.(run_[0-9a-z]{26})$/.exec(text) ?? []
      if (at === undefined || oldest === undefined) return undefined
      const after = Number.parseInt(at, 36) - lateMs
      const query = { by: 'id', from: oldest, order: 'desc', limit: maxRuns } as const
      const records = await runCollection.find(storage, query)
      if (records.length === maxRuns) return undefined
      const runs = await readRunStates(webhooks, records)
      return runs
        .filter(({ finished_at }) => finished_at === null || finished_at >= after)
        .sort(byId)
        .map(changeOf)
    },

    rest() {
      shown = undefined
    },
  }
}

const byId = (a: Run, b: Run): number => (a.id < b.id ? -1 : 1)

const isSame = (before: Run | undefined, { status, attempts }: Run): boolean =>
  before?.status === status && before.attempts === attempts

function changeOf(run: Run): Change<'runs'> {
  const { stdout: _stdout, stderr: _stderr, ...state } = toGettableRun(run)
  const bytes = eventBytes('run', JSON.stringify(state satisfies GettableRunState))
  return { topic: 'runs', key: run.id, bytes, subject: run.webhook_id }
}

function gone({ id: run_id, webhook_id: id }: Run): Change<'runs'> {
  const bytes = eventBytes('run-removed', JSON.stringify({ run_id, id }))
  return { topic: 'runs', key: run_id, bytes, subject: id }
}

const reset: Change<'runs'> = { topic: 'runs', key: '', bytes: resetBytes, subject: undefined }
