import type { TypedRecord } from '../../storage/collection.ts'
import type { WebhooksContext } from '../context.ts'
import {
  hasOutput,
  lostRun,
  outputCollection,
  runCollection,
  type StoredOutput,
  type StoredRun,
  toRun,
} from '../records/run-record.ts'
import { readSigns } from '../records/server-record.ts'
import type { Run } from '../run.ts'

/** The parts that reading runs needs. */
export type RunReader = Pick<WebhooksContext, 'storage' | 'work'>

/** Options of {@link readRuns}. */
export interface ReadRunsOptions {
  /** Whether to read the outputs (default true); otherwise `stdout` and `stderr` are empty. */
  readonly output?: boolean | undefined
}

const withoutOutput = (run: Run): Run => ({ ...run, stdout: '', stderr: '' })

/** The runs of records, in order: the current state of this process's runs, and runs of dead processes as lost. */
export async function readRuns(
  webhooks: RunReader,
  records: readonly TypedRecord<StoredRun>[],
  { output = true }: ReadRunsOptions = {},
): Promise<readonly Run[]> {
  const { board } = webhooks.work
  const foreign = records.filter(({ id }) => board.find(id) === undefined)
  const current = new Map((await settleLost(webhooks, foreign)).map((run) => [run.run_id, run]))
  const outputs = output ? await readOutputs(webhooks, [...current.values()]) : undefined
  return records.map(({ id, value }) => {
    const own = board.find(id)
    const run = own?.snapshot() ?? toRun(current.get(id) ?? value, outputs?.get(id))
    return output ? run : withoutOutput(run)
  })
}

/** The recorded states of runs without their output, in order; runs of dead processes as lost. */
export async function readRunStates(
  webhooks: RunReader,
  records: readonly TypedRecord<StoredRun>[],
): Promise<readonly Run[]> {
  return (await settleLost(webhooks, records)).map((record) => toRun(record))
}

/** Reads a run like {@link readRuns}; `undefined` if there is none. */
export async function readRun(
  webhooks: RunReader,
  runId: string,
  options: ReadRunsOptions = {},
): Promise<Run | undefined> {
  const own = webhooks.work.board.find(runId)?.snapshot()
  if (own !== undefined) return options.output === false ? withoutOutput(own) : own
  const record = await runCollection.get(webhooks.storage, runId)
  if (record === undefined) return undefined
  const [run] = await readRuns(webhooks, [record], options)
  return run
}

/** The recorded run, or the run as lost. */
async function settleLost(
  webhooks: RunReader,
  records: readonly TypedRecord<StoredRun>[],
): Promise<readonly StoredRun[]> {
  const lost = await findLost(webhooks, records)
  const isLost = new Map(lost.map((record) => [record.id, record]))
  return records.map(({ id, value }) => {
    const now = isLost.get(id)
    if (now === undefined) return value
    return now.value.server === undefined ? now.value : lostRun(now.value)
  })
}

/**
 * Reads the records again of runs whose processes seem to be dead: those that still have a `server` are lost, the others ended
 * meanwhile.
 */
async function findLost(
  { storage, work }: RunReader,
  records: readonly TypedRecord<StoredRun>[],
): Promise<readonly TypedRecord<StoredRun>[]> {
  const open = records.filter(({ id, value }) => {
    return value.server !== undefined && work.board.find(id) === undefined
  })
  if (open.length === 0) return []
  const own = work.heartbeat.server
  const servers = [...new Set(open.map(({ value }) => value.server ?? own))]
  const signs = await readSigns(storage, servers)
  // A run with this process as owner that it does not know is lost, too.
  const isGone = (server: string): boolean =>
    server === own || work.servers.isGone(server, signs.get(server))
  const gone = new Set(servers.filter(isGone))
  const suspects = open.filter(({ id, value }) => {
    // Its command must be ended first, which marks the run as lost.
    return gone.has(value.server ?? own) && !work.machine.haveRuns([id])
  })
  if (suspects.length === 0) return []
  // A process records the ends of its runs before it removes its heartbeat record, or deletes the runs.
  const ids = suspects.map(({ id }) => id)
  const again = await storage.get(runCollection, ids)
  return again.filter((record) => record !== undefined) as unknown as TypedRecord<StoredRun>[]
}

async function readOutputs(
  { storage }: RunReader,
  runs: readonly StoredRun[],
): Promise<ReadonlyMap<string, StoredOutput>> {
  const ids = runs.filter(hasOutput).map(({ run_id }) => run_id)
  if (ids.length === 0) return new Map()
  const records = await storage.get(outputCollection, ids)
  // Only the journal writes to this collection.
  const found = records.filter(
    (record) => record !== undefined,
  ) as unknown as readonly TypedRecord<StoredOutput>[]
  return new Map(found.map(({ id, value }) => [id, value]))
}
