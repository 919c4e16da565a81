import { loadZxcvbn, type RatePassword } from './load-zxcvbn.ts'
import type { PasswordStrength } from './password-strength.ts'

/** What comes after it is not looked at. */
const maxCharacters = 100
/** About what a tenth of a second is enough for. Of all 100 characters the worst take ten seconds. */
const maxWork = 20_000
/** Enough to be rated best. */
const minCharacters = 12

/**
 * Rates passwords as Authgear does, by the optional package zxcvbn 4.4.2, which is loaded when the first password is
 * rated: it holds nearly a megabyte of words. The first 100 characters are rated; fewer of a password with many signs that
 * may stand for letters, as `@` for `a`, all combinations of which are tried. Passwords are rejected with
 * `MissingPackage` if the package is missing.
 */
export function createPasswordStrength(): PasswordStrength {
  let rate: RatePassword | undefined
  return async (password) => {
    rate ??= await loadZxcvbn()
    return rate(leadingPart(password)).score
  }
}

/** Signs by the letter that each may stand for, as zxcvbn has them. */
const signsOfLetters = ['4@', '8', '({[<', '3', '69', '1!|', '1|7', '0', '$5', '+7', '%', '2']

/** The longest part whose rating takes no longer than it should: combinations times the square of the length. */
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
