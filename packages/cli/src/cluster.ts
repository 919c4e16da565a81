import { networkInterfaces } from 'node:os'
import type { Peer } from '@gatehouse/core/alerts'
import {
  firstAddress,
  formatListenPlace,
  type ListenAddress,
  type ListenPlace,
} from './server/listen-address.ts'
import type { ClusterSection } from './services/cluster-section.ts'

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A name for this instance in the format of Alertmanager's peers: a ULID of the current time. */
export function newPeerName(nowMs: number): string {
  let time = nowMs
  let name = ''
  for (let i = 0; i < 10; i++) {
    name = `${crockford[time % 32]}${name}`
    time = Math.floor(time / 32)
  }
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) name += crockford[byte % 32]
  return name
}

/**
 * The address at which a peer would reach this instance: the one it listens on or, if that is every address, the machine's first
 * non-loopback address.
 */
export function peerAddress({ host, port }: ListenAddress): string {
  const everywhere = host === undefined || host === '0.0.0.0' || host === '::'
  return formatListenPlace({ host: everywhere ? machineAddress() : host, port })
}

function machineAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const outside = addresses.filter((address) => !address.internal)
  const found = outside.find((address) => address.family === 'IPv4') ?? outside[0]
  return found?.address ?? '127.0.0.1'
}

/** The peer of a server that listens at these places; `undefined` without a section. */
export function peerOf(
  cluster: ClusterSection | undefined,
  places: readonly ListenPlace[],
): Peer | undefined {
  if (cluster === undefined) return undefined
  const listenAddress = firstAddress(places) ?? { port: 0 }
  const { name = newPeerName(Date.now()), address = peerAddress(listenAddress) } = cluster
  return { name, address }
}
