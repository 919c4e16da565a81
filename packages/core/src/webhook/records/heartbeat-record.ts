import type { Logger } from '../../logger.ts'
import type { CommitTogether } from '../../storage/commit-together.ts'
import { isConflict, type Storage, type Version, type Write } from '../../storage/storage.ts'
import type { Clock } from '../../time/clock.ts'
import type { Machine } from '../runner/process/machine.ts'
import { type StoredServer, serverCollection } from './server-record.ts'

/** The answer to a commit may have been lost, and others may remove the record while it is read. */
const maxAttempts = 3

/** The liveness record of this process. */
export interface HeartbeatRecord {
  /** The id of this process and of its record. It changes after other processes have declared this one dead. */
  readonly server: string
  /** The time since the record was last written, in ms; `undefined` without a record. */
  ageMs(): number | undefined
  /** Writes the record. Calls must not overlap. */
  write(): Promise<void>
  /** Removes the record. A failure is only logged. */
  remove(): Promise<void>
  /** The precondition that fails a commit if others removed the record. Only after {@link HeartbeatRecord.write}. */
  check(): Write
}

/** Options of {@link createHeartbeatRecord}. */
export interface HeartbeatRecordOptions {
  readonly storage: Storage
  readonly commit: CommitTogether
  readonly clock: Clock
  readonly logger: Logger
  readonly machine: Machine
  /** Creates the id of this process. */
  readonly createId: () => string
  /** Called when others declared this process dead: its runs are recorded as lost, or will be. */
  readonly onFenced: (server: string) => void
}

/** Creates a {@link HeartbeatRecord} that is not written yet. */
export function createHeartbeatRecord(options: HeartbeatRecordOptions): HeartbeatRecord {
  const { storage, commit, clock, logger, machine, createId, onFenced } = options
  const startedAt = clock.now()
  let server = createId()
  /** The last heartbeat and its time. */
  let shown: { readonly version: Version; readonly at: number } | undefined

  /** Returns the version of the written record. */
  const put = async (): Promise<Version> => {
    const value: StoredServer = { started_at: startedAt, ...machine.own() }
    const sign = serverCollection.write(server, value, { if: shown?.version ?? 'absent' })
    const [version = ''] = await commit([sign])
    return version
  }

  const fence = (): void => {
    const former = server
    server = createId()
    logger.error({}, 'other servers declared this one dead: its runs are ended')
    onFenced(former)
  }

  return {
    get server() {
      return server
    },

    ageMs: () => shown && clock.monotonic() - shown.at,

    async write() {
      const at = clock.monotonic()
      for (let attempt = 1; ; attempt++) {
        try {
          shown = { version: await put(), at }
          return
        } catch (error) {
          if (!isConflict(error) || attempt === maxAttempts) throw error
          // No other process writes this record: either the answer to an earlier commit was lost, or others removed the record.
          const record = await serverCollection.get(storage, server)
          if (record === undefined) fence()
          shown = record && { version: record.version, at }
        }
      }
    },

    async remove() {
      const last = shown
      shown = undefined
      if (last === undefined) return
      try {
        await commit([serverCollection.remove(server, last.version)])
      } catch (error) {
        // Others removed it, or will when they miss this process.
        logger.debug({ error: String(error) }, 'the heartbeat record was not removed')
      }
    },

    check() {
      const check = shown?.version ?? 'absent'
      return { collection: serverCollection, id: server, check }
    },
  }
}
