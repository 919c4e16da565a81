/** Browsers that imitate others come before those. */
const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
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

/** A browser as people call it, such as `Firefox on Windows`. An unknown user agent is shown as it is, but short. */
export function browserName(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'an unknown browser'
  const find = (list: typeof browsers): string | undefined =>
    list.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const [browser, system] = [find(browsers), find(systems)]
  if (browser === undefined) return system ?? userAgent.slice(0, maxUnknownLength)
  return system === undefined ? browser : `${browser} on ${system}`
}
