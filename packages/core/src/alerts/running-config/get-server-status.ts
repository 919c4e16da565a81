import { isDescribed, type StorageDescription } from '../../storage/describe.ts'
import { formatDateTime } from '../../time/date-time.ts'
import type { AlertsContext } from '../context.ts'
import { cutText } from '../history/cut-short.ts'
import type * as wire from '../wire/types.generated.ts'

/** A process that shares the storage with this one. */
export type ServerProcess = wire.ServerProcess

/** The storage as this process sees it. */
export interface StorageStatus extends Partial<StorageDescription> {
  /** How long it took just now to bring the alerts in memory up to date with the storage, in ms; absent if it failed. */
  readonly refreshMs?: number
}

/** A problem of the server. */
export type ServerProblem = wire.ServerProblem

/** The state of a server, for its operators. */
export type ServerStatus = wire.ServerStatus

const maxProblems = 100
const maxMessageLength = 1_000

/**
 * Returns the state of this server: storage, history, processes, and problems, those of the option `findProblems` among them. Does
 * not fail if the storage does.
 */
export async function getServerStatus(alerts: AlertsContext): Promise<ServerStatus> {
  const { clock, historyMetrics, options } = alerts
  const [storage, processes, problems] = await Promise.all([
    storageStatus(alerts),
    processesOf(alerts),
    problemsOf(alerts),
  ])
  return {
    at: formatDateTime(clock.now()),
    startedAt: formatDateTime(alerts.startedAt),
    storage,
    history: {
      retentionMs: options.historyRetentionMs,
      packedBytes: historyMetrics.bytes.count,
      maxBytes: options.historyMaxBytes,
      waiting: historyMetrics.waiting.count,
    },
    processes,
    problems,
  }
}

async function storageStatus({ board, clock, storage }: AlertsContext): Promise<StorageStatus> {
  const startedAt = clock.monotonic()
  const [refreshMs, description] = await Promise.all([
    board.catchUp().then(
      () => clock.monotonic() - startedAt,
      () => undefined,
    ),
    isDescribed(storage) ? storage.describe().catch(() => undefined) : undefined,
  ])
  return { ...description, ...(refreshMs === undefined ? {} : { refreshMs }) }
}

async function processesOf({ peers }: AlertsContext): Promise<readonly ServerProcess[]> {
  // While the storage does not answer, the last known heartbeats are shown until they expire.
  await peers?.refresh().catch(() => undefined)
  return (peers?.heartbeats() ?? []).map(({ name, address, isOwn, renewedAt }) => {
    return { name, address, isThis: isOwn, heartbeatAt: formatDateTime(renewedAt) }
  })
}

async function problemsOf(alerts: AlertsContext): Promise<readonly ServerProblem[]> {
  const { config, health, logger, options } = alerts
  const failures: string[] = []
  const storage = await health.check()
  if (storage !== undefined) failures.push(`the storage does not work: ${storage.message}`)
  if (config.refusal !== undefined) {
    failures.push(`the last reload failed, and the configuration before it runs: ${config.refusal}`)
  }
  let mistakes: readonly string[] = []
  try {
    mistakes = (await options.findProblems?.()) ?? []
  } catch (error) {
    logger.error({ error: String(error) }, 'findProblems failed')
    failures.push('the search for problems failed: see the log')
  }
  return [
    ...failures.map((message) => ({ isFailure: true, message })),
    ...mistakes.map((message) => ({ isFailure: false, message })),
  ]
    .slice(0, maxProblems)
    .map((one) => ({ ...one, message: cutText(String(one.message), maxMessageLength) }))
}
