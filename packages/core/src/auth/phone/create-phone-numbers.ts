import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { PhoneNumbers } from './phone-numbers.ts'

/** Longer texts are rejected unread. */
const maxLength = 250

/**
 * Phone numbers by the numbering plans of all countries, with the optional package libphonenumber-js.
 *
 * @see libphonenumber, `isValidNumber` and `isPossibleNumber`
 */
export function createPhoneNumbers(): PhoneNumbers {
  return {
    parse(text) {
      if (text.length > maxLength) return undefined
      const number = parsePhoneNumberFromString(text, { extract: false })
      if (number === undefined) return undefined
      const { number: e164, countryCallingCode, country } = number
      return {
        e164,
        countryCallingCode,
        national: e164.slice(1 + countryCallingCode.length),
        ...(country === undefined ? {} : { region: country }),
        isValid: number.isValid(),
        isPossible: number.isPossible(),
      }
    },
  }
}
