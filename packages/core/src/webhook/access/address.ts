import { memoize } from '../../async/memoize.ts'
import type { AddressRange } from '../webhook.ts'

const addressBytes = 16
/** What an IPv4 address begins with where an IPv6 address is expected. */
const mappedPrefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
/** Longer texts are no addresses. */
const mostCharacters = 45

const decimal = /^(?:0|[1-9]\d{0,2})$/
const hexGroup = /^[\da-f]{1,4}$/i

function parseIpv4(text: string): readonly number[] | undefined {
  const parts = text.split('.')
  // A leading zero would be octal to some.
  const isWellFormed = parts.length === 4 && parts.every((part) => decimal.test(part))
  const bytes = parts.map(Number)
  return isWellFormed && bytes.every((byte) => byte <= 255) ? bytes : undefined
}

/** Groups of an IPv6 address as bytes; an IPv4 address may stand for the last two. */
function parseGroups(text: string, mayEndInIpv4: boolean): readonly number[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  const ipv4 = mayEndInIpv4 && groups.at(-1)?.includes('.') ? groups.pop() : undefined
  const tail = ipv4 === undefined ? [] : parseIpv4(ipv4)
  if (tail === undefined || !groups.every((group) => hexGroup.test(group))) return undefined
  const bytes = groups.flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
  return [...bytes, ...tail]
}

function parseIpv6(text: string): readonly number[] | undefined {
  const [head = '', tail, ...others] = text.split('::')
  if (others.length > 0) return undefined
  const first = parseGroups(head, tail === undefined)
  const last = parseGroups(tail ?? '', true)
  if (first === undefined || last === undefined) return undefined
  const missing = addressBytes - first.length - last.length
  // `::` stands for at least one group.
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined
  return [...first, ...Array<number>(missing).fill(0), ...last]
}

/** An address as 16 bytes, IPv4 mapped into IPv6. */
function parseAddress(text: string): Uint8Array | undefined {
  if (text.length > mostCharacters) return undefined
  if (text.includes(':')) {
    const bytes = parseIpv6(text)
    return bytes === undefined ? undefined : Uint8Array.from(bytes)
  }
  const bytes = parseIpv4(text)
  return bytes === undefined ? undefined : Uint8Array.from([...mappedPrefix, ...bytes])
}

const isIpv4 = (bytes: Uint8Array): boolean =>
  mappedPrefix.every((byte, index) => bytes[index] === byte)

/** An address as it is shown: IPv4 in its own form, also where it came mapped into IPv6. */
function addressText(text: string): string | undefined {
  const bytes = parseAddress(text)
  if (bytes === undefined) return undefined
  return isIpv4(bytes) ? bytes.subarray(mappedPrefix.length).join('.') : text.toLowerCase()
}

/** An address with its first `length` bits, and all others 0 or 1. */
function withRest(address: Uint8Array, length: number, rest: 0 | 0xff): Uint8Array {
  return address.map((byte, index) => {
    const mask = 0xff >> Math.min(8, Math.max(0, length - 8 * index))
    return (byte & ~mask) | (rest & mask)
  })
}

/**
 * Reads an IPv4 or IPv6 address or a prefix, as `10.0.0.0/8`. Bits behind the prefix may be anything.
 *
 * @returns `undefined` if the text is none.
 * @see RFC 4632, section 3.1
 * @see RFC 4291, sections 2.2 and 2.3
 */
export function parseAddressRange(text: string): AddressRange | undefined {
  const slash = text.indexOf('/')
  const written = slash < 0 ? text : text.slice(0, slash)
  const address = parseAddress(written)
  if (address === undefined) return undefined
  if (slash < 0) return { first: address, last: address }
  const length = text.slice(slash + 1)
  const mostBits = written.includes(':') ? 128 : 32
  if (!decimal.test(length) || Number(length) > mostBits) return undefined
  const bits = 128 - mostBits + Number(length)
  return { first: withRest(address, bits, 0), last: withRest(address, bits, 0xff) }
}

function compare(a: Uint8Array, b: Uint8Array): number {
  const differing = a.findIndex((byte, index) => byte !== b[index])
  return differing < 0 ? 0 : (a[differing] ?? 0) - (b[differing] ?? 0)
}

/** A link-local address is given with the interface it was seen on. */
function withoutZone(address: string): string {
  const percent = address.indexOf('%')
  return percent < 0 ? address : address.slice(0, percent)
}

/** Whether an address, IPv4 also where it is mapped into IPv6, is in one of the ranges. What is no address is in none. */
export function isInRanges(address: string, ranges: readonly AddressRange[]): boolean {
  const bytes = parseAddress(withoutZone(address))
  if (bytes === undefined) return false
  return ranges.some(({ first, last }) => compare(first, bytes) <= 0 && compare(bytes, last) <= 0)
}

/** The address of one entry of `X-Forwarded-For`, which may have a port. */
function hopAddress(hop: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop) ?? []
  return addressText(bracketed ?? plain ?? hop)
}

/** The peers of the last requests, as they are shown. */
const shownPeer = memoize((peer) => addressText(peer) ?? peer, 1_000)

/**
 * The address of a client: the peer's, or if that is a trusted proxy, the last address of `X-Forwarded-For` that no trusted one has.
 * What stands before an entry that is no address is not believed.
 *
 * @returns `undefined` where the peer has no address.
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
