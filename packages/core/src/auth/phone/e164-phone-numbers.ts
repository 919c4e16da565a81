import { callingCodeOf, regionsOf } from './calling-codes.ts'
import type { PhoneNumbers } from './phone-numbers.ts'

/** A number with its country calling code has 7 to 15 digits. @see ITU-T E.164, section 6 */
const e164 = /^\+[1-9]\d{6,14}$/

/**
 * Checks phone numbers by form only: an assigned country calling code, and 7 to 15 digits in all. Removes spaces and hyphens.
 * Only `createPhoneNumbers()` of `@gatehouse/core/phone` knows which numbers a country really uses.
 */
export const e164PhoneNumbers: PhoneNumbers = {
  parse(text) {
    const compact = text.replace(/[ -]/g, '')
    if (!e164.test(compact)) return undefined
    const countryCallingCode = callingCodeOf(compact.slice(1))
    if (countryCallingCode === undefined) return undefined
    const [region, ...others] = regionsOf(countryCallingCode)
    return {
      e164: compact,
      countryCallingCode,
      national: compact.slice(1 + countryCallingCode.length),
      ...(region !== undefined && others.length === 0 ? { region } : {}),
      isValid: true,
      isPossible: true,
    }
  },
}
