import { parseUrl } from './parse-url.ts'
import type { RouteRequest } from './route.ts'

/**
 * Whether a browser may answer a challenge for a password with its own dialog: the request opens a page, comes from a program, or
 * asks for the dialog by `?signIn=true` or `X-Gatehouse-Sign-In`. A request that a page makes by itself must not interrupt its
 * reader.
 *
 * Browsers send `Sec-Fetch-Mode` only to `https:` and to the same machine; pages on other hosts send `X-Requested-With`.
 *
 * @see https://www.w3.org/TR/fetch-metadata/#sec-fetch-mode-header
 */
export function mayPromptForPassword({
  url,
  headers,
}: Pick<RouteRequest, 'url' | 'headers'>): boolean {
  const mode = headers.get('sec-fetch-mode') ?? 'navigate'
  const isByPage = mode !== 'navigate' || headers.get('x-requested-with') === 'XMLHttpRequest'
  const isWanted =
    headers.get('x-gatehouse-sign-in') === 'true' ||
    parseUrl(url)?.searchParams.get('signIn') === 'true'
  return !isByPage || isWanted
}
