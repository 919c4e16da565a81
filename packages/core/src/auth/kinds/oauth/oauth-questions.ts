import { type Ask, askAny, type Q } from '../../flow/asking.ts'
import type { BaseQuestions } from '../../flow/questions.ts'
import type { LimitQuestions } from '../../limits/limit-questions.ts'
import type {
  OAuthAuthorization,
  OAuthProfile,
  OAuthProviderStatus,
  OAuthRedemption,
} from '../../oauth-client/oauth-client.ts'

/** The questions of rules about identity providers. */
export interface OAuthQuestions {
  readonly oauth_status: Q<{ readonly alias: string }, OAuthProviderStatus>
  /** The authorization URL. Fails with `OAuthProtocolError`. */
  readonly oauth_authorization_url: Q<OAuthAuthorization & { readonly alias: string }, string>
  /** Redeems a code, once. Fails with `OAuthError`, `OAuthProtocolError`. */
  readonly oauth_redeem: Q<OAuthRedemption & { readonly alias: string }, OAuthProfile>
}

export const ask: Ask<BaseQuestions & LimitQuestions & OAuthQuestions> = askAny
