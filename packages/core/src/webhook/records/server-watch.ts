import type { TypedRecord } from '../../storage/collection.ts'
import type { Version } from '../../storage/storage.ts'
import type { Clock } from '../../time/clock.ts'
import type { Machine } from '../runner/process/machine.ts'
import type { StoredServer } from './heartbeat.ts'

/** Tells which processes are gone, by the records that they write again and again. */
export interface ServerWatch {
  /** Whether the process is gone that has this record now; one that has none is. */
  isGone(server: string, record: TypedRecord<StoredServer> | undefined): boolean
}

/** A process that has shown nothing for so long is gone. */
const silentMs = 30_000
/** What one look adds at most: whoever was stopped itself between two looks has not watched. */
const mostBetweenLooksMs = 10_000
/** Of so many processes it is known when they were seen. */
const mostWatched = 1_000

interface Watched {
  readonly version: Version
  /** How long its record has been watched without a change. */
  readonly silentMs: number
  readonly lookedAt: number
}

/**
 * A {@link ServerWatch} that compares no clocks: what counts is how long this process has watched a record that does not change. A process of
 * this machine is gone once its number says so, and only then: one that is stopped goes on later, and its commands never stopped.
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
      const passedMs = isSame ? Math.min(now - last.lookedAt, mostBetweenLooksMs) : 0
      const seen = {
        version: record.version,
        lookedAt: now,
        silentMs: (isSame ? last.silentMs : 0) + passedMs,
      }
      if (watched.size >= mostWatched && last === undefined) watched.clear()
      watched.set(server, seen)
      return seen.silentMs >= silentMs
    },
  }
}
