import { compareBytes } from '../../crypto/byte-order.ts'
import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { objectOf, text } from '../../storage/record-check.ts'

/** A process of the cluster: one of those that share a storage. @see Alertmanager API v2, `peerStatus` */
export interface Peer {
  readonly name: string
  /** Where the process says it is, as `host:port`. Nothing connects to it. */
  readonly address: string
}

/** What a process knows of its cluster. @see Alertmanager API v2, `clusterStatus` */
export interface ClusterStatus {
  /** The name of this process; absent if it takes part in no cluster. */
  readonly name?: string
  /** The live peers with this one among them, sorted by name. */
  readonly peers: readonly Peer[]
  /**
   * `disabled` without a cluster; `ready` while the heartbeat of this process is stored, so that the others
   * know of it too; `settling` before, and after a time in which it could not be renewed.
   */
  readonly status: 'ready' | 'settling' | 'disabled'
}

/**
 * The heartbeats of all processes: each is renewed by its process and expires soon after that ends. The id of a
 * heartbeat is new at every start, so two processes that were given one name never write to one record.
 */
export const peerCollection: TypedCollection<Peer> = defineCollection<Peer>({
  name: 'peers',
  feed: true,
  unreadable: 'skip',
  check: objectOf<Peer>({ name: text, address: text }),
})

/** How long a process waits between two renewals of its heartbeat, in ms. */
export const heartbeatIntervalMs = 5_000

/**
 * How long a heartbeat lives unless it is renewed, in ms: long enough to miss three renewals, short enough for
 * whoever looks after a crash.
 *
 * Its end is set by the clock of the process that writes it and judged by the clocks of those that read it. A clock
 * that is ahead sees it end early: a renewed heartbeat has at least 14 s left (the interval and a second for
 * the news to spread are gone by the next renewal), so clocks may differ by that much before a live peer is
 * missing from time to time. Machines that follow a time server differ by far less. To a clock that is behind, a
 * process that crashed lives on for as long as it is behind. Nothing is decided by who is listed.
 */
export const heartbeatLifeMs = 20_000

/** The status of a process without a cluster. */
export const clusterDisabled: ClusterStatus = Object.freeze({
  peers: Object.freeze([]),
  status: 'disabled',
})

/**
 * Peers as they are listed, sorted by name. Those of one name and one address are one: a process that started
 * anew before the heartbeat of its crashed self expired. Those of one name at several addresses are all listed.
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
