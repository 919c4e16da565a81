export { createPasswordStrength } from './create-password-strength.ts'
export type { PasswordStrength } from './password-strength.ts'
