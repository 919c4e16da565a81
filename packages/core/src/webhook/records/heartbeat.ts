import type { Logger } from '../../logger.ts'
import {
  defineCollection,
  type TypedCollection,
  type TypedRecord,
} from '../../storage/collection.ts'
import type { CommitTogether } from '../../storage/commit-together.ts'
import { isConflict, type Storage, type Version, type Write } from '../../storage/storage.ts'
import type { Clock, Instant } from '../../time/clock.ts'
import type { Machine, ServerProcess } from '../runner/process/machine.ts'

/** What a process that is at work on runs says of itself. */
export interface StoredServer extends ServerProcess {
  readonly started_at: Instant
}

/**
 * Processes that are at work on runs. Each writes its record again and again: one whose record is gone, or stays as it is, is gone. See
 * `server-watch.ts`.
 */
export const serverCollection: TypedCollection<StoredServer> = defineCollection<StoredServer>({
  name: 'webhook_servers',
})

/** The signs of life of servers, by their ids. */
export async function readSigns(
  storage: Storage,
  servers: readonly string[],
): Promise<ReadonlyMap<string, TypedRecord<StoredServer> | undefined>> {
  // Only heartbeats write to this collection.
  const signs = (await storage.get(serverCollection, servers)) as unknown as readonly (
    | TypedRecord<StoredServer>
    | undefined
  )[]
  return new Map(servers.map((server, index) => [server, signs[index]]))
}

/** So often a sign of life is given while there are runs, in ms; sooner after one that failed. */
const intervalMs = 10_000
const retryMs = 1_000
/** Others take a process for gone 30 s after its last sign: this long it can rely on being known, with time left to begin a run. */
const sureMs = 20_000
/** An answer may have been lost, and then others may remove the sign while it is read. */
const mostAttempts = 3

/** Shows that a process lives while it has runs, so that those of one that died are told from those under way. */
export interface Heartbeat {
  /** The id of this process. Another one once other processes took it for gone. */
  readonly server: string
  /** Sees to it that the sign of life is there: called in the turn in which a run is recorded, it shares its commit. */
  ensure(): Promise<void>
  /** Gives the sign of life at once, which shows whether others take this process for gone. */
  confirm(): Promise<void>
  /** Whether no other process can have taken this one for gone yet. */
  isSure(): boolean
  /** What makes a commit fail if others take this process for gone. Only after {@link Heartbeat.ensure}. */
  check(): Write
  /** Gives no more signs, and takes the last one back. */
  stop(): Promise<void>
}

/** Options of {@link createHeartbeat}. */
export interface HeartbeatOptions {
  readonly storage: Storage
  readonly commit: CommitTogether
  readonly clock: Clock
  readonly logger: Logger
  readonly machine: Machine
  /** Makes the id of this process. */
  readonly createId: () => string
  /** Whether there are runs. */
  readonly isNeeded: () => boolean
  /** Told that others took this process for gone: its runs are recorded as lost, or will be. */
  readonly onFenced: (server: string) => void
  /** Called when {@link Heartbeat.isSure} has answered no, and a new sign of life was given. */
  readonly onSure: () => void
}

/** A {@link Heartbeat} that has shown nothing yet. */
export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { storage, commit, clock, logger, machine, createId, isNeeded, onFenced, onSure } = options
  const startedAt = clock.now()
  let server = createId()
  /** The last sign, and when it was given. */
  let shown: { readonly version: Version; readonly at: number } | undefined
  let showing: Promise<void> | undefined
  let cancelTimer: (() => void) | undefined
  let isFailing = false
  /** Whether runs wait for the next sign. */
  let isAwaited = false
  let isStopped = false

  /** The version that the sign got. */
  const write = async (): Promise<Version> => {
    const value: StoredServer = { started_at: startedAt, ...machine.own() }
    const sign = serverCollection.write(server, value, { if: shown?.version ?? 'absent' })
    const [version = ''] = await commit([sign])
    return version
  }

  const isSure = (): boolean => {
    const sure = shown === undefined || clock.monotonic() - shown.at < sureMs
    if (!sure) isAwaited = true
    return sure
  }

  const show = async (): Promise<void> => {
    const at = clock.monotonic()
    for (let attempt = 1; ; attempt++) {
      try {
        shown = { version: await write(), at }
        break
      } catch (error) {
        if (!isConflict(error) || attempt === mostAttempts) throw error
        // Nobody else writes this record: either the answer to an earlier commit was lost, or others have removed it.
        const record = await serverCollection.get(storage, server)
        if (record === undefined) fence()
        shown = record && { version: record.version, at }
      }
    }
    if (isFailing) logger.info({}, 'the sign of life is renewed again')
    isFailing = false
    if (!isAwaited) return
    isAwaited = false
    onSure()
  }

  const fence = (): void => {
    const former = server
    server = createId()
    logger.error({}, 'other servers took this one for gone: its runs are ended')
    onFenced(former)
  }

  const showOnce = (): Promise<void> => {
    showing ??= show().finally(() => {
      showing = undefined
    })
    return showing
  }

  /** Idle, a process needs no record, and leaves none if it is killed. */
  const takeBack = async (): Promise<void> => {
    const last = shown
    shown = undefined
    if (last === undefined) return
    try {
      await commit([serverCollection.remove(server, last.version)])
    } catch (error) {
      // Others removed it, or remove it when they miss this process.
      logger.debug({ error: String(error) }, 'the sign of life was not taken back')
    }
  }

  const arm = (ms: number): void => {
    cancelTimer?.()
    cancelTimer = isStopped ? undefined : clock.setTimer(ms, () => void beat())
  }

  const beat = async (): Promise<void> => {
    cancelTimer = undefined
    if (!isNeeded()) return takeBack()
    try {
      await showOnce()
    } catch (error) {
      if (!isFailing) logger.warn({ error: String(error) }, 'no sign of life could be given')
      isFailing = true
    }
    arm(isFailing ? retryMs : intervalMs)
  }

  return {
    get server() {
      return server
    },

    async ensure() {
      if (cancelTimer === undefined) arm(intervalMs)
      const isFresh = shown !== undefined && clock.monotonic() - shown.at < intervalMs
      if (!isFresh) await showOnce()
    },

    async confirm() {
      if (cancelTimer === undefined) arm(intervalMs)
      await showOnce()
    },

    isSure,

    check() {
      const check = shown?.version ?? 'absent'
      return { collection: serverCollection, id: server, check }
    },

    async stop() {
      isStopped = true
      cancelTimer?.()
      await showing?.catch(() => {})
      await takeBack()
    },
  }
}
