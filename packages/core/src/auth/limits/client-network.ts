import { parseUrl } from '../../http/parse-url.ts'

/** So much of an IPv6 address names a network, in groups of 16 bits. */
const networkGroups = 4

/**
 * What limits count for an address: an IPv4 address as it is, of an IPv6 address its network of 64 bits, as whoever has one
 * address of that has them all.
 *
 * @see RFC 6177; RFC 7934
 */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address
  const [plain = ''] = address.split('%')
  // The one spelling of RFC 5952, without a dotted end.
  const spelled = parseUrl(`http://[${plain}]`)?.hostname.slice(1, -1)
  if (spelled === undefined || spelled.startsWith('::ffff:')) return address
  const [head = '', tail] = spelled.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return `${[...first, ...zeros, ...last].slice(0, networkGroups).join(':')}::/64`
}
