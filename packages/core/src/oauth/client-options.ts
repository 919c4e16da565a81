import type { OAuthProviderType } from '../auth/providers/oauth-provider.ts'
import type { Clock } from '../clock.ts'
import type { CredentialSets, OAuthCredentials, OAuthDemoCredentials } from './client.ts'
import { readEndpointUrl } from './endpoint-url.ts'
import type { OAuthEndpoints } from './endpoints.ts'
import type { Fetch } from './fetch-transport.ts'
import { providerKinds } from './provider-kinds.ts'

/** Options of `createOAuthClient`. */
export interface OAuthClientOptions {
  /** What shows a provider who asks, by the alias of the provider. One without is `missing_credentials`. */
  credentials: { readonly [alias: string]: OAuthCredentials }
  /** For providers with `credentials_behavior: use_demo_credentials`, by their type (default: none). */
  demoCredentials?: { readonly [Type in OAuthProviderType]?: OAuthDemoCredentials }
  /**
   * Where the provider of an alias is asked, in place of what its type says: clouds of a country, servers of one's own, tests. A
   * `discovery` stands for all that are not given beside it.
   */
  endpoints?: { readonly [alias: string]: Partial<OAuthEndpoints> }
  /**
   * Sends the requests, as through a proxy. By default they go over connections to those addresses alone that were looked up and
   * found to be public. A `fetch` looks them up again itself: in between a name could be pointed to another address.
   */
  fetch?: Fetch
  /** Default: that of the machine. */
  clock?: Clock
  /**
   * Whether providers may be on this machine, in its network and behind `http`, as in a test (default `false`). With it, whoever
   * can write a discovery document can have any host of the network asked.
   */
  allowPrivateAddresses?: boolean
  /** How long an answer of a provider may take, in ms, redirects included (default 10 s). */
  timeoutMs?: number
}

/** The credentials of the options. @throws {TypeError} if one is not what it should be. */
export function readCredentials({
  credentials,
  demoCredentials = {},
}: OAuthClientOptions): CredentialSets {
  const own = new Map(Object.entries(credentials))
  for (const [alias, given] of own) checkSecret(`credentials.${alias}`, given)
  const demo = new Map<OAuthProviderType, OAuthDemoCredentials>()
  for (const type of Object.keys(providerKinds) as OAuthProviderType[]) {
    const given = demoCredentials[type]
    if (given === undefined) continue
    checkSecret(`demoCredentials.${type}`, given)
    checkText(`demoCredentials.${type}.clientId`, given.clientId)
    demo.set(type, given)
  }
  return { credentials: own, demoCredentials: demo }
}

/** The endpoints of the options. @throws {TypeError} if one is not what it should be. */
export function readEndpoints({
  endpoints = {},
  allowPrivateAddresses: allowHttp = false,
}: OAuthClientOptions): ReadonlyMap<string, Partial<OAuthEndpoints>> {
  for (const [alias, given] of Object.entries(endpoints)) {
    // An issuer is compared and never asked.
    const { issuer = 'none', ...urls } = given
    checkText(`endpoints.${alias}.issuer`, issuer)
    for (const [name, url] of Object.entries(urls)) {
      const place = `endpoints.${alias}.${name}`
      checkText(place, url)
      if (readEndpointUrl(url, { allowHttp }) === undefined) {
        throw new TypeError(`${place} must be a URL of https, got "${url}"`)
      }
    }
  }
  return new Map(Object.entries(endpoints))
}

/** The time limit of the options. @throws {RangeError} */
export function readTimeout({ timeoutMs = 10_000 }: OAuthClientOptions): number {
  if (timeoutMs > 0 && Number.isFinite(timeoutMs)) return timeoutMs
  throw new RangeError(`timeoutMs must be above 0, got ${timeoutMs}`)
}

function checkSecret(place: string, given: OAuthCredentials): void {
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${place} must be an object with a clientSecret, got ${typeof given}`)
  }
  const hasPrivateKey = 'privateKey' in given
  const name = hasPrivateKey ? 'privateKey' : 'clientSecret'
  checkText(`${place}.${name}`, hasPrivateKey ? given.privateKey : given.clientSecret)
}

/** Does not say what was given: it may be part of a secret. */
function checkText(place: string, value: unknown): void {
  if (typeof value === 'string' && value !== '') return
  throw new TypeError(
    `${place} must be a text that is not empty, got ${value === '' ? 'none' : typeof value}`,
  )
}
