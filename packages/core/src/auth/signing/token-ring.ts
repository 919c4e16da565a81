import type { TypedCollection } from '../../storage/collection.ts'
import type { TokensConfig } from '../config/config.ts'
import { defineKeyRings, type KeyRing, type RingRules } from './key-ring.ts'

/** The keys that sign the access tokens of sessions. */
export const keyRingCollection: TypedCollection<KeyRing> = defineKeyRings('auth_signing_keys')

/** The ring of the keys that sign the access tokens of sessions. */
export const tokenRing = (settings: TokensConfig): RingRules => ({
  collection: keyRingCollection,
  id: 'ring',
  alg: 'ES256',
  rotateEveryMs: settings.signing_key_rotation_days * 86_400_000,
  validForMs: settings.access_token_lifetime_seconds * 1_000,
})
