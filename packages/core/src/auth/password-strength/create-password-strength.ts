import { loadZxcvbn, type RatePassword } from './load-zxcvbn.ts'
import type { PasswordStrength } from './password-strength.ts'

/** Later characters are ignored. */
const maxCharacters = 100
/** Takes about a tenth of a second. The worst texts of all 100 characters take ten seconds. */
const maxWork = 20_000
/** Enough characters for the best score. */
const minCharacters = 12

/**
 * Rates passwords as Authgear does, with the optional package zxcvbn 4.4.2. The package holds nearly a megabyte of words and is
 * loaded for the first password. At most the first 100 characters are rated. zxcvbn tries all combinations of characters that may
 * stand for letters, such as `@` for `a`; of a password with many of them fewer characters are rated. The rating rejects with
 * `MissingPackage` if the package is missing.
 */
export function createPasswordStrength(): PasswordStrength {
  let rate: RatePassword | undefined
  return async (password) => {
    rate ??= await loadZxcvbn()
    return rate(leadingPart(password)).score
  }
}

/** For each letter, the characters that may stand for it, as in zxcvbn. */
const signsOfLetters = ['4@', '8', '({[<', '3', '69', '1!|', '1|7', '0', '$5', '+7', '%', '2']

/** The longest beginning of the password within the work limit: combinations times the square of the length. */
function leadingPart(password: string): string {
  let part = password.slice(0, maxCharacters)
  while (part.length > minCharacters && combinations(part) * part.length ** 2 > maxWork) {
    part = part.slice(0, -1)
  }
  return part
}

function combinations(text: string): number {
  return signsOfLetters
    .map((signs) => [...signs].filter((sign) => text.includes(sign)).length)
    .reduce((product, count) => product * Math.max(count, 1), 1)
}
