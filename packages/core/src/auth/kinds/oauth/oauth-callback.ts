import { parseUrl } from '../../../http/parse-url.ts'
import type { FlowInput } from '../../flow/view.ts'
import { type OAuthRefusal, oauthProtocolError } from '../../oauth-client/oauth-errors.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'

/** The result of a provider: a code, or a refusal. */
export type OAuthCallback =
  | {
      readonly code: string
      /** The query as far as the client has sent it, without a leading `?`. */
      readonly query?: string
    }
  | { readonly refusal: OAuthRefusal }

const text = (maxLength: number): JsonSchema => ({ type: 'string', maxLength })

/** The schema of an input with the result of a provider. */
export const callbackSchema: JsonSchema = {
  type: 'object',
  properties: {
    query: text(32_768),
    code: text(8_192),
    error: text(8_192),
    error_description: text(8_192),
    error_uri: text(8_192),
  },
  anyOf: [{ required: ['query'] }, { required: ['code'] }, { required: ['error'] }],
}

/** Parameters that must not be repeated, because the result would be ambiguous. @see RFC 6749, section 3.1 */
const single = ['code', 'error', 'iss']

/**
 * Reads an input that fits {@link callbackSchema}. Values in the query take precedence over those beside it.
 *
 * @throws {GatehouseError} `OAuthProtocolError` if there is neither a code nor an error, or there are several.
 */
export function readCallback(input: FlowInput): OAuthCallback {
  const query = typeof input.query === 'string' ? input.query.replace(/^\?/, '') : undefined
  const parameters = new URLSearchParams(query)
  for (const name of single) {
    if (parameters.getAll(name).length > 1) {
      throw oauthProtocolError(`the query contains more than one "${name}"`)
    }
  }
  const read = (name: string): string => parameters.get(name) ?? textOf(input, name)
  const error = read('error')
  if (error !== '') {
    return { refusal: shownRefusal(error, read('error_description'), read('error_uri')) }
  }
  const code = read('code')
  if (code === '') throw oauthProtocolError('there is neither a code nor an error in the query')
  return query === undefined ? { code } : { code, query }
}

function textOf(input: FlowInput, name: string): string {
  const value = input[name]
  return typeof value === 'string' ? value : ''
}

const maxErrorLength = 100
const maxDescriptionLength = 500

/** A refusal that may be shown: short, on one line, with a link only to a web page. */
function shownRefusal(error: string, description: string, uri: string): OAuthRefusal {
  return {
    error: oneLine(error, maxErrorLength),
    ...(description === ''
      ? {}
      : { error_description: oneLine(description, maxDescriptionLength) }),
    ...(isLink(uri) ? { error_uri: uri } : {}),
  }
}

const oneLine = (written: string, maxLength: number): string =>
  written
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed()

const isLink = (uri: string): boolean =>
  uri.length <= maxDescriptionLength && /^https?:$/.test(parseUrl(uri)?.protocol ?? '')
