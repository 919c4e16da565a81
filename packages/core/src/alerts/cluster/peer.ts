import { compareBytes } from '@gatehouse/go-template/text'
import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { objectOf, text } from '../../storage/record-check.ts'

/** A process of the cluster, which shares the storage with the others. @see Alertmanager API v2, `peerStatus` */
export interface Peer {
  readonly name: string
  /** The address that the process reports, as `host:port`. Nothing connects to it. */
  readonly address: string
}

/** The cluster as a process sees it. @see Alertmanager API v2, `clusterStatus` */
export interface ClusterStatus {
  /** The name of this process; absent without a cluster. */
  readonly name?: string
  /** The live peers including this one, sorted by name. */
  readonly peers: readonly Peer[]
  /**
   * `disabled` without a cluster; `ready` while the heartbeat of this process is stored, so that the others see it; `settling`
   * before that, and after renewals have failed for too long.
   */
  readonly status: 'ready' | 'settling' | 'disabled'
}

/**
 * The heartbeats of all processes: each process renews its own, which expires soon after the process ends. Every start uses a new
 * id, so two processes with the same name never write to one record.
 */
export const peerCollection: TypedCollection<Peer> = defineCollection<Peer>({
  name: 'peers',
  feed: true,
  unreadable: 'skip',
  check: objectOf<Peer>({ name: text, address: text }),
})

/** The interval between two renewals of a heartbeat, in ms. */
export const heartbeatIntervalMs = 5_000

/**
 * How long a heartbeat lives unless it is renewed, in ms: long enough to miss three renewals, short enough to notice a crash
 * soon.
 *
 * The expiry is set by the clock of the writing process and evaluated by the clocks of the readers. A clock that is ahead sees it
 * expire early: a renewed heartbeat has at least 14 s left (the next renewal comes after the interval and a second until others
 * see it), so clocks may differ by that much before a live peer is missing at times. Machines with time synchronisation differ by
 * far less. A clock that is behind sees a crashed process live on for as long as it is behind. No decision depends on the list.
 */
export const heartbeatLifeMs = 20_000

/** The status of a process without a cluster. */
export const clusterDisabled: ClusterStatus = Object.freeze({
  peers: Object.freeze([]),
  status: 'disabled',
})

/**
 * Peers as they are listed, sorted by name. Peers with the same name and address count as one: a process that restarted before
 * the heartbeat of its crashed predecessor expired. Peers with the same name at several addresses are all listed.
 */
export function listedPeers(peers: Iterable<Peer>): readonly Peer[] {
  const listed = new Map<string, Peer>()
  for (const { name, address } of peers) {
    listed.set(JSON.stringify([name, address]), { address, name })
  }
  return [...listed.values()].sort(
    (a, b) => compareBytes(a.name, b.name) || compareBytes(a.address, b.address),
  )
}
