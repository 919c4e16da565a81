import { networkInterfaces } from 'node:os'
import { formatListenAddress, type ListenAddress } from './listen-address.ts'

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A name for this instance in the shape Alertmanager gives its peers: a ULID of this moment. */
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
 * The address a peer would reach this instance at: the one it listens on or, where that is every address, the
 * first of the machine that is not its loopback.
 */
export function peerAddress({ host, port }: ListenAddress): string {
  const everywhere = host === undefined || host === '0.0.0.0' || host === '::'
  return formatListenAddress({ host: everywhere ? machineAddress() : host, port })
}

function machineAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const outside = addresses.filter((address) => !address.internal)
  const found = outside.find((address) => address.family === 'IPv4') ?? outside[0]
  return found?.address ?? '127.0.0.1'
}
