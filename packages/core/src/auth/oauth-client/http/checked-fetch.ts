import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'
import { type Fetch, ForbiddenAddressError, hostOf } from './fetch.ts'

/** Options of {@link createCheckedFetch}. */
export interface CheckedFetchOptions {
  /** Whether an IP address may be connected to. */
  readonly isAllowed: (address: string) => boolean
  /** Resolves a name to IP addresses (default: the resolver of the machine). */
  readonly resolve?: (name: string) => Promise<readonly string[]>
}

/**
 * A `fetch` that rejects with a {@link ForbiddenAddressError} unless every address of the host is allowed. The inner `fetch`
 * resolves the name again, so an attacker who can change the name's address in between can bypass this check.
 */
export function createCheckedFetch(
  fetch: Fetch,
  { isAllowed, resolve = lookUp }: CheckedFetchOptions,
): Fetch {
  return async (url, init) => {
    const host = hostOf(url)
    const addresses = isIP(host) === 0 ? await resolve(host) : [host]
    if (addresses.length === 0 || !addresses.every(isAllowed)) throw new ForbiddenAddressError()
    return fetch(url, init)
  }
}

async function lookUp(name: string): Promise<readonly string[]> {
  const found = await dns.lookup(name, { all: true })
  return found.map(({ address }) => address)
}
