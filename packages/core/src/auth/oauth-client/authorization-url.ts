import type { ProviderSite } from './endpoints.ts'
import type { OAuthAuthorization } from './oauth-client.ts'
import type { ProviderKind } from './provider-kind.ts'

/** The parameters of an authorization request, with the client. */
export interface AuthorizationRequest extends OAuthAuthorization {
  readonly clientId: string
  readonly scopes: readonly string[]
}

/**
 * Builds the authorization URL, with its parameters in alphabetical order.
 *
 * @see RFC 6749, section 4.1.1; RFC 7636; OpenID Connect Core 1.0, section 3.1.2.1
 */
export function authorizationUrl(
  kind: ProviderKind,
  site: ProviderSite,
  request: AuthorizationRequest,
): string {
  const { clientId, scopes, redirect_uri, response_mode, nonce, code_challenge } = request
  const prompts = promptsOf(kind, site, request.prompt)
  const responseMode = kind.responseMode(response_mode, scopes, site.response_modes_supported)
  const parameters: readonly (readonly [name: string, value: string | undefined])[] = [
    ['client_id', clientId],
    ['redirect_uri', redirect_uri],
    ['response_type', 'code'],
    ['scope', scopes.length === 0 ? undefined : scopes.join(' ')],
    ['response_mode', responseMode],
    ['prompt', prompts.length === 0 ? undefined : prompts.join(' ')],
    ['nonce', kind.protocol === 'openid' ? nonce : undefined],
    ['code_challenge', kind.usesPkce ? code_challenge : undefined],
    ['code_challenge_method', kind.usesPkce ? 'S256' : undefined],
  ]
  const url = new URL(site.authorization_endpoint)
  for (const [name, value] of parameters) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  kind.finishAuthorizationUrl?.(url)
  url.searchParams.sort()
  return url.href
}

/** The requested prompts that the provider understands; without any, its default prompt. */
function promptsOf(
  { prompts, defaultPrompt }: ProviderKind,
  { prompt_values_supported: known }: ProviderSite,
  wanted: readonly string[],
): readonly string[] {
  const isUnderstood = (prompt: string): boolean =>
    prompts.includes(prompt) && known?.includes(prompt) !== false
  const understood = wanted.filter(isUnderstood)
  if (understood.length > 0 || defaultPrompt === undefined) return understood
  return [defaultPrompt].filter(isUnderstood)
}
