import { camelCase } from '../../http/own-api/failure.ts'

/** Claims of OpenID Connect keep their names. */
export const claimNames: ReadonlySet<string> = new Set([
  'email_verified',
  'phone_number',
  'phone_number_verified',
  'preferred_username',
])

/** The key on the wire of a key of this service. */
export const wireKey = (name: string): string => (claimNames.has(name) ? name : camelCase(name))
