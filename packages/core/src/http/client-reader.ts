import type { ClientCertificate } from './client-certificate.ts'
import { plainAddress } from './ip-address.ts'
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
  readonly client: ConnectedClient | undefined
  /** Whether the connection itself is TLS. */
  readonly secure: boolean
}

/** The part of {@link RequestInfo} that proxies change. */
export type ClientInfo = Pick<RequestInfo, 'peer' | 'secure' | 'clientCertificate'>

/**
 * Reads the client behind `trustProxy` proxies from `X-Forwarded-For` and `X-Forwarded-Proto`. Each proxy appends an entry, so
 * only that many entries at the end are trusted.
 *
 * @throws {RangeError} if `trustProxy` is not a whole number of at least 0.
 */
export function createClientReader(trustProxy = 0): (request: ReceivedRequest) => ClientInfo {
  if (!Number.isInteger(trustProxy) || trustProxy < 0) {
    throw new RangeError(`trustProxy: expected a number of proxies, got ${trustProxy}`)
  }
  const forwarded = (header: string | null): string | undefined => {
    const entries = header?.split(',')
    return entries?.at(-Math.min(trustProxy, entries.length))?.trim() || undefined
  }
  return ({ headers, client, secure }) => {
    if (trustProxy === 0) {
      const info = { secure, ...peerOf(client) }
      const clientCertificate = client?.certificate
      return clientCertificate === undefined ? info : { ...info, clientCertificate }
    }
    const address = forwarded(headers.get('x-forwarded-for'))
    const protocol = forwarded(headers.get('x-forwarded-proto'))
    return {
      secure: protocol === undefined ? secure : protocol.toLowerCase() === 'https',
      ...peerOf(address === undefined ? client : { address }),
    }
  }
}

function peerOf(client: ConnectedClient | undefined): Pick<RequestInfo, 'peer'> {
  if (client === undefined) return {}
  const { port } = client
  const address = plainAddress(client.address)
  return { peer: port === undefined ? { address } : { address, port } }
}
