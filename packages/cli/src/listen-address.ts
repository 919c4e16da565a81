import { hostname } from 'node:os'

/** Where a server listens. */
export interface ListenAddress {
  /** A host name or an IP address without brackets; absent means every address of the machine. */
  readonly host?: string
  /** 0 lets the machine choose. */
  readonly port: number
}

/**
 * Reads `:9093`, `127.0.0.1:9093`, `localhost:9093` or `[::1]:9093`.
 *
 * @throws {Error} with a message that says what is wrong with the text.
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

/** The address as it is read by {@link parseListenAddress}. */
export function formatListenAddress({ host = '', port }: ListenAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Where people reach a server, as far as it knows: this host by its name, at the first port it listens on. */
export function machineUrl(addresses: readonly ListenAddress[], secure: boolean): string {
  return `${secure ? 'https' : 'http'}://${hostname()}:${addresses[0]?.port ?? 0}`
}
