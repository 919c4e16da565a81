import { BlockList, isIP } from 'node:net'
import { memoize } from '../../async/memoize.ts'
import { plainAddress } from '../../http/ip-address.ts'
import type { AddressRange } from '../webhook.ts'

/** No address is longer. */
const mostCharacters = 45
const mapped = '::ffff:'

/** Formats an address without its zone. IPv4 mapped into IPv6 is formatted as IPv4. */
function addressText(text: string): string | undefined {
  const version = text.length > mostCharacters || text.includes('%') ? 0 : isIP(text)
  if (version !== 6) return version === 4 ? text : undefined
  return plainAddress(text).toLowerCase()
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4')

/**
 * Parses an IPv4 or IPv6 address or a prefix, such as `10.0.0.0/8`. Bits after the prefix are ignored.
 *
 * @returns `undefined` if the text is not an address or a prefix.
 * @see RFC 4632, section 3.1
 * @see RFC 4291, sections 2.2 and 2.3
 */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [written = '', length, ...others] = text.split('/')
  const address = addressText(written)
  if (address === undefined || others.length > 0) return undefined
  const mostBits = written.includes(':') ? 128 : 32
  const prefix = length === undefined ? mostBits : Number(length)
  if (prefix > mostBits || !/^(?:0|[1-9]\d{0,2})$/.test(length ?? '0')) return undefined
  const isUnmapped = familyOf(address) !== familyOf(written)
  if (!isUnmapped) return { address, prefix }
  return prefix < 96 ? { address: mapped + address, prefix } : { address, prefix: prefix - 96 }
}

const blockLists = new WeakMap<readonly AddressRange[], BlockList>()

function blockListOf(ranges: readonly AddressRange[]): BlockList {
  const known = blockLists.get(ranges)
  if (known !== undefined) return known
  const list = new BlockList()
  for (const { address, prefix } of ranges) list.addSubnet(address, prefix, familyOf(address))
  blockLists.set(ranges, list)
  return list
}

/** Whether an address is in one of the ranges. IPv4 mapped into IPv6 counts as IPv4; an invalid address is in no range. */
export function isInRanges(address: string, ranges: readonly AddressRange[]): boolean {
  if (ranges.length === 0) return false
  // A link-local address includes its interface.
  const [plain = ''] = address.split('%', 1)
  const text = addressText(plain)
  return text !== undefined && blockListOf(ranges).check(text, familyOf(text))
}

/** The address in one entry of `X-Forwarded-For`, which may have a port. */
function hopAddress(hop: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop) ?? []
  return addressText(bracketed ?? plain ?? hop)
}

/** Caches formatted addresses of recent peers. */
const shownPeer = memoize((peer) => addressText(peer) ?? peer, 1_000)

/**
 * The address of a client: the peer, or for a trusted proxy the last address of `X-Forwarded-For` that is not a trusted proxy.
 * Entries before an invalid one are ignored.
 *
 * @returns `undefined` if the peer has no address.
 */
export function clientAddressOf(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly AddressRange[],
): string | undefined {
  if (peer === undefined) return undefined
  let client = shownPeer(peer)
  for (const hop of (forwardedFor ?? '').split(',').reverse()) {
    if (hop.trim() === '') continue
    if (!isInRanges(client, trusted)) return client
    const address = hopAddress(hop.trim())
    if (address === undefined) return client
    client = address
  }
  return client
}
