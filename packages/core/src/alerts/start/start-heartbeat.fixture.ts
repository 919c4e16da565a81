import { createMemoryStorage } from '@gatehouse/store-memory'
import type { Running } from '../../async/running.ts'
import { silentLogger } from '../../logger.ts'
import type { Storage } from '../../storage/storage.ts'
import { createManualClock, type ManualClock } from '../../testing/index.ts'
import type { Clock } from '../../time/clock.ts'
import type { ClusterStatus, Peer } from '../cluster/peer.ts'
import type { AlertsContext } from '../context.ts'
import { getStatus } from '../running-config/get-status.ts'
import { createFixture } from '../service.fixture.ts'
import { startHeartbeat } from './start-heartbeat.ts'

/** A simulated process of a cluster. */
export interface Process {
  readonly alerts: AlertsContext
  /** The messages it logged, with their levels. */
  readonly log: readonly string[]
  start(): Running
  status(): Promise<ClusterStatus>
  /** Kills it without a trace, as SIGKILL does: no timer of it ever fires again. */
  crash(): void
}

/** Options of {@link Cluster.process}. */
export interface ProcessOptions extends Partial<Peer> {
  /** How far the clock of the process is ahead, in ms (default 0). */
  aheadMs?: number
  storage?: Storage
}

/** Processes over one storage in memory. */
export interface Cluster {
  readonly clock: ManualClock
  readonly storage: Storage
  process(name: string, options?: ProcessOptions): Process
  /** Lets time pass, second by second, with everything that follows from it. */
  pass(ms: number): Promise<void>
}

/** Waits until everything that needs no further event has happened. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A cluster without processes. */
export function createCluster(): Cluster {
  const clock = createManualClock(Date.UTC(2026, 0, 2, 12))
  const storage = createMemoryStorage({ clock })
  return {
    clock,
    storage,
    async pass(ms) {
      const end = clock.now() + ms
      await settled()
      while (clock.now() < end) {
        clock.advance(Math.min(1_000, end - clock.now()))
        await settled()
      }
    },
    process(name, options = {}) {
      const { address = `${name}:9094`, aheadMs = 0 } = options
      let isAlive = true
      const own: Clock = {
        now: () => clock.now() + aheadMs,
        monotonic: clock.monotonic,
        setTimer: (ms, fire) => clock.setTimer(ms, () => isAlive && fire()),
      }
      const log: string[] = []
      const { alerts } = createFixture({
        clock: own,
        storage: options.storage ?? storage,
        cluster: { name, address },
        logger: {
          ...silentLogger,
          info: (_, message) => log.push(`info: ${message}`),
          warn: (_, message) => log.push(`warn: ${message}`),
          error: (_, message) => log.push(`error: ${message}`),
        },
      })
      return {
        alerts,
        log,
        start: () => startHeartbeat(alerts),
        status: async () => (await getStatus(alerts)).cluster,
        crash() {
          isAlive = false
        },
      }
    },
  }
}

/** The names that a status lists. */
export const namesOf = ({ peers }: ClusterStatus): string[] => peers.map(({ name }) => name)

/** A storage that can be switched off: all of it, or only its commits. */
export interface StorageSwitch {
  readonly storage: Storage
  failing: 'nothing' | 'commits' | 'everything'
  /** The error that it rejects with. */
  failure: Error
}

/** Creates a switch for a storage, which works until it is switched off. */
export function createSwitch(storage: Storage): StorageSwitch {
  const unless = <T>(isFailing: boolean, work: () => Promise<T>): Promise<T> =>
    isFailing ? Promise.reject(given.failure) : work()
  const isAway = (): boolean => given.failing === 'everything'
  const given: StorageSwitch = {
    failing: 'nothing',
    failure: new Error('the database is away'),
    storage: {
      get: (...query) => unless(isAway(), () => storage.get(...query)),
      find: (...query) => unless(isAway(), () => storage.find(...query)),
      changes: (...query) => unless(isAway(), () => storage.changes(...query)),
      commit: (writes) => unless(given.failing !== 'nothing', () => storage.commit(writes)),
      close: () => storage.close(),
    },
  }
  return given
}
