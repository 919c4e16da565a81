import type { IdentityRecord } from '../accounts/records.ts'

/** What is told of an identity that a user has got. */
export const addedEvent = (identity: IdentityRecord): string =>
  identity.type === 'oauth' ? 'identity.oauth.connected' : `identity.${sortOf(identity)}.added`

/** What is told of one that a user has no more. */
export const removedEvent = (identity: IdentityRecord): string =>
  identity.type === 'oauth' ? 'identity.oauth.disconnected' : `identity.${sortOf(identity)}.removed`

/** What is told of one that says something else now. What a provider says of its user does so at every sign-in. */
export function updatedEvent(identity: IdentityRecord): string | undefined {
  const isTold = identity.type === 'login_id' || identity.type === 'custom'
  return isTold ? `identity.${sortOf(identity)}.updated` : undefined
}

function sortOf(identity: IdentityRecord): string {
  if (identity.type === 'login_id') return identity.login_id_type
  return identity.type === 'custom' ? identity.identification : identity.type
}
