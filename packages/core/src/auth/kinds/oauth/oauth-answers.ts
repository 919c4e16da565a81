import { isGatehouseError } from '../../../errors.ts'
import type { Logger } from '../../../logger.ts'
import type { WithConfig } from '../../config/config.ts'
import type { Answers } from '../../flow/asking.ts'
import type { FlowRun } from '../../flow/run.ts'
import type { OAuthClient } from '../../oauth-client/oauth-client.ts'
import { providerNotFound } from '../../oauth-client/oauth-errors.ts'
import type { OAuthProviderConfig } from '../../oauth-client/oauth-provider.ts'
import type { OAuthQuestions } from './oauth-questions.ts'

interface OAuthPorts extends WithConfig {
  readonly oauth: OAuthClient | undefined
  readonly logger: Logger
}

/** Answers the questions of rules about identity providers. */
export function oauthAnswers({ auth }: FlowRun<OAuthPorts>): Answers<OAuthQuestions> {
  const { providers } = auth.config.current.identity.oauth
  const find = (alias: string): { client: OAuthClient; provider: OAuthProviderConfig } => {
    const provider = providers.find((one) => one.alias === alias)
    const client = auth.oauth
    if (provider !== undefined && client !== undefined) return { client, provider }
    throw providerNotFound()
  }
  /** Logs failures of a provider, which the host should know about, not only its users. */
  const noted = async <T>(alias: string, asked: Promise<T>): Promise<T> => {
    try {
      return await asked
    } catch (error) {
      if (isGatehouseError(error) && error.reason === 'OAuthProtocolError') {
        auth.logger.warn({ provider: alias, error: error.message }, 'an identity provider failed')
      }
      throw error
    }
  }
  return {
    oauth_status({ alias }) {
      const { client, provider } = find(alias)
      return client.status(provider)
    },
    oauth_authorization_url({ alias, ...request }) {
      const { client, provider } = find(alias)
      return noted(alias, client.authorizationUrl(provider, request))
    },
    oauth_redeem({ alias, ...redemption }) {
      const { client, provider } = find(alias)
      return noted(alias, client.redeem(provider, redemption))
    },
  }
}
