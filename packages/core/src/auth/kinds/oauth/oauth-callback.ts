import { parseUrl } from '../../../http/parse-url.ts'
import type { FlowInput } from '../../flow/view.ts'
import { type OAuthRefusal, oauthProtocolError } from '../../oauth-client/oauth-errors.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'

/** What somebody comes back with from a provider: a code, or why there is none. */
export type OAuthCallback =
  | {
      readonly code: string
      /** As far as the client has sent it, without a leading `?`. */
      readonly query?: string
    }
  | { readonly refusal: OAuthRefusal }

const text = (maxLength: number): JsonSchema => ({ type: 'string', maxLength })

/** What an input must be like that says how it came out at a provider. */
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

/** Parameters that must not be there twice: which of the two is meant, nobody knows. @see RFC 6749, section 3.1 */
const single = ['code', 'error', 'iss']

/**
 * Reads an input that fits {@link callbackSchema}. What stands in the query goes before what stands beside it.
 *
 * @throws {GatehouseError} `OAuthProtocolError` if there is neither a code nor an error, or there are several.
 */
export function readCallback(input: FlowInput): OAuthCallback {
  const query = typeof input.query === 'string' ? input.query.replace(/^\?/, '') : undefined
  const parameters = new URLSearchParams(query)
  for (const name of single) {
    if (parameters.getAll(name).length > 1) {
      throw oauthProtocolError(`there is more than one "${name}" in the query`)
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

/** A refusal that may be told back: short, on one line, with a link only to a page of the web. */
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
