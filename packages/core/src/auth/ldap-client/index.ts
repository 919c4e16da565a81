// Checks passwords in directories (LDAP); needs the package `ldapts`.
export {
  createLdapClient,
  type LdapClientOptions,
  type LdapCredentials,
} from './create-ldap-client.ts'
export type { LdapClient } from './ldap.ts'
