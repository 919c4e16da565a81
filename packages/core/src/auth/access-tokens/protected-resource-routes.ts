import { type Answer, emptyAnswer, textAnswer } from '../../http/answer.ts'
import type { Route } from '../../http/route.ts'
import {
  type Decode,
  decodeInput,
  exactly,
  filledText,
  listOf,
  optional,
} from '../../input/decode.ts'
import { refuseShown } from '../../input/refusal.ts'
import { signatureAlgorithms } from '../external-jwt/jwt-signature.ts'
import { endpointUrl } from '../oauth-client/http/endpoint-url.ts'
import { protectedResource } from './protected-resource.ts'

/** An API, as its metadata describe it to clients. */
export interface ProtectedResourceOptions {
  /** The URL of the API, which is the audience of its tokens, such as `https://api.example.com/mcp`. */
  readonly resource: string
  /** The issuers whose tokens the API takes. */
  readonly authorizationServers: readonly string[]
  /** The scopes that clients may ask for (default: not said). */
  readonly scopes?: readonly string[] | undefined
  /** The name of the API for people (default: none). */
  readonly name?: string | undefined
  /** The URL of a page for developers (default: none). */
  readonly documentation?: string | undefined
}

const resourceUrl: Decode<string> = (value) =>
  protectedResource(filledText(value)) === undefined
    ? refuseShown('the URL of an API, without a query', value)
    : filledText(value)

const anyUrl = endpointUrl({ allowHttp: true })

const decodeOptions = exactly<ProtectedResourceOptions>({
  resource: resourceUrl,
  authorizationServers: listOf(anyUrl),
  scopes: optional(listOf(filledText)),
  name: optional(filledText),
  documentation: optional(anyUrl),
})

/** Pages of any origin may read the metadata, such as MCP clients in a browser, which add headers of their own. */
const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': '*',
}
const maxAgeSeconds = 300

/**
 * Creates the route with the metadata of an API, by which clients such as those of MCP find its authorization server. Mount it at
 * the root of the API's host: its path is `/.well-known/oauth-protected-resource`, followed by the path of `resource`.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is invalid.
 * @example
 * const routes = protectedResourceRoutes({
 *   resource: 'https://api.example.com/mcp',
 *   authorizationServers: ['https://auth.example.com'],
 * })
 * @see RFC 9728
 */
export function protectedResourceRoutes(given: ProtectedResourceOptions): readonly Route[] {
  const options = decodeInput('options', decodeOptions, given)
  const found = protectedResource(options.resource)
  if (found === undefined) throw new TypeError('resource is not the URL of an API')
  const document = textAnswer(200, JSON.stringify(documentOf(options)), {
    'content-type': 'application/json',
    'cache-control': `public, max-age=${maxAgeSeconds}`,
    ...openToAll,
  })
  return [
    { method: '*', path: found.path, answer: async ({ method }) => answerTo(method, document) },
  ]
}

function answerTo(method: string, document: Answer): Answer {
  if (method === 'GET') return document
  if (method === 'HEAD') return { ...document, body: null, byteLength: 0 }
  if (method === 'OPTIONS') return emptyAnswer(204, openToAll)
  return emptyAnswer(405, { allow: openToAll['access-control-allow-methods'] })
}

/** @see RFC 9728, section 2 */
const documentOf = (options: ProtectedResourceOptions): object => ({
  resource: options.resource,
  authorization_servers: options.authorizationServers,
  scopes_supported: options.scopes,
  bearer_methods_supported: ['header'],
  dpop_signing_alg_values_supported: signatureAlgorithms,
  resource_name: options.name,
  resource_documentation: options.documentation,
})
