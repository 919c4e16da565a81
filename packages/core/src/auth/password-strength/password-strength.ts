/**
 * Rates a password: 0 (guessed at once) to 4 (very unlikely to be guessed).
 *
 * @see zxcvbn, `score`
 */
export type PasswordStrength = (password: string) => number | Promise<number>
