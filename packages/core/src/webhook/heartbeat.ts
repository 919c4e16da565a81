import type { Clock, Instant } from '../clock.ts'
import { defineCollection, type TypedCollection } from '../collection.ts'
import type { CommitTogether } from '../commit-together.ts'
import type { Logger } from '../logger.ts'

/** Processes that are at work on runs. A record that is gone is that of a process that is gone, or has nothing to do. */
export const serverCollection: TypedCollection<{ readonly started_at: Instant }> = defineCollection(
  { name: 'webhook_servers' },
)

/** For so long a sign of life counts, by the clock of whoever looks: clocks may differ by some seconds. */
const lifeMs = 30_000
/** So often one is given while there are runs, in ms; sooner after one that failed. */
const intervalMs = 10_000
const retryMs = 1_000

/** Shows that a process lives while it has runs, so that those of one that died are told from those under way. */
export interface Heartbeat {
  /** Of this process. */
  readonly server: string
  /** Sees to it that the sign of life is there: called in the turn in which a run is recorded, it shares its commit. */
  ensure(): Promise<void>
  /** Gives no more signs, and takes the last one back. */
  stop(): Promise<void>
}

/** Options of {@link createHeartbeat}. */
export interface HeartbeatOptions {
  readonly server: string
  readonly commit: CommitTogether
  readonly clock: Clock
  readonly logger: Logger
  /** Whether there are runs. */
  readonly isNeeded: () => boolean
}

/** A {@link Heartbeat} that has shown nothing yet. */
export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { server, commit, clock, logger, isNeeded } = options
  const startedAt = clock.now()
  /** When the last sign was given. */
  let shownAt: Instant | undefined
  let showing: Promise<void> | undefined
  let cancelTimer: (() => void) | undefined
  let isFailing = false
  let isStopped = false

  const show = async (): Promise<void> => {
    const now = clock.now()
    const value = { started_at: startedAt }
    try {
      await commit([serverCollection.write(server, value, { expiresAt: now + lifeMs })])
      shownAt = now
      if (isFailing) logger.info({}, 'the sign of life is renewed again')
      isFailing = false
    } finally {
      showing = undefined
    }
  }

  const arm = (ms: number): void => {
    cancelTimer?.()
    cancelTimer = isStopped ? undefined : clock.setTimer(ms, () => void beat())
  }

  const beat = async (): Promise<void> => {
    cancelTimer = undefined
    if (!isNeeded()) return
    try {
      showing ??= show()
      await showing
    } catch (error) {
      if (!isFailing) logger.warn({ error: String(error) }, 'no sign of life could be given')
      isFailing = true
    }
    arm(isFailing ? retryMs : intervalMs)
  }

  return {
    server,

    async ensure() {
      if (cancelTimer === undefined) arm(intervalMs)
      const age = shownAt === undefined ? lifeMs : Math.abs(clock.now() - shownAt)
      if (age < intervalMs) return
      showing ??= show()
      await showing
    },

    async stop() {
      isStopped = true
      cancelTimer?.()
      await showing?.catch(() => {})
      if (shownAt !== undefined) await commit([serverCollection.remove(server)])
    },
  }
}
