import { isGatehouseError } from '../../../errors.ts'
import type { Logger } from '../../../logger.ts'
import type { WithConfig } from '../../config/config.ts'
import type { Answers } from '../../flow/asking.ts'
import type { FlowRun } from '../../flow/run.ts'
import type { LdapClient } from '../../ldap-client/ldap.ts'
import { ldapError } from '../../ldap-client/ldap-error.ts'
import type { LdapQuestions } from './ldap-questions.ts'

interface LdapPorts extends WithConfig {
  readonly ldap: LdapClient | undefined
  readonly logger: Logger
}

/** Answers the questions of rules about directories. */
export const ldapAnswers = ({ auth }: FlowRun<LdapPorts>): Answers<LdapQuestions> => ({
  async ldap_entry({ server_name: name, username, password }) {
    const server = auth.config.current.identity.ldap.servers.find((one) => one.name === name)
    // A reload may have removed it during the flow.
    if (server === undefined || auth.ldap === undefined) throw ldapError(name, 'is not configured')
    try {
      return await auth.ldap.authenticate(server, { username, password })
    } catch (error) {
      // The host should know about failures, not only its users.
      if (isGatehouseError(error)) {
        auth.logger.warn({ server: name, error: error.message }, 'a directory failed')
      }
      throw error
    }
  },
})
