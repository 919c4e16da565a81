import type { IdentityRecord } from '../accounts/identity-record.ts'

/** The event of an added identity. */
export const addedEvent = (identity: IdentityRecord): string =>
  identity.type === 'oauth' ? 'identity.oauth.connected' : `identity.${sortOf(identity)}.added`

/** The event of a removed identity. */
export const removedEvent = (identity: IdentityRecord): string =>
  identity.type === 'oauth' ? 'identity.oauth.disconnected' : `identity.${sortOf(identity)}.removed`

/** The event of a changed identity; `undefined` for providers, whose claims may change at every sign-in. */
export function updatedEvent(identity: IdentityRecord): string | undefined {
  const isTold = identity.type === 'login_id' || identity.type === 'custom'
  return isTold ? `identity.${sortOf(identity)}.updated` : undefined
}

function sortOf(identity: IdentityRecord): string {
  if (identity.type === 'login_id') return identity.login_id_type
  return identity.type === 'custom' ? identity.identification : identity.type
}
