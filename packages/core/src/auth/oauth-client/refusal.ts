import { parseUrl } from '../../http/parse-url.ts'
import type { JsonObject } from '../../storage/storage.ts'
import { textOf } from './json-object.ts'
import type { OAuthRefusal } from './oauth-errors.ts'

const maxErrorLength = 100
const maxDescriptionLength = 500
const maxUriLength = 500
/** Shorter texts are not secrets, and occur in any text by chance. */
const minSecretLength = 6

/** The refusal in an answer of a token endpoint, if there is one; some providers send it with the status 200. */
export function readRefusal(answer: JsonObject): OAuthRefusal | undefined {
  const error = textOf(answer, 'error')
  if (error === undefined || error === '') return undefined
  return makeRefusal(error, textOf(answer, 'error_description'), textOf(answer, 'error_uri'))
}

/** A refusal with the members that are present. */
export function makeRefusal(
  error: string,
  description: string | undefined,
  uri?: string | undefined,
): OAuthRefusal {
  return {
    error,
    ...(description === undefined ? {} : { error_description: description }),
    ...(uri === undefined ? {} : { error_uri: uri }),
  }
}

/**
 * A refusal that may be shown: of bounded length, on one line, with links only to HTTP, and without the secrets that some
 * providers repeat in their explanations.
 */
export function showRefusal(refusal: OAuthRefusal, secrets: readonly string[]): OAuthRefusal {
  const clean = (text: string, maxLength: number): string =>
    oneLine(withoutSecrets(text, secrets)).slice(0, maxLength).toWellFormed()
  const { error, error_description, error_uri } = refusal
  const description =
    error_description === undefined ? undefined : clean(error_description, maxDescriptionLength)
  const uri = error_uri === undefined ? undefined : withoutSecrets(error_uri, secrets)
  return makeRefusal(clean(error, maxErrorLength), description, isLink(uri) ? uri : undefined)
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())])
    .filter((secret) => secret.length >= minSecretLength)
    .reduce((rest, secret) => rest.replaceAll(secret, '<secret>'), text)
}

const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim()

const isLink = (uri: string | undefined): uri is string =>
  uri !== undefined && uri.length <= maxUriLength && /^https?:$/.test(parseUrl(uri)?.protocol ?? '')
