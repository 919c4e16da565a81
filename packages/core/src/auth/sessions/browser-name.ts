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
  const find = (list: typeof browsers): string | undefined =>
    list.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0]
  const [browser, system] = [find(browsers), find(systems)]
  return browser === undefined || system === undefined
    ? (browser ?? system)
    : `${browser} on ${system}`
}

/** A browser as people call it, such as `Firefox on Windows`. An unknown user agent is shown as it is, but short. */
export function browserName(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'an unknown browser'
  return knownBrowserName(userAgent) ?? userAgent.slice(0, maxUnknownLength)
}
