import { parseUrl } from '../../http/parse-url.ts'
import { countryCodes } from '../login-ids/country-codes.ts'

/** What the value of an attribute must be like, beside being a text. */
export interface AttributeFormat {
  /** As validation causes name it. */
  readonly name: string
  matches(text: string): boolean
}

/** The address of a page: nothing that a link on a page would run. */
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
    isTaken(() => new Intl.DateTimeFormat('en', { timeZone: text })),
}

/** The tag of a language, as `zh-Hant-TW`. @see BCP 47 */
export const languageTag: AttributeFormat = {
  name: 'bcp47',
  matches: (text) => text.length <= 255 && isTaken(() => Intl.getCanonicalLocales(text)),
}

/** @see ISO 3166-1 */
export const countryCode: AttributeFormat = {
  name: 'iso3166-1-alpha-2',
  matches: (text) => countryCodes.has(text),
}

/** The platform tells what it knows only by throwing at the rest. */
function isTaken(use: () => unknown): boolean {
  try {
    use()
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
