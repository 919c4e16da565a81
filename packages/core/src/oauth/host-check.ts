import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'
import { ForbiddenAddressError } from './transport.ts'

/** Looks at a host before it is asked. @throws {ForbiddenAddressError} */
export type HostCheck = (host: string) => Promise<void>

/** Options of {@link createHostCheck}. */
export interface HostCheckOptions {
  /** Whether an IP address may be connected to. */
  readonly isAllowed: (address: string) => boolean
  /** Finds the IP addresses of a name (default: what the machine uses). */
  readonly resolve?: (name: string) => Promise<readonly string[]>
}

/** A {@link HostCheck} that lets through hosts all of whose addresses are allowed. */
export function createHostCheck({ isAllowed, resolve = lookUp }: HostCheckOptions): HostCheck {
  return async (host) => {
    const addresses = isIP(host) === 0 ? await resolve(host) : [host]
    if (addresses.length === 0 || !addresses.every(isAllowed)) throw new ForbiddenAddressError()
  }
}

async function lookUp(name: string): Promise<readonly string[]> {
  const found = await dns.lookup(name, { all: true })
  return found.map(({ address }) => address)
}
