import { deviceName, type KnownBrowser } from '../messages/message-templates.ts'
import { wordsIn } from '../messages/words/languages.ts'

/** Browsers that imitate others come before those. */
const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]

const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

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

/** The parts of {@link knownBrowserName}, which each language puts together in its own way. */
export function knownBrowser(userAgent: string | null): KnownBrowser {
  const find = (list: typeof browsers): string | undefined =>
    list.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0]
  return { browser: find(browsers), system: find(systems) }
}

/** A browser as people call it in a language, such as `Firefox on Windows`. An unknown user agent is shown as it is, but short. */
export function browserName(userAgent: string | null, language = 'en'): string {
  if (userAgent === null || userAgent.trim() === '') return wordsIn(language).browser.unknown
  return deviceName(knownBrowser(userAgent), language) || userAgent.slice(0, maxUnknownLength)
}
