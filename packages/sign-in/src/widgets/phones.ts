import {
  AsYouType,
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'

/** The countries whose numbers are known, of those that are accepted. */
function countriesOf(accepted: readonly string[] | undefined): readonly string[] {
  const known: readonly string[] = getCountries()
  return accepted === undefined ? known : known.filter((code) => accepted.includes(code))
}

const knownCountry = (code: string): CountryCode | undefined =>
  isSupportedCountry(code) ? code : undefined

function callingCode(country: string): string {
  const known = knownCountry(country)
  return known === undefined ? '' : getCountryCallingCode(known)
}

/** A number as people write it in the country, and the country that its beginning names. */
function asTyped(text: string, country: string): { text: string; country?: string } {
  const formatter = new AsYouType(knownCountry(country))
  const formatted = formatter.input(text)
  const found = text.trimStart().startsWith('+') ? formatter.getCountry() : undefined
  return { text: formatted, ...(found === undefined ? {} : { country: found }) }
}

/** The international form: `+4791234567`. A text that is no number stays as it is, and the service refuses it. */
function international(text: string, country: string): string {
  return parsePhoneNumberFromString(text, { ...defaultOf(country) })?.number ?? text.trim()
}

function defaultOf(country: string): { defaultCountry?: CountryCode } {
  const known = knownCountry(country)
  return known === undefined ? {} : { defaultCountry: known }
}

/** What is known of phone numbers, in one value, because it is loaded when it is needed. */
export const phoneRules = { countriesOf, callingCode, asTyped, international } as const
