import * as z from 'zod/mini'
import type { OAuthContext } from './context.ts'
import type { OAuthEndpoints, ProviderSite } from './endpoints.ts'
import { invalidConfiguration } from './errors.ts'
import { readEndpointUrl } from './http/endpoint-url.ts'
import { oauthProtocolError } from './oauth-errors.ts'
import type { OAuthProviderConfig } from './oauth-provider.ts'
import type { ProviderKind } from './provider-kind.ts'

const documentName = 'the discovery document'
const maxSiteAgeMs = 60 * 60_000

const text = z.string().check(z.minLength(1))
const texts = z.exactOptional(z.array(z.string()))
const documentSchema: z.ZodMiniType<ProviderSite & { issuer: string; jwks_uri: string }> = z.object(
  {
    issuer: text,
    authorization_endpoint: text,
    token_endpoint: text,
    jwks_uri: text,
    userinfo_endpoint: z.exactOptional(text),
    response_modes_supported: texts,
    prompt_values_supported: texts,
    token_endpoint_auth_methods_supported: texts,
    authorization_response_iss_parameter_supported: z.exactOptional(z.boolean()),
  },
)

/**
 * Finds the endpoints of a provider: first those of the options, then those of its discovery document or, without one, those of
 * its kind. Returns the same object for an hour, because the provider's keys are cached with it.
 *
 * @throws {GatehouseError} `InvalidConfiguration` if the configuration lacks endpoints; `OAuthProtocolError` if the document
 *   cannot be fetched or is invalid.
 */
export async function findSite(
  oauth: OAuthContext,
  kind: ProviderKind,
  provider: OAuthProviderConfig,
): Promise<ProviderSite> {
  const given = oauth.endpoints.get(provider.alias) ?? {}
  const endpoints =
    given.discovery === undefined ? { ...kind.endpoints(provider), ...given } : given
  const key = JSON.stringify([provider.type, endpoints])
  return oauth.sites.get(key, maxSiteAgeMs, async () => {
    const { discovery, ...known } = endpoints
    const isNeeded = discovery !== undefined && !isComplete(kind, known)
    const found = isNeeded ? await discover(oauth, kind, provider, discovery) : {}
    const site = { ...found, ...metadataOf(known) }
    const { authorization_endpoint, token_endpoint } = site
    if (authorization_endpoint === undefined || token_endpoint === undefined) {
      throw invalidConfiguration(provider, 'needs the endpoints authorization and token')
    }
    return { ...site, authorization_endpoint, token_endpoint }
  })
}

/** Whether all required endpoints are known. */
const isComplete = (
  { protocol }: ProviderKind,
  { authorization, token, issuer, jwks }: Partial<OAuthEndpoints>,
): boolean =>
  authorization !== undefined &&
  token !== undefined &&
  (protocol === 'oauth2' || (issuer !== undefined && jwks !== undefined))

/** The known endpoints, by their names in a discovery document. */
function metadataOf(known: Partial<OAuthEndpoints>): Partial<ProviderSite> {
  const { issuer, authorization, token, jwks, userInfo, emails } = known
  return {
    ...(issuer === undefined ? {} : { issuer }),
    ...(authorization === undefined ? {} : { authorization_endpoint: authorization }),
    ...(token === undefined ? {} : { token_endpoint: token }),
    ...(jwks === undefined ? {} : { jwks_uri: jwks }),
    ...(userInfo === undefined ? {} : { userinfo_endpoint: userInfo }),
    ...(emails === undefined ? {} : { emails_endpoint: emails }),
  }
}

async function discover(
  { http, allowHttp }: OAuthContext,
  kind: ProviderKind,
  provider: OAuthProviderConfig,
  url: string,
): Promise<ProviderSite> {
  if (kind.protocol !== 'openid') {
    throw invalidConfiguration(provider, 'is of a type that has no discovery document')
  }
  const isUsable = (endpoint: string): boolean =>
    readEndpointUrl(endpoint, { allowHttp }) !== undefined
  if (!isUsable(url)) {
    throw invalidConfiguration(
      provider,
      'has a discovery_document_endpoint that is not an https URL',
    )
  }
  const { data: site } = documentSchema.safeParse(await http.getDocument(documentName, url))
  if (site === undefined) throw oauthProtocolError(`${documentName} lacks a required member`)
  if (!kind.isDocumentOf(site.issuer, url)) {
    throw oauthProtocolError(`${documentName} belongs to another issuer`)
  }
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint = jwks_uri } = site
  if (![authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint].every(isUsable)) {
    throw oauthProtocolError(`${documentName} names a URL that is not https`)
  }
  return site
}
