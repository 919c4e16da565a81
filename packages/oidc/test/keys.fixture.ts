import type { AuthContext } from '@gatehouse/core'
import type { KeyRing } from '@gatehouse/core/auth'
import type { TypedRecord } from '@gatehouse/core/store'
import { oidcDefaults } from '../src/config/settings.ts'
import { createProviderKeys, keyRings } from '../src/keys.ts'

let knownKeys: Promise<readonly TypedRecord<KeyRing>[]> | undefined

/** Gives a new service the keys of the first one of the file: to make keys of RSA takes longer than most tests. */
export async function giveKeys(auth: AuthContext): Promise<void> {
  knownKeys ??= makeKeys(auth)
  const writes = (await knownKeys).map(({ id, value }) => keyRings.write(id, value))
  await auth.storage.commit(writes)
}

async function makeKeys(auth: AuthContext): Promise<readonly TypedRecord<KeyRing>[]> {
  await createProviderKeys(auth).current({
    lifetimes: oidcDefaults.lifetimes,
    resources: new Map(),
  })
  return keyRings.find(auth.storage, { by: 'id', limit: 9 })
}
