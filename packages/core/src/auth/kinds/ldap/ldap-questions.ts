import { type Ask, askAny, type Q } from '../../flow/asking.ts'
import type { BaseQuestions } from '../../flow/questions.ts'
import type { LdapEntry, LdapLogin } from '../../ldap-client/ldap.ts'
import type { LimitQuestions } from '../../limits/limit-questions.ts'

/** The questions of rules about directories. */
export interface LdapQuestions {
  /** The entry of a user; `undefined` if the user name or the password is wrong. Fails with `LDAPError`. */
  readonly ldap_entry: Q<LdapLogin & { readonly server_name: string }, LdapEntry | undefined>
}

export const ask: Ask<BaseQuestions & LdapQuestions & LimitQuestions> = askAny
