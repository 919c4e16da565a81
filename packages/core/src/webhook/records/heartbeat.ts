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

/** The record of a process with runs. */
export interface StoredServer extends ServerProcess {
  readonly started_at: Instant
}

/**
 * Processes with runs. Each updates its record regularly: if the record is gone or stops changing, the process is dead. See
 * `server-watch.ts`.
 */
export const serverCollection: TypedCollection<StoredServer> = defineCollection<StoredServer>({
  name: 'webhook_servers',
})

/** The records of servers, by id. */
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

/** How often a process with runs updates its record, in ms; sooner after a failure. */
const intervalMs = 10_000
const retryMs = 1_000
/**
 * Others consider a process dead 30 s after its last heartbeat. For this long it can rely on being alive to them, with time left
 * to start a run.
 */
const sureMs = 20_000
/** The answer to a commit may have been lost, and others may remove the record while it is read. */
const mostAttempts = 3

/** Keeps a liveness record while this process has runs, so that runs of crashed processes can be detected. */
export interface Heartbeat {
  /** The id of this process. It changes after other processes have declared this one dead. */
  readonly server: string
  /** Makes sure that the record exists. If it is called in the turn in which a run is recorded, both share a commit. */
  ensure(): Promise<void>
  /** Updates the record now, which shows whether others declared this process dead. */
  confirm(): Promise<void>
  /** Whether no other process can have declared this one dead yet. */
  isSure(): boolean
  /** The precondition that fails a commit if others declared this process dead. Only after {@link Heartbeat.ensure}. */
  check(): Write
  /** Stops, and removes the record. */
  stop(): Promise<void>
}

/** Options of {@link createHeartbeat}. */
export interface HeartbeatOptions {
  readonly storage: Storage
  readonly commit: CommitTogether
  readonly clock: Clock
  readonly logger: Logger
  readonly machine: Machine
  /** Creates the id of this process. */
  readonly createId: () => string
  /** Whether there are runs. */
  readonly isNeeded: () => boolean
  /** Called when others declared this process dead: its runs are recorded as lost, or will be. */
  readonly onFenced: (server: string) => void
  /** Called when {@link Heartbeat.isSure} was false, and a new heartbeat was recorded. */
  readonly onSure: () => void
}

/** Creates a {@link Heartbeat} without a record. */
export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { storage, commit, clock, logger, machine, createId, isNeeded, onFenced, onSure } = options
  const startedAt = clock.now()
  let server = createId()
  /** The last heartbeat and its time. */
  let shown: { readonly version: Version; readonly at: number } | undefined
  let showing: Promise<void> | undefined
  let cancelTimer: (() => void) | undefined
  let isFailing = false
  /** Whether runs wait for the next heartbeat. */
  let isAwaited = false
  let isStopped = false

  /** Returns the version of the written record. */
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
        // No other process writes this record: either the answer to an earlier commit was lost, or others removed the record.
        const record = await serverCollection.get(storage, server)
        if (record === undefined) fence()
        shown = record && { version: record.version, at }
      }
    }
    if (isFailing) logger.info({}, 'the heartbeat is recorded again')
    isFailing = false
    if (!isAwaited) return
    isAwaited = false
    onSure()
  }

  const fence = (): void => {
    const former = server
    server = createId()
    logger.error({}, 'other servers declared this one dead: its runs are ended')
    onFenced(former)
  }

  const showOnce = (): Promise<void> => {
    showing ??= show().finally(() => {
      showing = undefined
    })
    return showing
  }

  /** An idle process needs no record, and leaves none if it is killed. */
  const takeBack = async (): Promise<void> => {
    const last = shown
    shown = undefined
    if (last === undefined) return
    try {
      await commit([serverCollection.remove(server, last.version)])
    } catch (error) {
      // Others removed it, or will when they miss this process.
      logger.debug({ error: String(error) }, 'the heartbeat record was not removed')
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
      if (!isFailing) logger.warn({ error: String(error) }, 'the heartbeat could not be recorded')
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
