import type { LoadedAuthConfig } from '../../config/config.ts'
import { createDomainSet } from '../../login-ids/email.ts'
import type { LoginIdRules, LoginIdType } from '../../login-ids/login-id.ts'
import type { PhoneNumbers } from '../../login-ids/phone.ts'
import { reservedUsernames } from '../../login-ids/reserved-usernames.ts'
import { createWordSet } from '../../login-ids/username.ts'

/** The host's lists of names and domains that login IDs are checked against. */
export interface LoginIdLists {
  /** The allowed domains of email addresses, if the configuration enables this list (default: none). */
  readonly emailDomainAllowlist?: Iterable<string>
  /** The forbidden domains of email addresses, if the configuration enables this list (default: none). */
  readonly emailDomainBlocklist?: Iterable<string>
  readonly freeEmailProviderDomains?: Iterable<string>
  readonly disposableEmailDomains?: Iterable<string>
  /** User names that cannot be taken (default: a list of some hundred). */
  readonly reservedUsernames?: Iterable<string>
  /** Words that user names must not contain (default: none). */
  readonly excludedKeywords?: Iterable<string>
}

/** Creates the rules for login IDs from a configuration; reads the lists once. */
export function createLoginIdRules(
  lists: LoginIdLists,
  phoneNumbers: PhoneNumbers,
): (config: LoadedAuthConfig) => LoginIdRules {
  const domains = {
    domainAllowlist: createDomainSet(lists.emailDomainAllowlist ?? []),
    domainBlocklist: createDomainSet(lists.emailDomainBlocklist ?? []),
    freeProviderDomains: createDomainSet(lists.freeEmailProviderDomains ?? []),
    disposableDomains: createDomainSet(lists.disposableEmailDomains ?? []),
  }
  const words = {
    reservedUsernames:
      lists.reservedUsernames === undefined
        ? reservedUsernames
        : createWordSet(lists.reservedUsernames),
    excludedKeywords: createWordSet(lists.excludedKeywords ?? []),
  }
  return (config) => {
    const { types } = config.identity.login_id
    const { allowlist, validation_method } = config.ui.phone_input
    return {
      email: { ...types.email, ...domains, maxLength: maxLengthOf(config, 'email', 320) },
      username: { ...types.username, ...words, maxLength: maxLengthOf(config, 'username', 40) },
      phone: {
        maxLength: maxLengthOf(config, 'phone', 40),
        allowlist: allowlist && new Set(allowlist),
        validation_method,
        phoneNumbers,
      },
    }
  }
}

/** Login IDs are created under the first key of their type. */
function maxLengthOf({ identity }: LoadedAuthConfig, type: LoginIdType, otherwise: number): number {
  return identity.login_id.keys.find((key) => key.type === type)?.max_length ?? otherwise
}
