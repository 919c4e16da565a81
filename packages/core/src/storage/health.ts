import { type Ids, systemIds } from '../crypto/ids.ts'
import { isGatehouseError } from '../errors.ts'
import { type Logger, silentLogger } from '../logger.ts'
import type { MetricsRegistry } from '../metrics/metrics.ts'
import { type Clock, type Instant, systemClock } from '../time/clock.ts'
import { defineCollection, type TypedCollection } from './collection.ts'
import type { Storage } from './storage.ts'

/** Records that are written to see whether a storage can be written, and removed at once. */
export const healthCollection: TypedCollection<string> = defineCollection({ name: 'health' })

/** Why a storage cannot be used. */
export interface StorageProblem {
  /** The reason of the error, such as `StorageFull`; `Timeout` if nothing was answered in time. */
  readonly reason: string
  /** For people. Holds no secret. */
  readonly message: string
}

/** Whether a storage can be written and read, for readiness probes. */
export interface StorageHealth {
  /**
   * Writes to the storage and reads what was given to {@link StorageHealth.watch}. Done at most once a second however often
   * it is called. Answers within five seconds, and never rejects.
   *
   * @returns what is wrong, `undefined` if nothing is.
   */
  check(): Promise<StorageProblem | undefined>
  /** Makes every check call `read` too: the storage counts as broken while it rejects. */
  watch(read: () => Promise<unknown>): void
}

/** Options of {@link createStorageHealth}. */
export interface StorageHealthOptions {
  storage: Storage
  clock?: Clock
  ids?: Ids
  /** Told once when the storage breaks, and once when it works again (default silent). */
  logger?: Logger
  /** Gets `gatehouse_storage_writable` and `gatehouse_storage_problem`, unless they are there already (default: none). */
  metrics?: MetricsRegistry
}

/** How long an answer counts. */
const freshMs = 1_000
/** How long a check may take. */
const withinMs = 5_000
/** After a process died between writing and removing. */
const recordLifeMs = 60_000

/** More than a page of a database: it does not fit beside what is there, so it is refused where a new alert is refused. */
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
  const { storage, clock = systemClock, ids = systemIds, logger = silentLogger } = options
  const id = ids.random()
  const reads: (() => Promise<unknown>)[] = []
  let last: { readonly at: Instant; readonly problem: StorageProblem | undefined } | undefined
  let checking: Promise<StorageProblem | undefined> | undefined
  /** May outlive the check that began it. No second one is begun then. */
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

/** What an error of a driver says is for the log of the driver: it may quote the URL of the database. */
function problemOf(error: unknown): StorageProblem {
  if (isGatehouseError(error)) return { reason: error.reason, message: error.message }
  const name = error instanceof Error ? error.name : 'Unknown'
  return { reason: name, message: `the storage failed with an unexpected error (${name})` }
}

function registerHealth(metrics: MetricsRegistry, health: StorageHealth): void {
  const writable = 'gatehouse_storage_writable'
  // Services that share a registry share their storage.
  if (metrics.has(writable)) return
  metrics.gauge({
    name: writable,
    help: 'Whether the storage can be written and read.',
    async collect(gauge) {
      gauge.set((await health.check()) === undefined ? 1 : 0)
    },
  })
  metrics.gauge({
    name: 'gatehouse_storage_problem',
    help: 'Is 1 for the reason why the storage does not work.',
    labels: ['reason'],
    async collect(gauge) {
      const problem = await health.check()
      gauge.clear()
      if (problem !== undefined) gauge.set(1, { reason: problem.reason })
    },
  })
}
