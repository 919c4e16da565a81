import type { AuthOptions } from '../../auth-options.ts'
import { documentWith } from '../../config/config.fixture.ts'
import type { AuthConfig } from '../../config/written/auth-config.generated.ts'
import type { FlowResult } from '../../flows/flow-result.ts'
import { getUser, type UserDetails } from '../../people/get-user.ts'
import {
  type ConfigDelta,
  stateOf,
  type TestAuth,
  type TestFlow,
  testAuth,
} from '../../service.fixture.ts'
import { resolveSessionToken } from '../../sessions/resolve-session.ts'
import { createFakeOAuthClient, type FakeAccount, type FakeOAuthClient } from './oauth.fixture.ts'

/** A service with identity providers. */
export interface OAuthHouse extends TestAuth {
  readonly oauth: FakeOAuthClient
  /** The whole configuration. */
  readonly document: AuthConfig
}

export const google = { alias: 'google', type: 'google', client_id: 'g-1' } as const
/** Vouches for an email address only with `email_verified`. */
export const cloud = {
  alias: 'cloud',
  type: 'oidc',
  client_id: 'c-1',
  discovery_document_endpoint: 'https://cloud.example.com/.well-known/openid-configuration',
} as const

/** The redirect URI. */
export const callback = 'https://app.example.com/cb'

/** A service with these providers. */
export function oauthHouse(
  delta: ConfigDelta = {},
  providers: readonly object[] = [google, cloud],
  options: Partial<AuthOptions> = {},
): OAuthHouse {
  const oauth = createFakeOAuthClient()
  const sections = { ...delta, identity: { ...Object(delta.identity), oauth: { providers } } }
  const document = documentWith(sections)
  return { ...testAuth(sections, { oauth, ...options }), oauth, document }
}

/** Chooses a provider. Returns the authorization URL. */
export async function leaveFor(flow: TestFlow, alias = 'google'): Promise<string> {
  const away = await flow.input({ identification: 'oauth', alias, redirect_uri: callback })
  return urlOf(away)
}

/** The authorization URL of a state. */
export function urlOf(result: FlowResult): string {
  return String(stateOf(result).action.data.oauth_authorization_url)
}

/** Chooses a provider, signs in there and returns. */
export async function comeBy(
  { oauth }: OAuthHouse,
  flow: TestFlow,
  account: FakeAccount,
  alias = 'google',
): Promise<FlowResult> {
  const url = await leaveFor(flow, alias)
  return flow.input({ query: oauth.signIn(url, account) })
}

/** The user of the session that a flow has ended with. */
export async function userOf({ auth }: TestAuth, result: FlowResult): Promise<UserDetails> {
  stateOf(result)
  const session = await resolveSessionToken(auth, result.cookies[0]?.value ?? '')
  return getUser(auth, session?.user_id ?? 'nobody')
}
