// The names that mails use, too. The build copies them, so that this package needs no other.
import {
  type KnownBrowser,
  knownBrowser as named,
} from '../../../core/src/auth/wire/known-browser.ts'

export type { KnownBrowser }

/**
 * The browser and the system of a user agent, such as `Firefox` and `Windows`. The names are of a fixed list, so no text of a
 * stranger's choice is shown.
 *
 * @example
 * knownBrowser('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
 * // { browser: 'Firefox', system: 'Linux' }
 */
export const knownBrowser: (userAgent: string | null) => KnownBrowser = named
