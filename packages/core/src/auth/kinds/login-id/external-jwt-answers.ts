import { isGatehouseError } from '../../../errors.ts'
import type { Logger } from '../../../logger.ts'
import type { WithConfig } from '../../config/config.ts'
import { authError } from '../../errors.ts'
import type { ExternalJwtVerifier } from '../../external-jwt/external-jwt.ts'
import type { Answers } from '../../flow/asking.ts'
import type { FlowRun } from '../../flow/run.ts'
import type { ExternalJwtQuestions } from './external-jwt-questions.ts'

interface ExternalJwtPorts extends WithConfig {
  readonly externalJwt: ExternalJwtVerifier | undefined
  readonly logger: Logger
}

/** Answers the questions of rules about tokens of other issuers. */
export const externalJwtAnswers = ({
  auth,
}: FlowRun<ExternalJwtPorts>): Answers<ExternalJwtQuestions> => ({
  async external_jwt({ token }) {
    try {
      return await auth.externalJwt?.verify(auth.config.current.external_jwt.issuers, token)
    } catch (error) {
      if (!isGatehouseError(error) || error.reason !== 'OAuthProtocolError') throw error
      // The host should know about failures, not only its users.
      auth.logger.warn({ error: error.message }, 'the keys of an issuer could not be fetched')
      const message = 'the keys of the issuer could not be fetched'
      throw authError('InternalError', 'ExternalJWTFailedToFetchJWKs', message)
    }
  },
})
