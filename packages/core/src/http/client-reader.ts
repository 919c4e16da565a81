import { memoize } from '../async/memoize.ts'
import type { ClientCertificate } from './client-certificate.ts'
import { addressText, isInRanges, parseAddressRange, plainAddress } from './ip-address.ts'
import type { RequestInfo, RouteHeaders } from './route.ts'

/** The other end of a connection, which may be a proxy. */
export interface ConnectedClient {
  /** An IP address. */
  readonly address: string
  readonly port?: number | undefined
  /** Its verified certificate, see {@link clientCertificateOf}. */
  readonly certificate?: ClientCertificate | undefined
}

/** A request with the connection it came on. */
export interface ReceivedRequest {
  readonly headers: Pick<RouteHeaders, 'get'>
  /**
   * The other end of the connection. `undefined` if the platform does not report it, as for socket files: it counts as a trusted
   * proxy, if any proxy is trusted. `null` if it is unknown because the connection has closed.
   */
  readonly client: ConnectedClient | null | undefined
  /** Whether the connection itself is TLS. */
  readonly secure: boolean
}

/** Where the trusted proxies are set, for readers of documents that had them. */
export const trustedProxiesNote =
  'proxies belong to the server: it is trustedProxies of the adapter, or trusted_proxies in the file of the command'

/** The part of {@link RequestInfo} that proxies change. */
export type ClientInfo = Pick<RequestInfo, 'peer' | 'secure' | 'clientCertificate'>

/**
 * Reads the client of a request. Behind trusted proxies it is the last address of `X-Forwarded-For` that is not one of them, and
 * `X-Forwarded-Proto` or `Forwarded` says whether its connection was TLS. The headers of others are ignored.
 *
 * @param trustedProxies addresses and prefixes, such as `10.0.0.0/8` (default: no proxy is trusted).
 * @throws {TypeError} if one of them is not an address or a prefix.
 */
export function createClientReader(
  trustedProxies: readonly string[] = [],
): (request: ReceivedRequest) => ClientInfo {
  const trusted = trustedProxies.map((text, index) => {
    const range = typeof text === 'string' ? parseAddressRange(text) : undefined
    if (range !== undefined) return range
    const expected = 'expected an IP address or a prefix such as 10.0.0.0/8'
    throw new TypeError(`trustedProxies[${index}]: ${expected}, got ${JSON.stringify(text)}`)
  })
  // A proxy sends most requests, and its address is looked up for each of them.
  const isTrusted = memoize((address) => isInRanges(address, trusted), 1_000)
  const isProxy = (connected: ConnectedClient | null | undefined): boolean =>
    connected === undefined
      ? trusted.length > 0
      : connected !== null && isTrusted(connected.address)
  return ({ headers, client, secure }) => {
    const connected = client && { ...client, address: shownAddress(client.address) }
    if (!isProxy(connected)) return directly(connected, secure)
    const address = clientAddress(connected?.address, headers.get('x-forwarded-for'), isTrusted)
    const protocol = forwardedProtocol(headers)
    const isBehind = address !== connected?.address
    return {
      secure: protocol === undefined ? secure : protocol === 'https',
      ...peerOf(isBehind && address !== undefined ? { address } : connected),
    }
  }
}

function directly(client: ConnectedClient | null | undefined, secure: boolean): ClientInfo {
  const clientCertificate = client?.certificate
  const info = { secure, ...peerOf(client) }
  return clientCertificate === undefined ? info : { ...info, clientCertificate }
}

function peerOf(client: ConnectedClient | null | undefined): Pick<RequestInfo, 'peer'> {
  if (client === undefined || client === null) return {}
  const { address, port } = client
  return { peer: port === undefined ? { address } : { address, port } }
}

/** Caches the spelling of recent addresses. */
const shownAddress = memoize((address) => addressText(address) ?? plainAddress(address), 1_000)

/** The last address that is not a trusted proxy's. Entries before an invalid one may be the client's. */
function clientAddress(
  proxy: string | undefined,
  forwardedFor: string | null,
  isTrusted: (address: string) => boolean,
): string | undefined {
  let client = proxy
  for (const hop of forwardedFor?.split(',').reverse() ?? []) {
    if (hop.trim() === '') continue
    if (client !== undefined && !isTrusted(client)) return client
    const address = hopAddress(hop.trim())
    if (address === undefined) return client
    client = address
  }
  return client
}

/** The address in one entry of `X-Forwarded-For`, which may have a port. */
function hopAddress(hop: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop) ?? []
  return addressText(bracketed ?? plain ?? hop)
}

/**
 * How the request came to the last proxy. Only its own entry counts: earlier ones may be the client's.
 *
 * @see RFC 7239, section 5.4
 */
function forwardedProtocol(headers: Pick<RouteHeaders, 'get'>): string | undefined {
  const plain = headers.get('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase()
  if (plain !== undefined && plain !== '') return plain
  const last = headers.get('forwarded')?.split(',').at(-1) ?? ''
  return /(?:^|;)\s*proto="?([a-z]+)"?\s*(?:;|$)/i.exec(last)?.[1]?.toLowerCase()
}
