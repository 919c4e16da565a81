import type { Logger } from '../../logger.ts'
import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import type { CommitTogether } from '../../storage/commit-together.ts'
import { objectOf, text } from '../../storage/record-check.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Clock } from '../../time/clock.ts'

/** Requests to cancel runs, by run id. The run may belong to another process. */
export const cancelCollection: TypedCollection<{ readonly server: string }> = defineCollection({
  name: 'webhook_cancels',
  fields: { server: 'text' },
  unreadable: 'skip',
  check: objectOf<{ readonly server: string }>({ server: text }),
})

/** How often a process with runs checks for requests. */
const intervalMs = 1_000
/** After this time a request belongs to a dead process. */
const lifeMs = 600_000
const pageSize = 100

/** Lets processes cancel each other's runs. */
export interface CancelRequests {
  /** Requests the process with this id to cancel a run. */
  send(server: string, runId: string): Promise<void>
  /** Checks for requests of others while there are runs. */
  watch(): void
  stop(): Promise<void>
}

/** Options of {@link createCancelRequests}. */
export interface CancelRequestsOptions {
  readonly storage: Storage
  readonly commit: CommitTogether
  readonly clock: Clock
  readonly logger: Logger
  /** The id of this process, which may change. */
  readonly server: () => string
  /** Whether there are runs. */
  readonly isNeeded: () => boolean
  readonly cancel: (runId: string) => void
}

/** Creates {@link CancelRequests} over records that each process polls. */
export function createCancelRequests(options: CancelRequestsOptions): CancelRequests {
  const { storage, commit, clock, logger, server, isNeeded, cancel } = options
  let cancelTimer: (() => void) | undefined
  let looking: Promise<void> | undefined
  let isStopped = false

  const follow = async (): Promise<void> => {
    const query = { by: 'server', equals: server(), limit: pageSize }
    const requests = await cancelCollection.find(storage, query)
    if (requests.length === 0) return
    for (const { id } of requests) cancel(id)
    await commit(requests.map(({ id }) => cancelCollection.remove(id)))
  }

  const look = async (): Promise<void> => {
    try {
      await follow()
    } catch (error) {
      logger.warn({ error: String(error) }, 'cancel requests could not be read')
    }
    cancelTimer = undefined
    if (isNeeded()) watch()
  }

  const watch = (): void => {
    if (isStopped) return
    cancelTimer ??= clock.setTimer(intervalMs, () => {
      looking = look()
    })
  }

  return {
    async send(owner, runId) {
      const expiresAt = clock.now() + lifeMs
      await commit([cancelCollection.write(runId, { server: owner }, { expiresAt })])
    },

    watch,

    async stop() {
      isStopped = true
      cancelTimer?.()
      await looking
    },
  }
}
