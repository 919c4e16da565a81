import { BlockList, isIP, isIPv4 } from 'node:net'
import { parseUrl } from '../http/parse-url.ts'

/** Whether a host is reached without a proxy. Created by {@link parseNoProxy}. */
export type NoProxy = (url: URL) => boolean

interface Exception {
  readonly port: string
  matches(host: string): boolean
}

/**
 * Parses a comma-separated list of hosts that are reached directly: `example.org` (with its subdomains), `.example.org` (only its
 * subdomains), addresses, `10.0.0.0/8`, each with or without a port, and `*` for all. The machine itself, as `localhost` or by
 * its loopback address, always counts as listed.
 *
 * @see https://pkg.go.dev/golang.org/x/net/http/httpproxy#Config
 */
export function parseNoProxy(list: string): NoProxy {
  const entries = list.split(',').map((entry) => entry.trim().toLowerCase())
  if (entries.includes('*')) return () => true
  const exceptions = entries.map(parseEntry).filter((exception) => exception !== undefined)
  return (url) => {
    const host = hostOf(url)
    const port = url.port || (url.protocol === 'https:' ? '443' : '80')
    return (
      isThisMachine(host) ||
      exceptions.some((exception) => {
        return (exception.port === '' || exception.port === port) && exception.matches(host)
      })
    )
  }
}

/** The host of a URL; an IPv6 address without its brackets. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

function isThisMachine(host: string): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && loopback.check(host, familyOf(host)))
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** `undefined` for an empty entry. */
function parseEntry(entry: string): Exception | undefined {
  const subnet = parseSubnet(entry)
  if (subnet !== undefined) return { port: '', matches: subnet }
  const { host, port } = splitPort(entry)
  if (host === '') return undefined
  if (isIP(host) !== 0) {
    const addresses = new BlockList()
    addresses.addAddress(host, familyOf(host))
    return { port, matches: matchAddress(addresses) }
  }
  return { port, matches: matchDomain(host) }
}

function parseSubnet(entry: string): ((host: string) => boolean) | undefined {
  const [, address = '', written] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? []
  const prefix = Number(written)
  if (isIP(address) === 0 || prefix > (isIPv4(address) ? 32 : 128)) return undefined
  const addresses = new BlockList()
  addresses.addSubnet(address, prefix, familyOf(address))
  return matchAddress(addresses)
}

const matchAddress =
  (addresses: BlockList) =>
  (host: string): boolean =>
    isIP(host) !== 0 && addresses.check(host, familyOf(host))

function splitPort(entry: string): { host: string; port: string } {
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|([^:]*)):(\d*)$/.exec(entry) ?? []
  if (port !== undefined) return { host: bracketed ?? plain ?? '', port }
  return { host: entry, port: '' }
}

function matchDomain(written: string): (host: string) => boolean {
  const [, mark, name = ''] = /^((?:\*?\.)?)(.*)$/s.exec(written) ?? []
  const domain = asciiDomain(name)
  const isMatchedItself = mark === ''
  return (host) => host.endsWith(`.${domain}`) || (isMatchedItself && host === domain)
}

/** A domain in the form of a URL's host: only with DNS characters. */
function asciiDomain(domain: string): string {
  return parseUrl(`http://${domain}/`)?.hostname ?? domain
}
