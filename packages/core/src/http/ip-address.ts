import { BlockList, isIP } from 'node:net'
import { parseUrl } from './parse-url.ts'

/**
 * The spelling of an IP address that limits, records and logs use: an IPv4 address that is mapped into IPv6, in any spelling, is
 * that IPv4 address. Other texts are returned as they are.
 *
 * @see RFC 4291, section 2.5.5.2
 */
export function plainAddress(text: string): string {
  if (!/:0{0,4}ffff:/i.test(text)) return text
  const [address = ''] = text.split('%', 1)
  // The URL standard spells the last 32 bits as two groups.
  const spelled = parseUrl(`http://[${address}]`)?.hostname ?? ''
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(spelled) ?? []
  if (high === undefined || low === undefined) return text
  const bits = [high, low].map((group) => Number.parseInt(group, 16))
  return bits.flatMap((group) => [group >> 8, group & 255]).join('.')
}

/** A range of addresses. */
export interface AddressRange {
  readonly address: string
  readonly prefix: number
}

/** No address is longer. */
const maxCharacters = 45
const mapped = '::ffff:'

/**
 * An address in the spelling that is compared, which is that of {@link plainAddress} in small letters.
 *
 * @returns `undefined` if the text is not an address without a zone.
 */
export function addressText(text: string): string | undefined {
  const version = text.length > maxCharacters || text.includes('%') ? 0 : isIP(text)
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
  const maxBits = written.includes(':') ? 128 : 32
  const prefix = length === undefined ? maxBits : Number(length)
  if (prefix > maxBits || !/^(?:0|[1-9]\d{0,2})$/.test(length ?? '0')) return undefined
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
