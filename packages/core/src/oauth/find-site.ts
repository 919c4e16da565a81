import { oauthProtocolError } from '../auth/oauth-client/oauth-errors.ts'
import type { OAuthProviderConfig } from '../auth/oauth-client/oauth-provider.ts'
import type { OAuthContext } from './context.ts'
import { readDocument } from './discovery-document.ts'
import { readEndpointUrl } from './endpoint-url.ts'
import type { OAuthEndpoints, ProviderSite } from './endpoints.ts'
import { invalidConfiguration } from './errors.ts'
import type { ProviderKind } from './provider-kind.ts'

const documentName = 'the discovery document'
const maxDocumentAgeMs = 60 * 60_000

/**
 * Where a provider is asked: at what is given for its alias; what that leaves out, as its discovery document says; and what has
 * none, as its kind knows.
 *
 * @throws {GatehouseError} `InvalidConfiguration` if that cannot be known; `OAuthProtocolError` if the document cannot be had or
 *   is not sound.
 */
export async function findSite(
  oauth: OAuthContext,
  kind: ProviderKind,
  provider: OAuthProviderConfig,
): Promise<ProviderSite> {
  const given = oauth.endpoints.get(provider.alias) ?? {}
  const { discovery, ...known } =
    given.discovery === undefined ? { ...kind.endpoints(provider), ...given } : given
  if (discovery === undefined || isComplete(kind, known)) return completeSite(provider, known)
  return { ...(await discover(oauth, kind, provider, discovery)), ...known }
}

/** Whether there is nothing left to be found out. */
const isComplete = (
  { protocol }: ProviderKind,
  { authorization, token, issuer, jwks }: Partial<OAuthEndpoints>,
): boolean =>
  authorization !== undefined &&
  token !== undefined &&
  (protocol === 'oauth2' || (issuer !== undefined && jwks !== undefined))

function completeSite(
  provider: OAuthProviderConfig,
  { authorization, token, ...rest }: Partial<OAuthEndpoints>,
): ProviderSite {
  if (authorization === undefined || token === undefined) {
    throw invalidConfiguration(provider, 'needs the endpoints authorization and token')
  }
  return { ...rest, authorization, token, metadata: {} }
}

async function discover(
  oauth: OAuthContext,
  kind: ProviderKind,
  provider: OAuthProviderConfig,
  url: string,
): Promise<ProviderSite> {
  if (kind.protocol !== 'openid') {
    throw invalidConfiguration(provider, 'is of a type that has no discovery document')
  }
  const { allowHttp } = oauth
  if (readEndpointUrl(url, { allowHttp }) === undefined) {
    throw invalidConfiguration(
      provider,
      'has a discovery_document_endpoint that is no URL of https',
    )
  }
  const document = await oauth.documents.get(url, maxDocumentAgeMs, () =>
    oauth.http.getDocument(documentName, url),
  )
  const site = readDocument(document)
  if (site === undefined) throw oauthProtocolError(`${documentName} lacks something that is needed`)
  if (!kind.isDocumentOf(site.issuer, url)) {
    throw oauthProtocolError(`${documentName} is that of another issuer`)
  }
  const { authorization, token, jwks, userInfo = token } = site
  const urls = [authorization, token, jwks, userInfo]
  if (!urls.every((text) => readEndpointUrl(text, { allowHttp }) !== undefined)) {
    throw oauthProtocolError(`${documentName} names a URL that is none of https`)
  }
  return site
}
