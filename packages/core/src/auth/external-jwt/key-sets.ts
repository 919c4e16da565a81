import { isJsonObject, type Json, type JsonObject } from '../../storage/storage.ts'
import type { Clock } from '../../time/clock.ts'
import { oauthProtocolError } from '../oauth-client/oauth-errors.ts'
import type { SiteAccess } from '../oauth-client/site-access.ts'
import type { ExternalJwtIssuer } from './external-jwt.ts'

/** The keys of one issuer, fetched when they are needed. */
export interface KeySet {
  /**
   * The keys.
   *
   * @param fits whether the keys have what is needed; if not, they are fetched again, at most once a minute.
   * @throws what the fetch failed with.
   */
  keys(fits: (keys: readonly JsonObject[]) => boolean): Promise<readonly JsonObject[]>
}

/** An issuer that withdraws a key wants it to be refused soon. */
const maxMs = 300_000
/** Anyone can send tokens that name an unknown key. */
const betweenFetchesMs = 60_000
/** An issuer that is down is not asked for every token. */
const afterFailureMs = 5_000

/** Caches keys for five minutes. After a failure it fetches nothing for five seconds. */
export function createKeySet(
  clock: Pick<Clock, 'monotonic'>,
  fetchKeys: () => Promise<readonly JsonObject[]>,
): KeySet {
  let known: { readonly at: number; readonly keys: readonly JsonObject[] } | undefined
  let failure: { readonly at: number; readonly error: unknown } | undefined
  let pending: Promise<readonly JsonObject[]> | undefined

  const fetched = async (): Promise<readonly JsonObject[]> => {
    const at = clock.monotonic()
    try {
      const keys = await fetchKeys()
      known = { at, keys }
      failure = undefined
      return keys
    } catch (error) {
      failure = { at: clock.monotonic(), error }
      throw error
    }
  }

  return {
    async keys(fits) {
      const now = clock.monotonic()
      if (known !== undefined && now - known.at < maxMs) {
        if (fits(known.keys)) return known.keys
        // A fetch under way may bring the key.
        if (pending === undefined && now - known.at < betweenFetchesMs) return known.keys
      }
      if (failure !== undefined && now - failure.at < afterFailureMs) throw failure.error
      pending ??= fetched().finally(() => {
        pending = undefined
      })
      return pending
    },
  }
}

/** The keys of issuers. */
export interface KeySets {
  /** The keys of an issuer, as {@link KeySet.keys}. @throws {GatehouseError} `OAuthProtocolError` if they cannot be fetched. */
  keysOf(
    issuer: ExternalJwtIssuer,
    fits: (keys: readonly JsonObject[]) => boolean,
  ): Promise<readonly JsonObject[]>
}

/** Keeps a {@link KeySet} for each issuer that publishes its keys. */
export function createKeySets({ clock, fetchKeys }: SiteAccess): KeySets {
  const known = new WeakMap<ExternalJwtIssuer, KeySet>()
  return {
    async keysOf(issuer, fits) {
      const { jwks, jwks_uri: uri } = issuer
      if (jwks !== undefined || uri === undefined) return keysIn(jwks) ?? []
      const set = known.get(issuer) ?? createKeySet(clock, () => fetchKeys(uri).then(readKeys))
      known.set(issuer, set)
      return set.keys(fits)
    },
  }
}

/** The keys of a published set. @throws {GatehouseError} `OAuthProtocolError` */
export async function readKeys(response: Response): Promise<readonly JsonObject[]> {
  const keys = keysIn((await response.json()) as JsonObject)
  if (keys === undefined) throw oauthProtocolError('the key set is malformed')
  return keys
}

const keysIn = (set: JsonObject | undefined): readonly JsonObject[] | undefined =>
  isJsonObject(set) && Array.isArray(set.keys)
    ? set.keys.filter((key: Json) => isJsonObject(key))
    : undefined
