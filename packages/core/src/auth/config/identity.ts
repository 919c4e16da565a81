import {
  built,
  checked,
  flag,
  integer,
  mapping,
  noted,
  oneOf,
  optional,
  required,
  type Schema,
  text,
  withDefault,
} from '../../document/schema.ts'
import type { LoadedAuthConfig, LoginIdKeyConfig } from './config.ts'
import { ignoring } from './ignored.ts'
import { ldap } from './ldap.ts'
import { oauthProvider, oauthProviders, type WrittenProvider } from './oauth-providers.ts'
import { distinctBy, section } from './values.ts'

type Identity = LoadedAuthConfig['identity']
type Open<T> = { readonly [Key in keyof T]: T[Key] | undefined }

interface WrittenKey extends Open<Omit<LoginIdKeyConfig, 'type'>> {
  readonly type: LoginIdKeyConfig['type']
  readonly modify_disabled: boolean | undefined
}

/** The section as it is written. */
export interface WrittenIdentity extends Pick<Identity, 'ldap' | 'on_conflict'> {
  readonly login_id: Omit<Identity['login_id'], 'keys'> & { readonly keys: readonly WrittenKey[] }
  readonly oauth: Omit<Identity['oauth'], 'providers'> & {
    readonly providers: readonly WrittenProvider[]
  }
}

const maxLength = noted(integer(Number.MIN_SAFE_INTEGER), (length) =>
  length < 1 ? 'is below 1: every login ID is too long' : undefined,
)

const key = mapping<WrittenKey>({
  type: required(oneOf('email', 'phone', 'username'), 'The type of login ID.'),
  key: optional(
    built(text, (name) => (name === '' ? undefined : name)),
    'The name that other settings refer to. Default: the type.',
  ),
  max_length: optional(maxLength, 'In characters. Default: 320 for `email`, else 40.'),
  create_disabled: optional(
    flag,
    'Whether users cannot add one to their account. Sign-ups offer it. Default: `false`.',
  ),
  update_disabled: optional(flag, 'Whether users cannot change it. Default: `false`.'),
  delete_disabled: optional(flag, 'Whether users cannot remove it. Default: `false`.'),
  modify_disabled: optional(
    noted(flag, () => 'is now create_disabled, update_disabled and delete_disabled'),
    'The older form of the three above.',
  ),
})

const longest = { email: 320, phone: 40, username: 40 }

function loginIdKey(written: WrittenKey): LoginIdKeyConfig {
  const { type, modify_disabled: isFixed = false } = written
  return {
    type,
    key: written.key ?? type,
    max_length: written.max_length ?? longest[type],
    create_disabled: written.create_disabled ?? isFixed,
    update_disabled: written.update_disabled ?? isFixed,
    delete_disabled: written.delete_disabled ?? isFixed,
  }
}

/** Domains are either let in by name, or kept out by name. */
const email: Schema<Identity['login_id']['types']['email']> = checked(
  mapping({
    case_sensitive: withDefault(flag, false, 'Whether capital and small letters differ.'),
    block_plus_sign: withDefault(flag, false, 'Whether `+` is refused.'),
    ignore_dot_sign: withDefault(flag, false, 'Whether dots make no difference.'),
    domain_blocklist_enabled: withDefault(flag, false, 'Whether listed domains are refused.'),
    domain_allowlist_enabled: withDefault(
      flag,
      false,
      'Whether only listed domains are accepted. Not together with lists of domains that are refused.',
    ),
    block_free_email_provider_domains: withDefault(
      flag,
      false,
      'Whether domains of free providers are refused.',
    ),
    block_disposable_email_domains: withDefault(
      flag,
      false,
      'Whether domains of disposable addresses are refused.',
    ),
  }),
  ({ value, report }) => {
    if (value.domain_allowlist_enabled !== true) return
    for (const other of [
      'domain_blocklist_enabled',
      'block_free_email_provider_domains',
    ] as const) {
      if (value[other]) report([other], 'conflict', 'not together with domain_allowlist_enabled')
    }
  },
)

/** By what people are known. */
export const identity: Schema<WrittenIdentity> = mapping(
  {
    login_id: section(
      {
        keys: withDefault(
          distinctBy(key, { key: 'the key' }, { otherwise: 'type', firstCounts: true }),
          [{ type: 'email' }],
          'Which login IDs there are.',
        ),
        types: section(
          {
            email: withDefault(email, {}, 'Email addresses.'),
            username: section(
              {
                block_reserved_usernames: withDefault(
                  flag,
                  true,
                  'Whether reserved names are refused.',
                ),
                exclude_keywords_enabled: withDefault(
                  flag,
                  false,
                  'Whether names with listed words are refused.',
                ),
                ascii_only: withDefault(flag, true, 'Whether only ASCII characters are accepted.'),
                case_sensitive: withDefault(
                  flag,
                  false,
                  'Whether capital and small letters differ.',
                ),
              },
              'User names.',
              { ignored: ignoring('excluded_keywords') },
            ),
          },
          'Rules for login IDs, by type.',
        ),
      },
      'Login IDs: email addresses, phone numbers, usernames.',
    ),
    oauth: oauthProviders,
    ldap,
    on_conflict: section(
      {
        promotion: withDefault(
          oneOf('error', 'login'),
          'error',
          'How to treat a guest whose identity belongs to another account.',
        ),
      },
      'How to treat an identity that belongs to another account.',
    ),
  },
  { ignored: ignoring('biometric', 'anonymous', 'passkey', 'siwe') },
)

/** Fills in the defaults that depend on types. */
export function identityOf({ login_id, oauth, ...others }: WrittenIdentity): Identity {
  return {
    login_id: { ...login_id, keys: login_id.keys.map(loginIdKey) },
    oauth: { ...oauth, providers: oauth.providers.map(oauthProvider) },
    ...others,
  }
}
