// Verifies tokens of other issuers.
export { createExternalJwtVerifier } from './create-external-jwt-verifier.ts'
export type { ExternalJwtVerifier } from './external-jwt.ts'
