import {
  filledText,
  mapOf,
  mapping,
  optional,
  required,
  type Schema,
  secretText,
} from '@gatehouse/core/document'
import type { LdapClientOptions } from '@gatehouse/core/ldap'
import { fileText } from '../config/kinds.ts'

/** How a directory is searched. */
export interface LdapSection {
  readonly dn: string
  readonly password: string
  /** The content of the file. */
  readonly ca_file: string | undefined
}

const server = mapping<LdapSection>(
  {
    dn: required(filledText, 'The distinguished name of the account that searches.'),
    password: required(secretText, 'Its password.'),
    ca_file: optional(
      fileText,
      "A PEM file of the authorities that have signed the server's certificate. Default: those of Node.js.",
    ),
  },
  { title: 'LdapAccount' },
)

/** The schema of the section `ldap`: accounts by the name of a server. */
export const ldapSection: Schema<ReadonlyMap<string, LdapSection>> = mapOf(filledText, server)

/** The options of the client for directories. */
export function ldapOptions(section: ReadonlyMap<string, LdapSection>): LdapClientOptions {
  const servers = [...section]
  const ca = servers.flatMap(([name, { ca_file: file }]) =>
    file === undefined ? [] : [[name, file]],
  )
  return {
    credentials: Object.fromEntries(
      servers.map(([name, { dn, password }]) => [name, { dn, password }]),
    ),
    ca: Object.fromEntries(ca),
  }
}
