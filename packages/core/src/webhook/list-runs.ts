import { decodeInput, exactly, oneOf, optional, rawText, wholeFrom } from '../input/decode.ts'
import type { TypedRecord } from '../storage/collection.ts'
import type { Query } from '../storage/storage.ts'
import type { WebhooksContext } from './context.ts'
import { runCollection, type StoredRun } from './records/run-record.ts'
import { type Run, type RunStatus, runStatuses } from './run.ts'
import { readRuns } from './runs/read-runs.ts'

/** Which runs {@link listRuns} answers. */
export interface RunFilter {
  /** Only those of this webhook. */
  id?: string
  /** Only those that stand so. */
  status?: RunStatus
  /** How many at most: 1 to 500 (default 50). */
  limit?: number
  /** Only those older than the run with this id, whether or not it is still there. */
  before?: string
}

/** Runs, the newest first. */
export interface RunPage {
  readonly runs: readonly Run[]
  /** The `before` of the next page; `null` on the last. */
  readonly next: string | null
}

const maxLimit = 500
const decodeFilter = exactly<RunFilter>({
  id: optional(rawText),
  status: optional(oneOf(runStatuses)),
  limit: optional(wholeFrom(1, maxLimit)),
  before: optional(rawText),
})

/** How many records are read at once where only some of them are asked for. */
const pageSize = 200

/**
 * Runs of all processes that share the storage, the newest first. Those whose process is gone are `lost`.
 *
 * @throws {GatehouseError} `InvalidInput`; whatever the storage rejects with.
 * @example
 * const { runs } = await listRuns(webhooks, { status: 'failed' })
 */
export async function listRuns(webhooks: WebhooksContext, given: RunFilter = {}): Promise<RunPage> {
  return findRuns(webhooks, decodeInput('filter', decodeFilter, given))
}

/** {@link listRuns} by a filter whose types were checked. */
export async function findRuns(webhooks: WebhooksContext, filter: RunFilter): Promise<RunPage> {
  const { status, limit = 50 } = filter
  const runs: Run[] = []
  let { before } = filter
  for (;;) {
    // One more than asked for, to know whether there is one.
    const size = status === undefined ? limit + 1 : pageSize
    const records = await find(
      webhooks,
      { ...filter, ...(before === undefined ? {} : { before }) },
      size,
    )
    for (const run of await readRuns(webhooks, records)) {
      if (status !== undefined && run.status !== status) continue
      if (runs.length === limit) return { runs, next: runs.at(-1)?.run_id ?? null }
      runs.push(run)
    }
    before = records.at(-1)?.id
    if (records.length < size || before === undefined) return { runs, next: null }
  }
}

/** Records of runs, the newest first. */
function find(
  { storage }: WebhooksContext,
  { id, before }: RunFilter,
  limit: number,
): Promise<TypedRecord<StoredRun>[]> {
  const of: Pick<Query, 'by' | 'equals'> =
    id === undefined ? { by: 'id' } : { by: 'webhook', equals: id }
  const after = before === undefined ? {} : { after: { key: id ?? before, id: before } }
  return runCollection.find(storage, { ...of, ...after, order: 'desc', limit })
}
