export type { PasskeyParty, Passkeys, StoredPasskey } from '../auth/passkeys/passkeys.ts'
export { createPasskeys, type PasskeysOptions } from './create-passkeys.ts'
export type { AttestationConveyance } from './options.ts'
