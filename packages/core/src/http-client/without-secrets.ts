import { secretMask } from '../crypto/secret.ts'
import { errorText } from '../errors.ts'
import { escapeHtml } from '../http/answer.ts'
import { parseUrl } from '../http/parse-url.ts'
import { percentDecoded } from './basic-credentials.ts'
import type { OutgoingAnswer } from './send-request.ts'

/** Masks secrets in a text, also if they are escaped as in a URL, JSON or HTML. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const written = new Set(secrets.flatMap(waysToWrite))
  const patterns = [...written]
    .filter((secret) => secret !== '')
    // The first match wins, and one secret may be the start of another.
    .sort((a, b) => b.length - a.length)
    .map((secret) => secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return patterns.length === 0
    ? text
    : text.replace(new RegExp(patterns.join('|'), 'g'), secretMask)
}

/** A copy of an error for a log, its causes in its message, with masked secrets. */
export function errorWithoutSecrets(error: unknown, secrets: readonly string[]): Error {
  const copy = new Error(withoutSecrets(errorText(error), secrets))
  if (error instanceof Error) copy.stack = withoutSecrets(error.stack ?? '', secrets)
  return copy
}

const waysToWrite = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret.toWellFormed()),
  JSON.stringify(secret).slice(1, -1),
  escapeHtml(secret),
  escapeHtml(secret).replaceAll('&#34;', '&quot;'),
]

/**
 * Returns the body of an answer, truncated and without secrets: many servers repeat the requested path in an error.
 */
export function detailsWithout(secrets: readonly string[]): (answer: OutgoingAnswer) => string {
  return ({ body }) => withoutSecrets(body, secrets).slice(0, 1_024).trim()
}

/** The secret parts of a secret URL: all of it, and its path with and without the query. */
export function secretsOfUrl(url: string): readonly string[] {
  const parsed = parseUrl(url)
  if (parsed === undefined) return [url]
  const { pathname, search } = parsed
  const parts = [url, pathname + search, pathname, percentDecoded(pathname), search.slice(1)]
  return [...new Set(parts)].filter((part) => part !== '/' && part !== '')
}
