/** A browser and its system, by the names that people know; `undefined` if one is not known. */
export interface KnownBrowser {
  readonly browser: string | undefined
  readonly system: string | undefined
}

type Names = readonly (readonly [name: string, pattern: RegExp])[]

/** Browsers that imitate others come before those. */
const browsers: Names = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]

const systems: Names = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/**
 * The browser and the system of a user agent, such as `Firefox` and `Windows`. The names are of a fixed list, so no text of a
 * stranger's choice is shown.
 *
 * @example
 * knownBrowser('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
 * // { browser: 'Firefox', system: 'Linux' }
 */
export function knownBrowser(userAgent: string | null): KnownBrowser {
  const find = (names: Names): string | undefined =>
    names.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0]
  return { browser: find(browsers), system: find(systems) }
}
