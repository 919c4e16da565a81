import {
  type Checking,
  checked,
  filledListOf,
  filledText,
  flag,
  mapping,
  noted,
  oneOf,
  optional,
  required,
  type Schema,
  textLike,
  withDefault,
} from '../../document/schema.ts'
import {
  type OAuthProviderConfig,
  type OAuthProviderType,
  oauthProviderTypes,
} from '../oauth-client/oauth-provider.ts'
import { ignoring } from './ignored.ts'
import { distinctBy, redirectUri, section, webAddress } from './values.ts'

type EmailClaim = OAuthProviderConfig['claims']['email']
type Open<T> = { readonly [Key in keyof T]: T[Key] | undefined }

/** A provider as it is written. */
export interface WrittenProvider
  extends Open<Omit<OAuthProviderConfig, 'alias' | 'type' | 'claims' | 'credentials_behavior'>>,
    Pick<OAuthProviderConfig, 'alias' | 'type' | 'credentials_behavior'> {
  readonly claims: { readonly email: Open<EmailClaim> }
  readonly modify_disabled: boolean | undefined
}

/** A key that not every type of provider has. */
interface TypeKey {
  readonly types: readonly OAuthProviderType[]
  /** `client`: unless there are credentials for trying, which have their own. */
  readonly needed: 'always' | 'client' | 'never'
}

const typeKeys = {
  tenant: { types: ['azureadv2', 'azureadb2c'], needed: 'always' },
  policy: { types: ['azureadb2c'], needed: 'always' },
  discovery_document_endpoint: { types: ['adfs', 'oidc'], needed: 'always' },
  team_id: { types: ['apple'], needed: 'client' },
  key_id: { types: ['apple'], needed: 'client' },
  app_type: { types: ['wechat'], needed: 'never' },
  account_id: { types: ['wechat'], needed: 'never' },
  is_sandbox_account: { types: ['wechat'], needed: 'never' },
} as const satisfies { readonly [Key in keyof WrittenProvider]?: TypeKey }

const secretNote =
  'a secret is no part of the document: it is given to createOAuthClient, or stands in auth.oauth of gatehouse api'

/** Former keys and likely mistakes. */
const secretNotes: ReadonlyMap<string, string> = new Map([
  ['client_secret', secretNote],
  ['private_key', secretNote],
])

/** Part of the address of a provider, which it must not lead away from. */
const addressPart = textLike((part) => /^[\w.-]+$/.test(part), 'letters, digits, _, . and -')

const scope = textLike(
  (written) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(written),
  'one scope: the list has an item for each',
)

const provider = checked(
  mapping<WrittenProvider>(
    {
      alias: required(filledText, 'The name that other settings and requests refer to.'),
      type: required(oneOf(...oauthProviderTypes), 'Which provider it is.'),
      client_id: optional(filledText, 'Without it, no user can sign in with the provider.'),
      tenant: optional(addressPart, 'Required for `azureadv2` and `azureadb2c`.'),
      policy: optional(addressPart, 'Required for `azureadb2c`.'),
      discovery_document_endpoint: optional(webAddress, 'Required for `adfs` and `oidc`.'),
      team_id: optional(filledText, 'Required for `apple`.'),
      key_id: optional(filledText, 'Required for `apple`.'),
      app_type: optional(oneOf('web', 'mobile'), 'For `wechat`.'),
      account_id: optional(filledText, 'For `wechat`.'),
      is_sandbox_account: optional(flag, 'For `wechat`. Default: `false`.'),
      scope_override: optional(
        filledListOf(scope),
        'The scopes to ask for. Default: those of the type.',
      ),
      claims: section(
        {
          email: section(
            {
              assume_verified: optional(
                flag,
                'Whether an address counts as proven. Default: `true`, for `oidc` and open tenants `false`.',
              ),
              required: optional(
                flag,
                'Whether a new account needs an email address. Default: `true`, for `oidc` and `wechat` `false`.',
              ),
            },
            'The address that the provider reports.',
          ),
        },
        'Claims that the provider reports about users.',
      ),
      create_disabled: optional(
        flag,
        'Whether users cannot add one by themselves. Default: `false`.',
      ),
      delete_disabled: optional(flag, 'Whether users cannot remove it. Default: `false`.'),
      modify_disabled: optional(
        noted(flag, () => 'is now create_disabled and delete_disabled'),
        'The older form of the two above.',
      ),
      do_not_store_identity_attributes: optional(
        flag,
        'Whether only the subject is stored. Default: `false`.',
      ),
      credentials_behavior: withDefault(
        oneOf('use_project_credentials', 'use_demo_credentials'),
        'use_project_credentials',
        'Whether the provider is only tried, with credentials for demonstrations.',
      ),
    },
    {
      notes: secretNotes,
      ignored: ignoring('include_identity_attributes_in_id_token', 'wechat_redirect_uris'),
    },
  ),
  checkProvider,
)

/** Keys that one type of provider requires and others do not use. */
function checkProvider({ value, isBroken, report, warn }: Checking<WrittenProvider>): void {
  const { type, tenant, client_id, credentials_behavior } = value
  if (type === undefined) return
  const isOwn = credentials_behavior !== 'use_demo_credentials'
  const isThere = (key: keyof WrittenProvider): boolean => value[key] !== undefined || isBroken(key)
  for (const [name, { types, needed }] of Object.entries<TypeKey>(typeKeys)) {
    // The keys of the table.
    const key = name as keyof typeof typeKeys
    const isOfType = types.includes(type)
    const isNeeded = needed === 'always' || (needed === 'client' && isOwn)
    if (isThere(key) && !isOfType) warn([key], `has no effect with type: ${type}`)
    if (!isThere(key) && isOfType && isNeeded) {
      report([key], 'required', `is missing: type: ${type} needs it`)
    }
  }
  // It is the name of a host and of a domain.
  if (type === 'azureadb2c' && tenant !== undefined && !/^[\da-z-]+$/i.test(tenant)) {
    const message = 'must be the name alone, as contoso for contoso.onmicrosoft.com'
    report(['tenant'], 'out_of_range', message)
  }
  if (isOwn && client_id === undefined) {
    warn([], 'has no client_id, so nobody can sign in by it')
  }
}

/**
 * Where the users of any organisation may come from, each of these can give its users whatever address it likes: it proves nothing
 * unless the provider says so of the one address.
 *
 * @see Microsoft, "nOAuth": the claim `email` of multi-tenant applications
 */
export const isOpenToAll = ({
  type,
  tenant = '',
}: Pick<WrittenProvider, 'type' | 'tenant'>): boolean =>
  type === 'azureadv2' && ['common', 'organizations'].includes(tenant)

/** Fills in the defaults that depend on the type. */
export function oauthProvider(written: WrittenProvider): OAuthProviderConfig {
  const { modify_disabled: isFixed = false, claims, ...given } = written
  const { type } = given
  return {
    ...given,
    is_sandbox_account: given.is_sandbox_account ?? false,
    claims: {
      email: {
        // Attackers can run providers of their own, with the addresses of others.
        assume_verified: claims.email.assume_verified ?? (type !== 'oidc' && !isOpenToAll(given)),
        required: claims.email.required ?? (type !== 'oidc' && type !== 'wechat'),
      },
    },
    create_disabled: given.create_disabled ?? isFixed,
    delete_disabled: given.delete_disabled ?? isFixed,
    do_not_store_identity_attributes: given.do_not_store_identity_attributes ?? false,
  }
}

/** The identity providers, and where they may send browsers back to. */
export const oauthProviders: Schema<{
  readonly providers: readonly WrittenProvider[]
  readonly allowed_redirect_uris: readonly string[] | undefined
}> = section(
  {
    providers: withDefault(
      distinctBy(provider, { alias: 'the alias' }),
      [],
      'Identity providers. Their secrets are given in code. Default: none.',
    ),
    allowed_redirect_uris: optional(
      filledListOf(redirectUri),
      'Where providers may send browsers back to. Default: anywhere that a flow says.',
    ),
  },
  'Sign-in by identity providers (OAuth, OpenID Connect, SSO).',
)
