import { isJsonObject, type Json, type JsonObject } from '../../storage/storage.ts'
import { oauthProtocolError } from '../oauth-client/oauth-errors.ts'
import type { SiteAccess } from '../oauth-client/site-access.ts'
import type { ExternalJwtIssuer } from './external-jwt.ts'

/** The keys of issuers, fetched when they are needed. */
export interface KeySets {
  /**
   * The keys of an issuer.
   *
   * @param fits whether the keys have what is needed; if not, the set is fetched again, at most once a minute.
   * @throws {GatehouseError} `OAuthProtocolError` if they cannot be fetched.
   */
  keysOf(
    issuer: ExternalJwtIssuer,
    fits: (keys: readonly JsonObject[]) => boolean,
  ): Promise<readonly JsonObject[]>
}

interface KeySet {
  readonly fetchedAt: number
  readonly keys: Promise<readonly JsonObject[]>
}

/** An issuer that withdraws a key wants it to be refused soon. */
const maxMs = 300_000
const betweenFetchesMs = 60_000

/** Caches key sets for five minutes. */
export function createKeySets({ clock, fetchKeys }: SiteAccess): KeySets {
  const known = new WeakMap<ExternalJwtIssuer, KeySet>()

  const fetched = (issuer: ExternalJwtIssuer, uri: string): Promise<readonly JsonObject[]> => {
    const set = { fetchedAt: clock.monotonic(), keys: fetchKeys(uri).then(readKeys) }
    known.set(issuer, set)
    // If it fails, the next request tries again.
    set.keys.catch(() => known.get(issuer) === set && known.delete(issuer))
    return set.keys
  }

  return {
    async keysOf(issuer, fits) {
      const { jwks, jwks_uri: uri } = issuer
      if (jwks !== undefined || uri === undefined) return keysIn(jwks) ?? []
      const set = known.get(issuer)
      const age = set === undefined ? Number.POSITIVE_INFINITY : clock.monotonic() - set.fetchedAt
      if (set === undefined || age >= maxMs) return await fetched(issuer, uri)
      const keys = await set.keys
      return fits(keys) || age < betweenFetchesMs ? keys : await fetched(issuer, uri)
    },
  }
}

async function readKeys(response: Response): Promise<readonly JsonObject[]> {
  const keys = keysIn((await response.json()) as JsonObject)
  if (keys === undefined) throw oauthProtocolError('the key set is malformed')
  return keys
}

const keysIn = (set: JsonObject | undefined): readonly JsonObject[] | undefined =>
  isJsonObject(set) && Array.isArray(set.keys)
    ? set.keys.filter((key: Json) => isJsonObject(key))
    : undefined
