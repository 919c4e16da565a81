import { plainAddress } from '../../http/ip-address.ts'
import { parseUrl } from '../../http/parse-url.ts'

/** The 16-bit groups of an IPv6 address that form its network. */
const networkGroups = 4

/**
 * The address that limits count: an IPv4 address as it is, also if it is mapped into IPv6; for IPv6 the /64 network, because a client with one of its addresses
 * has all of them.
 *
 * @see RFC 6177; RFC 7934
 */
export function clientNetwork(text: string): string {
  const address = plainAddress(text)
  if (!address.includes(':')) return address
  const [plain = ''] = address.split('%')
  // The canonical spelling of RFC 5952, without a dotted end.
  const spelled = parseUrl(`http://[${plain}]`)?.hostname.slice(1, -1)
  if (spelled === undefined) return address
  const [head = '', tail] = spelled.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return `${[...first, ...zeros, ...last].slice(0, networkGroups).join(':')}::/64`
}
