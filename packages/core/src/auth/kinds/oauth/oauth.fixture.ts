import { hashText } from '../../../crypto/crypto.ts'
import type { Json } from '../../../storage/storage.ts'
import type { OAuthClient, OAuthRedemption } from '../../oauth-client/oauth-client.ts'
import { oauthProtocolError, oauthRefused } from '../../oauth-client/oauth-errors.ts'
import type { OAuthProviderConfig } from '../../oauth-client/oauth-provider.ts'

/** An account at a provider: the subject, and claims. */
export interface FakeAccount {
  readonly subject: string
  readonly [claim: string]: Json
}

/** Identity providers without a network. Their codes are bound to their request, and valid once. */
export interface FakeOAuthClient extends OAuthClient {
  /** Signs in at the authorization URL. Returns the query of the callback. */
  signIn(authorizationUrl: string, account: FakeAccount): string
  /** Expires all codes. */
  expireCodes(): void
  /** The number of attempts to redeem a code. */
  readonly redemptions: number
}

interface Grant {
  readonly alias: string
  readonly redirect_uri: string | null
  readonly nonce: string | null
  readonly code_challenge: string | null
  readonly account: FakeAccount
}

const issuerOf = (alias: string): string => `https://${alias}.example.com`

/** Each provider's host is its alias. A provider without a `client_id` has no credentials. */
export function createFakeOAuthClient(): FakeOAuthClient {
  const grants = new Map<string, Grant>()
  let made = 0
  let redemptions = 0
  return {
    get redemptions() {
      return redemptions
    },
    expireCodes: () => grants.clear(),
    status: ({ credentials_behavior, client_id }) => {
      if (credentials_behavior === 'use_demo_credentials') return 'using_demo_credentials'
      return client_id === undefined ? 'missing_credentials' : 'active'
    },
    async authorizationUrl({ alias, type, client_id = 'demo' }, request) {
      const { redirect_uri, response_mode, nonce, code_challenge } = request
      const usual = type === 'google' ? 'select_account' : ''
      const prompt = request.prompt.join(' ') || usual
      const parameters = Object.entries({
        client_id,
        code_challenge,
        code_challenge_method: 'S256',
        nonce,
        prompt,
        redirect_uri,
        response_mode: response_mode ?? '',
        response_type: 'code',
        scope: 'openid profile email',
      })
      const query = new URLSearchParams(parameters.filter(([, value]) => value !== ''))
      return `${issuerOf(alias)}/authorize?${query}`
    },
    signIn(authorizationUrl, account) {
      const { searchParams, hostname } = new URL(authorizationUrl)
      const [alias = ''] = hostname.split('.')
      const code = `4/${String(++made).padStart(4, '0')}`
      grants.set(code, {
        alias,
        redirect_uri: searchParams.get('redirect_uri'),
        nonce: searchParams.get('nonce'),
        code_challenge: searchParams.get('code_challenge'),
        account,
      })
      return new URLSearchParams({ code, state: 'of the page', iss: issuerOf(alias) }).toString()
    },
    async redeem(provider, redemption) {
      redemptions++
      checkIssuer(provider, redemption)
      const grant = grants.get(redemption.code)
      grants.delete(redemption.code)
      if (grant === undefined || !isFor(grant, provider, redemption)) {
        throw oauthRefused(provider.type, { error: 'invalid_grant' })
      }
      if (grant.nonce !== redemption.nonce) throw oauthProtocolError('the nonce is another one')
      const { subject, ...claims } = grant.account
      return { subject, claims, raw: { sub: subject, ...claims } }
    },
  }
}

function checkIssuer({ alias }: OAuthProviderConfig, { query }: OAuthRedemption): void {
  const issuer = new URLSearchParams(query).get('iss')
  if (issuer === null || issuer === issuerOf(alias)) return
  throw oauthProtocolError('the code belongs to another issuer')
}

function isFor(
  grant: Grant,
  { alias }: OAuthProviderConfig,
  { redirect_uri, code_verifier }: OAuthRedemption,
): boolean {
  const challenge = hashText('sha256', code_verifier).toString('base64url')
  return (
    grant.alias === alias &&
    grant.redirect_uri === redirect_uri &&
    grant.code_challenge === challenge
  )
}
