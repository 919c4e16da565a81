import { goQuote } from '@gatehouse/go-template/text'
import { type ConfigKind, parsed } from '@gatehouse/go-template/yaml'
import { GatehouseError } from '../../errors.ts'

/** An address to connect to. Both parts are empty if none is configured. */
export interface HostPort {
  readonly host: string
  readonly port: string
}

/** `host:port`, with brackets around an IPv6 address. */
export const hostPort: ConfigKind<HostPort | undefined> = parsed<HostPort | undefined>({
  zero: undefined,
  parse: (written) => (written === '' ? undefined : parseHostPort(written)),
  encode: (value) => value && formatHostPort(value),
})

function formatHostPort({ host, port }: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

function parseHostPort(written: string): HostPort {
  const invalid = (reason: string): GatehouseError =>
    new GatehouseError('BadRequest', 'InvalidAddress', `address ${written}: ${reason}`)
  const colon = written.lastIndexOf(':')
  if (colon < 0) throw invalid('missing port in address')
  let host = written.slice(0, colon)
  let afterHost = 0
  if (written.startsWith('[')) {
    const close = written.indexOf(']')
    if (close < 0) throw invalid("missing ']' in address")
    if (close + 1 !== colon) {
      const hasColon = written.charAt(close + 1) === ':'
      throw invalid(hasColon ? 'too many colons in address' : 'missing port in address')
    }
    host = written.slice(1, close)
    afterHost = close + 1
  } else if (host.includes(':')) throw invalid('too many colons in address')
  if (written.indexOf('[', afterHost === 0 ? 0 : 1) >= 0) throw invalid("unexpected '[' in address")
  if (written.indexOf(']', afterHost) >= 0) throw invalid("unexpected ']' in address")
  const port = written.slice(colon + 1)
  if (port === '') {
    const message = `address ${goQuote(written)}: port cannot be empty`
    throw new GatehouseError('BadRequest', 'InvalidAddress', message)
  }
  return { host, port }
}
