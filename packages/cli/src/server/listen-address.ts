import { hostname } from 'node:os'
import { parseUrl } from '@gatehouse/core/adapter'

/** Where a server listens. */
export interface ListenAddress {
  /** A host name or an IP address without brackets. Absent: every address of the machine. */
  readonly host?: string
  /** With 0 the machine chooses a free port. */
  readonly port: number
  /** The descriptor of its socket, if a service manager has opened it (default: the server opens one). */
  readonly fd?: number
}

/** A Unix socket file of this machine. */
export interface SocketFile {
  /** Absolute. */
  readonly path: string
}

/** A Unix socket that a service manager has opened, and whose file belongs to it. */
export interface InheritedSocket {
  readonly fd: number
}

/** Where a server listens: a network address or a Unix socket. */
export type ListenPlace = ListenAddress | SocketFile | InheritedSocket

/** Whether a place is a network address. */
export function isAddress(place: ListenPlace): place is ListenAddress {
  return 'port' in place
}

/** Whether a place is a socket file that belongs to the server. */
export function isSocketFile(place: ListenPlace): place is SocketFile {
  return 'path' in place
}

/** The first network address among the places. */
export function firstAddress(places: readonly ListenPlace[]): ListenAddress | undefined {
  for (const place of places) if (isAddress(place)) return place
  return undefined
}

/**
 * Parses `:9093`, `127.0.0.1:9093`, `localhost:9093` or `[::1]:9093`.
 *
 * @throws {Error} if the text is not such an address; the message says what is wrong.
 */
export function parseListenAddress(text: string): ListenAddress {
  const parts = /^(?:\[([^\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(text)
  if (parts === null) {
    const problem = text.includes(':') ? 'too many colons in address' : 'missing port in address'
    throw new Error(`address ${text}: ${problem}`)
  }
  const [, bracketed, plain, portText = ''] = parts
  const port = Number(portText)
  if (!/^\d{1,5}$/.test(portText) || port > 65_535) {
    throw new Error(`address ${text}: the port must be a number from 0 to 65535`)
  }
  const host = bracketed ?? plain ?? ''
  return host === '' ? { port } : { host, port }
}

/**
 * Formats an address as {@link parseListenAddress} parses it; a socket file as `unix:` and its path, and one of a service manager
 * as `fd:` and its descriptor.
 */
export function formatListenPlace(place: ListenPlace): string {
  if (isSocketFile(place)) return `unix:${place.path}`
  if (!isAddress(place)) return `fd:${place.fd}`
  const { host = '', port } = place
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** The URL of a listening server for clients on the same machine. */
export function placeUrl(place: ListenPlace, secure: boolean): string {
  if (!isAddress(place)) return formatListenPlace(place)
  const host = place.host === undefined || place.host === '::' ? '0.0.0.0' : place.host
  return `${secure ? 'https' : 'http'}://${formatListenPlace({ host, port: place.port })}`
}

/** Whether a place can be reached from this machine only. */
export function isLocal(place: ListenPlace): boolean {
  if (!isAddress(place)) return true
  return /^(localhost|(::ffff:)?127(\.\d{1,3}){3}|::1)$/i.test(place.host ?? '')
}

/**
 * Whether every place is a loopback address. A Unix socket does not count: a proxy in front of it may be reachable from other
 * machines.
 */
export function isLoopbackOnly(places: readonly ListenPlace[]): boolean {
  return places.every((place) => isAddress(place) && isLocal(place))
}

/** The host name of a URL, if it has one. */
export function hostsOf(url: string | undefined): readonly string[] {
  const host = url === undefined ? undefined : parseUrl(url)?.hostname
  return host === undefined ? [] : [host]
}

/** The best guess of the server's URL: this machine's name and the first port it listens on. */
export function machineUrl(places: readonly ListenPlace[], secure: boolean): string {
  const address = firstAddress(places)
  const port = address === undefined ? '' : `:${address.port}`
  return `${secure ? 'https' : 'http'}://${hostname()}${port}`
}
