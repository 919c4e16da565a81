import { letOthersRun } from '../async/end-of-turn.ts'
import { decodeInput, exactly, flag, oneOf, optional, rawText, wholeFrom } from '../input/decode.ts'
import type { TypedRecord } from '../storage/collection.ts'
import type { Query } from '../storage/storage.ts'
import type { WebhooksContext } from './context.ts'
import { runCollection, type StoredRun } from './records/run-record.ts'
import { hasEnded, type Run, type RunStatus, runStatuses } from './run.ts'
import { readRuns } from './runs/read-runs.ts'

/** The runs that {@link listRuns} returns. */
export interface RunFilter {
  /** Only runs of this webhook. */
  webhook_id?: string
  /** Only runs with this status. */
  status?: RunStatus
  /** The maximum number of runs: 1 to 500 (default 50). */
  limit?: number
  /** Only runs older than this run, whose record may be gone. */
  before?: string
  /** Whether to include the outputs (default true); otherwise `stdout` and `stderr` are empty. */
  output?: boolean
}

/** A page of runs, newest first. */
export interface RunPage {
  readonly runs: readonly Run[]
  /** The `before` of the next page; `null` on the last. */
  readonly next: string | null
}

const maxLimit = 500
const decodeFilter = exactly<RunFilter>({
  webhook_id: optional(rawText),
  status: optional(oneOf(runStatuses)),
  limit: optional(wholeFrom(1, maxLimit)),
  before: optional(rawText),
  output: optional(flag),
})

/** The number of records read at once when a filter drops some of them. */
const pageSize = 200

/**
 * Lists the runs of all processes that share the storage, newest first. Runs whose process is gone are `lost`.
 *
 * @throws {GatehouseError} `InvalidInput`; any error of the storage.
 * @example
 * const { runs } = await listRuns(webhooks, { status: 'failed' })
 */
export async function listRuns(webhooks: WebhooksContext, given: RunFilter = {}): Promise<RunPage> {
  return findRuns(webhooks, decodeInput('filter', decodeFilter, given))
}

/** {@link listRuns} with a checked filter. */
export async function findRuns(webhooks: WebhooksContext, filter: RunFilter): Promise<RunPage> {
  const { status, limit = 50, output } = filter
  const runs: Run[] = []
  let { before } = filter
  for (;;) {
    // One more than requested, to know whether there is a next page.
    const size = status === undefined ? limit + 1 : pageSize
    const records = await find(
      webhooks,
      { ...filter, ...(before === undefined ? {} : { before }) },
      size,
    )
    // An ended run keeps its status.
    const possible = records.filter(
      ({ value }) => status === undefined || value.status === status || !hasEnded(value),
    )
    for (const run of await readRuns(webhooks, possible, { output })) {
      if (status !== undefined && run.status !== status) continue
      if (runs.length === limit) return { runs, next: runs.at(-1)?.id ?? null }
      runs.push(run)
    }
    before = records.at(-1)?.id
    if (records.length < size || before === undefined) return { runs, next: null }
    // All records may have to be read, and a store may respond at once.
    await letOthersRun()
  }
}

/** Records of runs, newest first. */
function find(
  { storage }: WebhooksContext,
  { webhook_id: id, before }: RunFilter,
  limit: number,
): Promise<TypedRecord<StoredRun>[]> {
  const of: Pick<Query, 'by' | 'equals'> =
    id === undefined ? { by: 'id' } : { by: 'webhook', equals: id }
  const after = before === undefined ? {} : { after: { key: id ?? before, id: before } }
  return runCollection.find(storage, { ...of, ...after, order: 'desc', limit })
}
