import { BlockList, isIP } from 'node:net'

/** IPv4 addresses that belong to no host of the internet. @see RFC 6890 and the registry that it names */
const specialIpv4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8], // this host
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // behind the NAT of a carrier
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local; also the metadata of clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocols of the IETF
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
]

/** The special networks within the global unicast addresses of IPv6 (2000::/3). */
const specialIpv6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23], // protocols of the IETF, Teredo
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: an IPv4 address in disguise
  ['3fff::', 20], // documentation
]

/** The prefix by which a network without IPv4 reaches an IPv4 address, in the last 32 bits. @see RFC 6052 */
const nat64 = '64:ff9b::'

interface AddressLists {
  readonly special: BlockList
  readonly globalIpv6: BlockList
  readonly translated: BlockList
}

let known: AddressLists | undefined

/** Made when the first address is asked about, so that a bundle without requests to providers has none of this. */
function addressLists(): AddressLists {
  const special = new BlockList()
  const globalIpv6 = new BlockList()
  const translated = new BlockList()
  globalIpv6.addSubnet('2000::', 3, 'ipv6')
  translated.addSubnet(nat64, 96, 'ipv6')
  for (const [network, prefix] of specialIpv6) special.addSubnet(network, prefix, 'ipv6')
  for (const [network, prefix] of specialIpv4) {
    special.addSubnet(network, prefix, 'ipv4')
    special.addSubnet(nat64 + network, 96 + prefix, 'ipv6')
  }
  return { special, globalIpv6, translated }
}

/**
 * Whether an IP address is public: not of this machine or its network, not multicast or reserved. An IPv6 address that only wraps
 * an IPv4 address is not public, except NAT64.
 */
export function isPublicAddress(address: string): boolean {
  known ??= addressLists()
  const { special, globalIpv6, translated } = known
  const version = isIP(address)
  if (version === 4) return !special.check(address, 'ipv4')
  // An address with a zone is on the network of this machine, and a BlockList never matches one.
  if (version !== 6 || address.includes('%')) return false
  const isGlobal = globalIpv6.check(address, 'ipv6') || translated.check(address, 'ipv6')
  return isGlobal && !special.check(address, 'ipv6')
}
