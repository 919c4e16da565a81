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
