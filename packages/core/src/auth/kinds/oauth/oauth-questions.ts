import { type Ask, askAny, type Q } from '../../flow/asking.ts'
import type { BaseQuestions } from '../../flow/questions.ts'
import type { LimitQuestions } from '../../limits/limit-questions.ts'
import type {
  OAuthAuthorization,
  OAuthProfile,
  OAuthProviderStatus,
  OAuthRedemption,
} from '../../oauth-client/oauth-client.ts'

/** What rules ask of identity providers. */
export interface OAuthQuestions {
  readonly oauth_status: Q<{ readonly alias: string }, OAuthProviderStatus>
  /** The address of a provider that a browser is sent to. Fails with `OAuthProtocolError`. */
  readonly oauth_authorization_url: Q<OAuthAuthorization & { readonly alias: string }, string>
  /** Redeems a code, once. Fails with `OAuthError`, `OAuthProtocolError`. */
  readonly oauth_redeem: Q<OAuthRedemption & { readonly alias: string }, OAuthProfile>
}

export const ask: Ask<BaseQuestions & LimitQuestions & OAuthQuestions> = askAny
