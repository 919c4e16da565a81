import { formatGoUrl, parseGoUrl } from '@gatehouse/go-template/text'
import type { Secret } from '../../../crypto/secret.ts'

/** Options of {@link apiUrl}. */
interface ApiUrlOptions {
  /** Appended to the configured path, escaped. */
  path?: string
  /** Added to the query as it is. */
  query?: string
}

/**
 * The URL of an operation of an API whose own URL is configured.
 *
 * @throws {TypeError} if no URL is configured; the configuration check prevents that.
 */
export function apiUrl(configured: Secret | undefined, options: ApiUrlOptions = {}): string {
  if (configured === undefined) throw new TypeError('the URL of an API is not configured')
  const url = parseGoUrl(configured.reveal())
  const { path, query = '' } = options
  const queries = [url.query ?? '', query].filter((part) => part !== '')
  return formatGoUrl({
    ...url,
    path: path === undefined ? url.path : `${url.path.replace(/\/$/, '')}/${escapePath(path)}`,
    ...(queries.length === 0 ? {} : { query: queries.join('&') }),
  })
}

const escapePath = (path: string): string =>
  encodeURI(path.toWellFormed()).replace(/[?#]/g, encodeURIComponent)
