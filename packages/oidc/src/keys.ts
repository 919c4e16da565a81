import type { AuthContext, Instant } from '@gatehouse/core'
import {
  defineKeyRings,
  type KeyRing,
  type ListedSigningKey,
  listKeyRing,
  privateJwks,
  type RingRules,
  rotateKeyRing,
} from '@gatehouse/core/auth'
import type { TypedCollection } from '@gatehouse/core/store'
import { oidcChoices } from './config/options.ts'
import type { OidcSettings } from './config/settings.ts'

/** The keys that sign tokens: a ring for each algorithm. */
export const keyRings: TypedCollection<KeyRing> = defineKeyRings('oidc_signing_keys')

const rotateEveryMs = 90 * 86_400_000

/**
 * How old the keys in memory become, in ms. A new key is published long before it signs, so that nobody needs to know of it at
 * once.
 */
const freshForMs = 15_000

/** Private keys for the library. */
export interface SigningKeySet {
  readonly keys: readonly Readonly<Record<string, string>>[]
}

/** What decides for how long a key stays published. */
type KeySettings = Pick<OidcSettings, 'lifetimes' | 'resources'>

/** The keys of the authorization server. */
export interface ProviderKeys {
  /** The keys now. The same object as before while none has changed. */
  current(settings: KeySettings): Promise<SigningKeySet>
  /** @see `listSigningKeys` of core */
  list(settings: KeySettings): Promise<readonly ListedSigningKey[]>
  /** @see `rotateSigningKeys` of core */
  rotate(
    settings: KeySettings,
    options: { readonly revoke?: boolean },
  ): Promise<readonly ListedSigningKey[]>
}

/** A ring for each algorithm. Its keys stay published while anything that they have signed is valid. */
const ringsOf = ({ lifetimes, resources }: KeySettings): readonly RingRules[] => {
  const ofResources = [...resources.values()].map(
    ({ accessTokenSeconds = 0 }) => accessTokenSeconds,
  )
  const { accessTokenSeconds, idTokenSeconds } = lifetimes
  const validForMs = Math.max(accessTokenSeconds, idTokenSeconds, ...ofResources) * 1_000
  return oidcChoices.idTokenAlg.map((alg) => ({
    collection: keyRings,
    id: alg,
    alg,
    rotateEveryMs,
    validForMs,
  }))
}

/** Reads and makes the keys of the authorization server. */
export function createProviderKeys(auth: AuthContext): ProviderKeys {
  let known: { readonly readAt: Instant; readonly set: SigningKeySet } | undefined
  const read = async (settings: KeySettings): Promise<SigningKeySet> => {
    const rings = await Promise.all(ringsOf(settings).map((rules) => privateJwks(auth, rules)))
    const keys = rings.flat()
    const isSame = JSON.stringify(keys) === JSON.stringify(known?.set.keys)
    const set = isSame && known !== undefined ? known.set : { keys }
    known = { readAt: auth.clock.now(), set }
    return set
  }
  return {
    async current(settings) {
      const age = auth.clock.now() - (known?.readAt ?? Number.NEGATIVE_INFINITY)
      return known !== undefined && age >= 0 && age < freshForMs ? known.set : read(settings)
    },
    list: async (settings) =>
      (await Promise.all(ringsOf(settings).map((rules) => listKeyRing(auth, rules)))).flat(),
    async rotate(settings, options) {
      const rings = ringsOf(settings).map((rules) => rotateKeyRing(auth, rules, options))
      const keys = (await Promise.all(rings)).flat()
      known = undefined
      return keys
    },
  }
}
