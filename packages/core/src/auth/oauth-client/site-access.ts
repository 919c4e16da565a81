import {
  decodeInput,
  exactly,
  type Fields,
  flag,
  functionLike,
  numberFrom,
  optional,
} from '../../input/decode.ts'
import { clockPort } from '../../input/ports.ts'
import { type Clock, systemClock } from '../../time/clock.ts'
import { createCheckedFetch } from './http/checked-fetch.ts'
import type { Fetch } from './http/fetch.ts'
import { createNodeFetch } from './http/node-fetch.ts'
import { createProviderHttp, type ProviderHttp } from './http/provider-http.ts'
import { isPublicAddress } from './http/public-address.ts'

/** How requests to issuers and providers are made. */
export interface SiteAccessOptions {
  /**
   * Sends the requests, for example through a proxy. Such a `fetch` resolves names again itself, and a name could be pointed to
   * another address in between (default: one that connects only to addresses that it has resolved and found to be public).
   */
  fetch?: Fetch
  /** Tells the time (default: the clock of the machine). */
  clock?: Clock
  /**
   * Whether providers may be on this machine, in its network and behind `http`, as in a test (default `false`). If set, an attacker
   * who controls a discovery document can direct requests to any host of the network.
   */
  allowPrivateAddresses?: boolean
  /** The timeout for an answer of a provider, in ms, redirects included (default 10 s). */
  timeoutMs?: number
}

/** How the options are decoded. */
export const siteAccessFields: Fields<SiteAccessOptions> = {
  fetch: optional(functionLike('a function like fetch')),
  clock: optional(clockPort),
  allowPrivateAddresses: optional(flag),
  timeoutMs: optional(numberFrom(1)),
}

/** Validates how issuers are reached. @throws {GatehouseError} `InvalidInput` */
export const readSiteAccess = (given: SiteAccessOptions): SiteAccessOptions =>
  decodeInput('options', exactly<SiteAccessOptions>(siteAccessFields), given)

/** Access to the documents of issuers and providers. */
export interface SiteAccess {
  readonly clock: Clock
  readonly http: ProviderHttp
  /** Whether `http` URLs are allowed too. */
  readonly allowHttp: boolean
  /** Gets a key set, like `fetch`. */
  readonly fetchKeys: (url: string) => Promise<Response>
}

/** Connects only to public addresses, unless private ones are allowed. */
export function createSiteAccess(options: SiteAccessOptions): SiteAccess {
  const { clock = systemClock, timeoutMs = 10_000 } = options
  const { allowPrivateAddresses: allowHttp = false } = options
  const http = createProviderHttp({ fetch: createFetch(options), clock, timeoutMs, allowHttp })
  const fetchKeys = async (url: string): Promise<Response> =>
    Response.json(await http.getDocument('the key set', url))
  return { clock, http, allowHttp, fetchKeys }
}

function createFetch({ fetch, allowPrivateAddresses = false }: SiteAccessOptions): Fetch {
  const isAllowed = allowPrivateAddresses ? () => true : isPublicAddress
  if (fetch === undefined) return createNodeFetch({ isAllowed })
  // If every address is allowed, names need not resolve here, for example behind a proxy.
  return allowPrivateAddresses ? fetch : createCheckedFetch(fetch, { isAllowed })
}
