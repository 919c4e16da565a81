/** A directory that checks passwords. */
export interface LdapServer {
  readonly name: string
  /** `ldap://host:389` or `ldaps://host:636`. */
  readonly url: string
  /** Whether an `ldap` connection is upgraded to TLS before anything is sent. */
  readonly start_tls: boolean
  /** Users are searched for below this entry. */
  readonly search_base_dn: string
  /** A filter as a Go template, such as `(uid={{ .Username }})`. @see RFC 4515 */
  readonly search_filter_template: string
  /** The attribute with the permanent id of a user, such as `entryUUID` or `objectGUID`. */
  readonly user_id_attribute_name: string
  readonly claims: { readonly email: { readonly assume_verified: boolean } }
}

/** What a user typed. */
export interface LdapLogin {
  readonly username: string
  readonly password: string
}

/** The entry of a user. JSON. */
export type LdapEntry = {
  /** The value of the id attribute; in Base64 if it is not text. */
  readonly user_id: string
  readonly dn: string
  /** OpenID Connect claims made of the entry's attributes. */
  readonly claims: { readonly [name: string]: string }
}

/** Checks passwords in directories. @see `createLdapClient` of `@gatehouse/core/ldap` */
export interface LdapClient {
  /**
   * Finds the entry of a user and binds as that user. Returns `undefined` if there is not exactly one entry, or if the password
   * is wrong.
   *
   * @throws {GatehouseError} `LDAPError` if the directory cannot be reached or refuses the search.
   */
  authenticate(server: LdapServer, login: LdapLogin): Promise<LdapEntry | undefined>
}
