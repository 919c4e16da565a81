// Rates how hard a password is to guess; needs the package `zxcvbn`.
export { createPasswordStrength } from './create-password-strength.ts'
export type { PasswordStrength } from './password-strength.ts'
