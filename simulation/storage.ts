import type { Storage } from '@gatehouse/core'
import { storageUnavailable, type Write } from '@gatehouse/core/store'
import { createMemoryStorage } from '@gatehouse/store-memory'
import type { Random } from '../test-support/random.ts'
import { epoch, type Life, type Machine } from './machine.ts'
import type { Timeline } from './timeline.ts'

/**
 * How a process reaches the storage. `unanswered`: its commits are made, but it gets no answer. `read-only`: writes fail. `slow`:
 * every answer takes seconds.
 */
export type Connection = 'there' | 'away' | 'unanswered' | 'read-only' | 'slow'

/** An in-memory storage that several processes share, behind a layer of faults. */
export interface SharedStorage {
  /** The storage as one life of a process reaches it. */
  of(life: Life): Storage
  /** The storage without faults, for checks. */
  readonly raw: Storage
  connect(machine: Machine, connection: Connection): void
  /** Calls `made` for every commit, with the machine that made it. */
  onCommit(made: (writes: readonly Write[], by: Machine) => void): void
}

/** An empty shared storage. Records expire by the clock of the process that reads them. */
export function createSharedStorage({
  timeline,
  random,
}: {
  timeline: Timeline
  random: Random
}): SharedStorage {
  let asking: Life | undefined
  const now = (): number => asking?.clock.now() ?? epoch + timeline.now
  const raw = createMemoryStorage({ clock: { now, monotonic: now, setTimer: () => () => {} } })
  const connections = new Map<Machine, Connection>()
  const listeners: ((writes: readonly Write[], by: Machine) => void)[] = []

  const latency = (connection: Connection): { there: number; back: number } => {
    if (connection === 'slow') {
      return { there: random.between(0, 4_000), back: random.between(0, 8_000) }
    }
    return { there: random.between(0, 3), back: random.chance(0.1) ? random.between(0, 40) : 0 }
  }

  return {
    raw,
    connect(machine, connection) {
      connections.set(machine, connection)
    },
    onCommit(made) {
      listeners.push(made)
    },

    of(life) {
      const { machine } = life
      const as = <T>(work: () => Promise<T>): Promise<T> => {
        asking = life
        try {
          return work()
        } finally {
          asking = undefined
        }
      }
      const reach = (): Connection => connections.get(machine) ?? 'there'
      const away = (): Promise<never> => Promise.reject(storageUnavailable('it is away'))
      const read = <T>(work: () => Promise<T>): Promise<T> =>
        life.call('read', () => (reach() === 'away' ? away() : as(work)), latency(reach()))
      return {
        get: (...query) => read(() => raw.get(...query)),
        find: (...query) => read(() => raw.find(...query)),
        // Stores usually know from memory whether anything has changed.
        changes: (...query) =>
          reach() === 'there' && !life.isDead && random.chance(0.8)
            ? as(() => raw.changes(...query))
            : read(() => raw.changes(...query)),
        commit: (writes) =>
          life.call(
            'commit',
            async () => {
              const connection = reach()
              if (connection === 'away' || connection === 'read-only') return away()
              const versions = await as(() => raw.commit(writes))
              for (const made of listeners) made(writes, machine)
              if (connection === 'unanswered') return away()
              return versions
            },
            latency(reach()),
          ),
        close: () => Promise.resolve(),
      }
    },
  }
}
