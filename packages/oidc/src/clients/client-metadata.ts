import { addressProblem, isUnencrypted, redirectProblem } from '../config/check-uris.ts'
import { deviceGrant } from '../config/settings.ts'

/** Metadata that an app may give when it registers itself. Everything else is ignored. @see RFC 7591, section 2 */
const knownMembers = [
  'redirect_uris',
  'post_logout_redirect_uris',
  'token_endpoint_auth_method',
  'grant_types',
  'response_types',
  'application_type',
  'client_name',
  'client_uri',
  'logo_uri',
  'policy_uri',
  'tos_uri',
  'jwks',
  'dpop_bound_access_tokens',
] as const

/** How an app that describes itself may get tokens: never for itself, without a person. */
const grantTypes: readonly unknown[] = ['authorization_code', 'refresh_token', deviceGrant]

const maxUris = 20
const maxName = 200

type Metadata = Readonly<Record<string, unknown>>

/** The members that count. */
export const knownMetadata = (given: Metadata): Metadata =>
  Object.fromEntries(
    knownMembers.flatMap((name) =>
      Object.hasOwn(given, name) && given[name] !== undefined ? [[name, given[name]]] : [],
    ),
  )

/** Why an app that describes itself is refused. */
export interface MetadataProblem {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'
  readonly description: string
}

/** The rule that the description of an app breaks; `undefined` if it keeps all. @see RFC 7591, section 3.2.2 */
export function metadataProblem(given: Metadata): MetadataProblem | undefined {
  const type = given.application_type === 'native' ? 'native' : 'web'
  for (const name of ['redirect_uris', 'post_logout_redirect_uris'] as const) {
    const uris = given[name] ?? []
    if (!Array.isArray(uris) || uris.length > maxUris) {
      return invalid(`${name} must be a list of at most ${maxUris}`)
    }
    for (const uri of uris) {
      const expected = typeof uri === 'string' ? redirectProblem(uri, type) : 'an absolute URI'
      if (expected !== undefined) return badRedirect(`${name}: expected ${expected}`)
      if (isUnencrypted(uri)) return badRedirect(`${name} must begin with https://`)
    }
  }
  const grants = given.grant_types ?? []
  if (!Array.isArray(grants) || !grants.every((grant) => grantTypes.includes(grant))) {
    return invalid(`grant_types may be ${grantTypes.join(', ')}`)
  }
  for (const name of ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri'] as const) {
    const uri = given[name]
    if (uri === undefined) continue
    const expected = typeof uri === 'string' ? addressProblem(uri) : 'a URL'
    if (expected !== undefined) return invalid(`${name}: expected ${expected}`)
  }
  const { client_name: name } = given
  const isNamed = name === undefined || (typeof name === 'string' && name.length <= maxName)
  return isNamed ? undefined : invalid(`client_name must have at most ${maxName} characters`)
}

const invalid = (description: string): MetadataProblem => ({
  error: 'invalid_client_metadata',
  description,
})

const badRedirect = (description: string): MetadataProblem => ({
  error: 'invalid_redirect_uri',
  description,
})
