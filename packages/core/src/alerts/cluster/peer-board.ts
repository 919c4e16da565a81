import { compareBytes } from '@gatehouse/go-template/text'
import type { Ids } from '../../crypto/ids.ts'
import type { MetricsRegistry } from '../../metrics/metrics.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import type { Storage } from '../../storage/storage.ts'
import { createView } from '../../storage/view.ts'
import type { Clock, Instant } from '../../time/clock.ts'
import {
  type ClusterStatus,
  heartbeatLifeMs,
  listedPeers,
  type Peer,
  peerCollection,
} from './peer.ts'
import { registerPeerMetrics } from './peer-metrics.ts'

/** The peers of the cluster in memory, kept up to date with the storage. */
export interface PeerBoard {
  /** The id of this process's heartbeat. */
  readonly id: string
  /** Brings the status up to date with the storage and the clock, and returns it: the same object until it changes. */
  refresh(): Promise<ClusterStatus>
  /** The live heartbeats as of the last refresh, this process's first. */
  heartbeats(): readonly Heartbeat[]
}

/** A heartbeat of a process. */
export interface Heartbeat extends Peer {
  /** Whether it is of this process. */
  readonly isOwn: boolean
  /** When it was renewed, by the clock of that process. */
  readonly renewedAt: Instant
}

/** Options of {@link createPeerBoard}. */
export interface PeerBoardOptions {
  storage: Storage
  clock: Clock
  ids: Ids
  metrics: MetricsRegistry
  /** This process. */
  self: Peer
}

/** Creates a board over the heartbeats of this storage; it lists only this process until its first refresh. */
export function createPeerBoard(options: PeerBoardOptions): PeerBoard {
  const { storage, clock, metrics, self } = options
  const id = options.ids.random()
  const heartbeats = new Map<string, TypedRecord<Peer>>()
  /** Whether a heartbeat was added or removed. Renewals do not count: the peer of an id stays the same. */
  let isChanged = false
  let counted: ReadonlySet<string> = new Set()

  const view = createView({
    storage,
    clock,
    collection: peerCollection,
    projection: {
      clear() {
        heartbeats.clear()
        isChanged = true
      },
      put(record) {
        if (!heartbeats.has(record.id)) isChanged = true
        heartbeats.set(record.id, record)
      },
      remove(gone) {
        if (heartbeats.delete(gone)) isChanged = true
      },
    },
  })

  const counters = registerPeerMetrics({
    metrics,
    name: self.name,
    countMembers() {
      // The view removes expired records only when it reads the storage.
      const now = clock.now()
      const live = [...heartbeats.values()].filter(({ expiresAt = now }) => expiresAt > now)
      return listedPeers([self, ...live.map(({ value }) => value)]).length
    },
  })

  const count = (): void => {
    const present = new Set(heartbeats.keys())
    const joined = [...present].filter((one) => !counted.has(one))
    const left = [...counted].filter((one) => !present.has(one))
    counters.changed(joined.length, left.length)
    counted = present
  }

  const currentStatus = (): ClusterStatus => {
    const stored = [...heartbeats.values()].map(({ value }) => value)
    return Object.freeze({
      name: self.name,
      peers: Object.freeze(listedPeers([self, ...stored])),
      status: heartbeats.has(id) ? 'ready' : 'settling',
    })
  }
  let status = currentStatus()

  return {
    id,
    async refresh() {
      await view.refresh()
      if (isChanged) {
        isChanged = false
        count()
        status = currentStatus()
      }
      return status
    },
    heartbeats() {
      const now = clock.now()
      return [...heartbeats.values()]
        .filter(({ expiresAt = now }) => expiresAt > now)
        .map(({ id: one, value, expiresAt = now }) => {
          return { ...value, isOwn: one === id, renewedAt: expiresAt - heartbeatLifeMs }
        })
        .sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || compareBytes(a.name, b.name))
    },
  }
}
