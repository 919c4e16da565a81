import type { TypedRecord } from '../../storage/collection.ts'
import type { Version } from '../../storage/storage.ts'
import type { Clock } from '../../time/clock.ts'
import type { Machine } from '../runner/process/machine.ts'
import type { StoredServer } from './server-record.ts'

/** Detects dead processes by the records that they stopped updating. */
export interface ServerWatch {
  /** Whether the process with this record is dead; a process without a record is. */
  isGone(server: string, record: TypedRecord<StoredServer> | undefined): boolean
}

/** A process without a heartbeat for this long is dead. */
const silentMs = 30_000
/** The most that one check adds: if this process was suspended between two checks, it did not watch. */
const maxBetweenLooksMs = 10_000
/** The number of processes whose last heartbeat is remembered. */
const maxWatched = 1_000

interface Watched {
  readonly version: Version
  /** How long its record has been watched without a change. */
  readonly silentMs: number
  readonly lookedAt: number
}

/**
 * Creates a {@link ServerWatch} that compares no clocks: it measures how long this process has watched a record without a change.
 * A process on this machine is dead only when its process number is gone: a suspended process continues later, and its commands
 * never stopped.
 */
export function createServerWatch(clock: Clock, machine: Machine): ServerWatch {
  const watched = new Map<string, Watched>()
  return {
    isGone(server, record) {
      if (record === undefined) {
        watched.delete(server)
        return true
      }
      const state = machine.stateOf(record.value)
      if (state !== 'unknown') return state === 'gone'
      const now = clock.monotonic()
      const last = watched.get(server)
      const isSame = last?.version === record.version
      const passedMs = isSame ? Math.min(now - last.lookedAt, maxBetweenLooksMs) : 0
      const seen = {
        version: record.version,
        lookedAt: now,
        silentMs: (isSame ? last.silentMs : 0) + passedMs,
      }
      if (watched.size >= maxWatched && last === undefined) watched.clear()
      watched.set(server, seen)
      return seen.silentMs >= silentMs
    },
  }
}
