import {
  type Decode,
  decodeInput,
  exactly,
  type Fields,
  filledText,
  flag,
  objectOf,
  optional,
  recordOf,
} from '../../input/decode.ts'
import type { CredentialSets, OAuthCredentials, OAuthDemoCredentials } from './client.ts'
import type { OAuthEndpoints } from './endpoints.ts'
import { endpointUrl } from './http/endpoint-url.ts'
import type { OAuthProviderType } from './oauth-provider.ts'
import { providerKinds } from './provider-kinds.ts'
import { type SiteAccessOptions, siteAccessFields } from './site-access.ts'

/** Options of `createOAuthClient`. */
export interface OAuthClientOptions extends SiteAccessOptions {
  /** Client credentials by the alias of a provider. The status of a provider without any is `missing_credentials`. */
  credentials: { readonly [alias: string]: OAuthCredentials }
  /** For providers with `credentials_behavior: use_demo_credentials`, by their type (default: none). */
  demoCredentials?: { readonly [Type in OAuthProviderType]?: OAuthDemoCredentials }
  /**
   * Endpoints by the alias of a provider, in place of those of its type: national clouds, self-hosted servers, tests. A
   * `discovery` provides all endpoints that are not given beside it.
   */
  endpoints?: { readonly [alias: string]: Partial<OAuthEndpoints> }
}

const credentials: Decode<OAuthCredentials> = (value) => {
  const hasPrivateKey = typeof value === 'object' && value !== null && 'privateKey' in value
  return hasPrivateKey
    ? objectOf<{ privateKey: string }>({ privateKey: filledText })(value)
    : objectOf<{ clientSecret: string }>({ clientSecret: filledText })(value)
}

const demoFields = objectOf<Omit<OAuthDemoCredentials, 'clientSecret' | 'privateKey'>>({
  clientId: filledText,
  teamId: optional(filledText),
  keyId: optional(filledText),
})

const demoCredentials: Decode<OAuthDemoCredentials> = (value) => ({
  ...credentials(value),
  ...demoFields(value),
})

const demoByType = Object.fromEntries(
  Object.keys(providerKinds).map((type) => [type, optional(demoCredentials)]),
) as Fields<NonNullable<OAuthClientOptions['demoCredentials']>>

/** Validates the options. @throws {GatehouseError} `InvalidInput` */
export function readOptions(given: OAuthClientOptions): OAuthClientOptions {
  const { allowPrivateAddresses: allowHttp } = decodeInput(
    'options',
    objectOf<Pick<OAuthClientOptions, 'allowPrivateAddresses'>>({
      allowPrivateAddresses: optional(flag),
    }),
    given,
  )
  const url = optional(endpointUrl({ allowHttp: allowHttp ?? false }))
  const decode = exactly<OAuthClientOptions>({
    credentials: recordOf(credentials),
    demoCredentials: optional(exactly(demoByType)),
    endpoints: optional(
      recordOf(
        exactly<Partial<OAuthEndpoints>>({
          discovery: url,
          // An issuer is compared, never requested.
          issuer: optional(filledText),
          authorization: url,
          token: url,
          jwks: url,
          userInfo: url,
          emails: url,
        }),
      ),
    ),
    ...siteAccessFields,
  })
  return decodeInput('options', decode, given)
}

/** The credentials of the options. */
export function readCredentials({
  credentials,
  demoCredentials = {},
}: OAuthClientOptions): CredentialSets {
  const demo = Object.entries(demoCredentials) as [OAuthProviderType, OAuthDemoCredentials][]
  return { credentials: new Map(Object.entries(credentials)), demoCredentials: new Map(demo) }
}
