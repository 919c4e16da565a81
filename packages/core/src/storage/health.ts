import { type Ids, systemIds } from '../crypto/ids.ts'
import { isGatehouseError } from '../errors.ts'
import { type Logger, loggerOf } from '../logger.ts'
import { declareMetrics, type MetricRows } from '../metrics/declare-metrics.ts'
import type { MetricsRegistry } from '../metrics/metrics.ts'
import { type Clock, type Instant, systemClock } from '../time/clock.ts'
import { defineCollection, type TypedCollection } from './collection.ts'
import type { Storage } from './storage.ts'

/** Records written to test whether a storage is writable, and removed at once. */
export const healthCollection: TypedCollection<string> = defineCollection({ name: 'health' })

/** The reason why a storage does not work. */
export interface StorageProblem {
  /** The reason of the error, such as `StorageFull`; `Timeout` if there was no answer in time. */
  readonly reason: string
  /** A message for people, without secrets. */
  readonly message: string
}

/** Checks whether a storage is writable and readable, for readiness probes. */
export interface StorageHealth {
  /**
   * Writes to the storage, and runs the reads passed to {@link StorageHealth.watch}. Does so at most once a second, however often
   * it is called. Resolves within five seconds, and never rejects.
   *
   * @returns the problem, or `undefined` if there is none.
   */
  check(): Promise<StorageProblem | undefined>
  /** Adds a read to every check. The storage counts as broken while the read rejects. */
  watch(read: () => Promise<unknown>): void
}

/** Options of {@link createStorageHealth}. */
export interface StorageHealthOptions {
  storage: Storage
  clock?: Clock | undefined
  ids?: Ids | undefined
  /** Logs once when the storage breaks, and once when it works again; `false` for none (default: a console logger). */
  logger?: Logger | false | undefined
  /** Registers `gatehouse_storage_writable` and `gatehouse_storage_problem` here, unless they exist (default: no metrics). */
  metrics?: MetricsRegistry | undefined
}

/** How long a result is reused. */
const freshMs = 1_000
/** The timeout of a check. */
const withinMs = 5_000
/** Expires the record if the process dies before removing it. */
const recordLifeMs = 60_000

/** More than a database page, so that it needs a new page and fails when a new alert would fail. */
const sample = 'x'.repeat(8_192)

const late: StorageProblem = { reason: 'Timeout', message: 'the storage does not answer' }

/**
 * Checks a storage for readiness probes.
 *
 * @example
 * const health = createStorageHealth({ storage })
 * app.get('/ready', async (c) => c.text('', (await health.check()) === undefined ? 200 : 503))
 */
export function createStorageHealth(options: StorageHealthOptions): StorageHealth {
  const { storage, clock = systemClock, ids = systemIds } = options
  const logger = loggerOf(options.logger)
  const id = ids.random()
  const reads: (() => Promise<unknown>)[] = []
  let last: { readonly at: Instant; readonly problem: StorageProblem | undefined } | undefined
  let checking: Promise<StorageProblem | undefined> | undefined
  /** May outlive its check after a timeout. No second attempt starts meanwhile. */
  let trying: Promise<StorageProblem | undefined> | undefined

  const attempt = async (): Promise<StorageProblem | undefined> => {
    try {
      const expiresAt = clock.now() + recordLifeMs
      await storage.commit([healthCollection.write(id, sample, { expiresAt })])
      await storage.commit([healthCollection.remove(id)])
      for (const read of reads) await read()
      return undefined
    } catch (error) {
      return problemOf(error)
    } finally {
      trying = undefined
    }
  }

  const note = (problem: StorageProblem | undefined): void => {
    if (problem !== undefined && problem.reason !== last?.problem?.reason) {
      const { reason, message } = problem
      logger.error({ reason, error: message }, 'not ready: the storage does not work')
    } else if (problem === undefined && last?.problem !== undefined) {
      logger.info({}, 'ready: the storage works again')
    }
    last = { at: clock.now(), problem }
  }

  const run = async (): Promise<StorageProblem | undefined> => {
    let cancel = (): void => {}
    const timeout = new Promise<StorageProblem>((resolve) => {
      cancel = clock.setTimer(withinMs, () => resolve(late))
    })
    trying ??= attempt()
    const problem = await Promise.race([trying, timeout])
    cancel()
    checking = undefined
    note(problem)
    return problem
  }

  const health: StorageHealth = {
    async check() {
      const age = clock.now() - (last?.at ?? Number.NEGATIVE_INFINITY)
      if (age >= 0 && age < freshMs) return last?.problem
      checking ??= run()
      return checking
    },
    watch(read) {
      reads.push(read)
    },
  }
  if (options.metrics !== undefined) registerHealth(options.metrics, health)
  return health
}

/** Hides the message of a driver's error, which may quote the URL of the database. The driver logs it. */
function problemOf(error: unknown): StorageProblem {
  if (isGatehouseError(error)) return { reason: error.reason, message: error.message }
  const name = error instanceof Error ? error.name : 'Unknown'
  return { reason: name, message: `the storage failed with an unexpected error (${name})` }
}

const rows = {
  writable: {
    type: 'gauge',
    name: 'gatehouse_storage_writable',
    help: 'Whether the storage can be written and read.',
  },
  problem: {
    type: 'gauge',
    name: 'gatehouse_storage_problem',
    help: 'Is 1 for the reason why the storage does not work.',
    labels: ['reason'],
  },
} satisfies MetricRows

function registerHealth(metrics: MetricsRegistry, health: StorageHealth): void {
  // Services that share a registry share their storage.
  if (metrics.has(rows.writable.name)) return
  declareMetrics(metrics, rows, {
    async writable(gauge) {
      gauge.set((await health.check()) === undefined ? 1 : 0)
    },
    async problem(gauge) {
      const problem = await health.check()
      gauge.clear()
      if (problem !== undefined) gauge.set(1, { reason: problem.reason })
    },
  })
}
