// Creates and verifies passkeys; needs the package `@simplewebauthn/server`.
export { createPasskeys, type PasskeysOptions } from './create-passkeys.ts'
export type { AttestationConveyance } from './options.ts'
export type { PasskeyParty, Passkeys, StoredPasskey } from './passkeys.ts'
