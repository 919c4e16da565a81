import { deviceName } from '../messages/message-templates.ts'
import { wordsIn } from '../messages/words/languages.ts'
import { knownBrowser } from '../wire/known-browser.ts'

/** How much of an unknown user agent is shown. */
const maxUnknownLength = 60

/**
 * A browser by names of this list alone; `undefined` for others. Mails show no text of a client's choice, which could ask their
 * reader to do something.
 */
export function knownBrowserName(userAgent: string | null): string | undefined {
  const name = deviceName(knownBrowser(userAgent), 'en')
  return name === '' ? undefined : name
}

/** A browser as people call it in a language, such as `Firefox on Windows`. An unknown user agent is shown as it is, but short. */
export function browserName(userAgent: string | null, language = 'en'): string {
  if (userAgent === null || userAgent.trim() === '') return wordsIn(language).browser.unknown
  return deviceName(knownBrowser(userAgent), language) || userAgent.slice(0, maxUnknownLength)
}
