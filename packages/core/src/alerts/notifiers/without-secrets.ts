import { parseUrl } from '../../parse-url.ts'
import { secretMask } from '../../secret.ts'
import type { OutgoingAnswer } from '../notifier.ts'

/** A text with what is secret masked, also where it is escaped as in a URL. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const patterns = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())])
    .filter((secret) => secret !== '')
    // The first that fits is taken, and one secret may be the start of another.
    .sort((a, b) => b.length - a.length)
    .map((secret) => secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return patterns.length === 0
    ? text
    : text.replace(new RegExp(patterns.join('|'), 'g'), secretMask)
}

/**
 * What an answer says, cut short and without the secrets of its request: many a server repeats in an error the path
 * that it was asked for.
 */
export function detailsWithout(secrets: readonly string[]): (answer: OutgoingAnswer) => string {
  return ({ body }) => withoutSecrets(body, secrets).slice(0, 1_024).trim()
}

/** What of a URL is secret when all of it is: itself, and its path with its query. */
export function secretsOfUrl(url: string): readonly string[] {
  const parsed = parseUrl(url)
  if (parsed === undefined) return [url]
  const target = parsed.pathname + parsed.search
  return target === '/' ? [url] : [url, target]
}
