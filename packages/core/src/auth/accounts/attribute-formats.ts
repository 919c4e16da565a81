import { parseUrl } from '../../http/parse-url.ts'
import { countryCodes } from '../login-ids/country-codes.ts'

/** The format of an attribute's string value. */
export interface AttributeFormat {
  /** Its name in validation causes. */
  readonly name: string
  matches(text: string): boolean
}

/** The URL of a web page; no other scheme, since a link could run it. */
export const webAddress: AttributeFormat = {
  name: 'uri',
  matches: (text) => /^https?:\/\/[^/\s]/i.test(text) && parseUrl(text) !== undefined,
}

const date = /^(\d{4}|-)-(\d\d)-(\d\d)$/
const daysOfMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** `2000-02-29`, without the year `--02-29` or `0000-02-29`, or the year alone. @see OpenID Connect Core, section 5.1 */
export const birthdate: AttributeFormat = {
  name: 'birthdate',
  matches(text) {
    if (/^\d{4}$/.test(text)) return true
    const [, year, month, day] = date.exec(text) ?? []
    if (year === undefined) return false
    const isPossible = Number(day) >= 1 && Number(day) <= (daysOfMonths[Number(month) - 1] ?? 0)
    const isLeapDay = month === '02' && day === '29'
    return isPossible && (!isLeapDay || year === '-' || isLeapYear(Number(year)))
  },
}

const isLeapYear = (year: number): boolean =>
  year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** The name of a time zone with a slash, as `Asia/Singapore`. @see IANA time zone database */
export const timezone: AttributeFormat = {
  name: 'timezone',
  matches: (text) =>
    /^[A-Z][\w+-]*(?:\/[\w+-]+)+$/.test(text) &&
    isAccepted(() => new Intl.DateTimeFormat('en', { timeZone: text })),
}

/** The tag of a language, as `zh-Hant-TW`. @see BCP 47 */
export const languageTag: AttributeFormat = {
  name: 'bcp47',
  matches: (text) => text.length <= 255 && isAccepted(() => Intl.getCanonicalLocales(text)),
}

/** @see ISO 3166-1 */
export const countryCode: AttributeFormat = {
  name: 'iso3166-1-alpha-2',
  matches: (text) => countryCodes.has(text),
}

/** `Intl` reports unknown values only by throwing. */
function isAccepted(use: () => unknown): boolean {
  try {
    use()
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
