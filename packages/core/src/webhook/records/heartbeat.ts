import type { Write } from '../../storage/storage.ts'
import { createHeartbeatRecord, type HeartbeatRecordOptions } from './heartbeat-record.ts'

/** How often a process with runs updates its record, in ms; sooner after a failure. */
const intervalMs = 10_000
const retryMs = 1_000
/**
 * Others consider a process dead 30 s after its last heartbeat. For this long it can rely on being alive to them, with time left
 * to start a run.
 */
const sureMs = 20_000

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
export interface HeartbeatOptions extends HeartbeatRecordOptions {
  /** Whether there are runs. */
  readonly isNeeded: () => boolean
  /** Called when {@link Heartbeat.isSure} was false, and a new heartbeat was recorded. */
  readonly onSure: () => void
}

/** Creates a {@link Heartbeat} without a record. */
export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { clock, logger, isNeeded, onSure } = options
  const record = createHeartbeatRecord(options)
  let showing: Promise<void> | undefined
  let cancelTimer: (() => void) | undefined
  let isFailing = false
  /** Whether runs wait for the next heartbeat. */
  let isAwaited = false
  let isStopped = false

  const show = async (): Promise<void> => {
    await record.write()
    if (isFailing) logger.info({}, 'the heartbeat is recorded again')
    isFailing = false
    if (!isAwaited) return
    isAwaited = false
    onSure()
  }

  const showOnce = (): Promise<void> => {
    showing ??= show().finally(() => {
      showing = undefined
    })
    return showing
  }

  const arm = (ms: number): void => {
    cancelTimer?.()
    cancelTimer = isStopped ? undefined : clock.setTimer(ms, () => void beat())
  }

  const beat = async (): Promise<void> => {
    cancelTimer = undefined
    // An idle process needs no record, and leaves none if it is killed.
    if (!isNeeded()) return record.remove()
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
      return record.server
    },

    async ensure() {
      if (cancelTimer === undefined) arm(intervalMs)
      const ageMs = record.ageMs()
      if (ageMs === undefined || ageMs >= intervalMs) await showOnce()
    },

    async confirm() {
      if (cancelTimer === undefined) arm(intervalMs)
      await showOnce()
    },

    isSure() {
      const ageMs = record.ageMs()
      const isSure = ageMs === undefined || ageMs < sureMs
      if (!isSure) isAwaited = true
      return isSure
    },

    check: () => record.check(),

    async stop() {
      isStopped = true
      cancelTimer?.()
      await showing?.catch(() => {})
      await record.remove()
    },
  }
}
