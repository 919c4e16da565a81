import { mappingOf, sectionOf } from '../../document/fields.ts'
import {
  type Decode,
  findMember,
  memberOrSelf,
  type Place,
  report,
  warn,
} from '../../document/place.ts'
import { filledListOf, filledText, flag, listOf, oneOf, textLike } from '../../document/values.ts'
import {
  type OAuthProviderConfig,
  type OAuthProviderType,
  oauthProviderTypes,
} from '../oauth-client/oauth-provider.ts'
import type { LoadedAuthConfig } from './config.ts'
import { defaultAuthConfig, oauthProvider } from './default-config.ts'
import type { DocumentNotes } from './flows/flow-notes.ts'
import { ignoring } from './ignored.ts'
import { noteName } from './names.ts'
import { redirectUri, webAddress } from './values.ts'

type OAuth = LoadedAuthConfig['identity']['oauth']
type EmailClaim = OAuthProviderConfig['claims']['email']

const { oauth: defaults } = defaultAuthConfig('', '').identity

/** A key that not every type of provider has. */
interface TypeKey {
  readonly types: readonly OAuthProviderType[]
  /** `client`: unless there are credentials for trying, which have their own. */
  readonly needed: 'always' | 'client' | 'never'
}

const typeKeys: Readonly<Record<string, TypeKey>> = {
  tenant: { types: ['azureadv2', 'azureadb2c'], needed: 'always' },
  policy: { types: ['azureadb2c'], needed: 'always' },
  discovery_document_endpoint: { types: ['adfs', 'oidc'], needed: 'always' },
  team_id: { types: ['apple'], needed: 'client' },
  key_id: { types: ['apple'], needed: 'client' },
  app_type: { types: ['wechat'], needed: 'never' },
  account_id: { types: ['wechat'], needed: 'never' },
  is_sandbox_account: { types: ['wechat'], needed: 'never' },
}

const secretNote =
  'a secret is no part of the document: it is given to createOAuthClient, or stands in auth.oauth of gatehouse api'

/** What documents have had beside, or have by mistake. */
const secretNotes: ReadonlyMap<string, string> = new Map([
  ['client_secret', secretNote],
  ['private_key', secretNote],
])

interface WrittenProvider extends Omit<OAuthProviderConfig, 'claims'> {
  readonly claims: { readonly email?: Partial<EmailClaim> }
  /** How `create_disabled` and `delete_disabled` were said once. */
  readonly modify_disabled: boolean
}

/** Part of the address of a provider, which it must not lead away from. */
const addressPart = textLike((part) => /^[\w.-]+$/.test(part), 'letters, digits, _, . and -')

const scope = textLike(
  (written) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(written),
  'one scope: the list has an item for each',
)

function writtenProvider(notes: DocumentNotes): Decode<Partial<WrittenProvider>> {
  return mappingOf<WrittenProvider>(
    {
      alias: filledText,
      type: oneOf(...oauthProviderTypes),
      client_id: filledText,
      tenant: addressPart,
      policy: addressPart,
      discovery_document_endpoint: webAddress(notes),
      team_id: filledText,
      key_id: filledText,
      app_type: oneOf('web', 'mobile'),
      account_id: filledText,
      is_sandbox_account: flag,
      scope_override: filledListOf(scope),
      claims: mappingOf<WrittenProvider['claims']>({
        email: mappingOf<EmailClaim>({ assume_verified: flag, required: flag }),
      }),
      create_disabled: flag,
      delete_disabled: flag,
      modify_disabled: flag,
      do_not_store_identity_attributes: flag,
      credentials_behavior: oneOf('use_project_credentials', 'use_demo_credentials'),
    },
    {
      required: ['alias', 'type'],
      notes: secretNotes,
      ignored: ignoring('wechat_redirect_uris'),
    },
  )
}

function provider(notes: DocumentNotes): Decode<OAuthProviderConfig> {
  const written = writtenProvider(notes)
  return (place) => {
    const given = written(place)
    if (given?.type === undefined) return undefined
    const { alias, type, claims, modify_disabled: isFixed, ...rest } = given
    checkTypeKeys(place, type, hasOwnClient(given))
    checkTenant(place, given)
    if (alias === undefined) return undefined
    const usual = oauthProvider(type, alias)
    if (findMember(place, 'modify_disabled') !== undefined) {
      warn(memberOrSelf(place, 'modify_disabled'), 'is now create_disabled and delete_disabled')
    }
    const fixed =
      isFixed === undefined ? {} : { create_disabled: isFixed, delete_disabled: isFixed }
    const email = { ...usual.claims.email, ...unprovenEmail(given), ...claims?.email }
    if (hasOwnClient(given) && findMember(place, 'client_id') === undefined) {
      warn(place, 'has no client_id, so nobody can sign in by it')
    }
    return { ...usual, ...fixed, ...rest, claims: { email } }
  }
}

/**
 * Where the users of any organisation may come from, each of these can give its users whatever address it likes: it proves nothing
 * unless the provider says so of the one address.
 *
 * @see Microsoft, "nOAuth": the claim `email` of multi-tenant applications
 */
function unprovenEmail({ type, tenant = '' }: Partial<WrittenProvider>): Partial<EmailClaim> {
  const isOpenToAll = type === 'azureadv2' && ['common', 'organizations'].includes(tenant)
  return isOpenToAll ? { assume_verified: false } : {}
}

/** What one type of provider cannot do without, others have no use for. */
function checkTypeKeys(place: Place, type: OAuthProviderType, isOwn: boolean): void {
  for (const [key, { types, needed }] of Object.entries(typeKeys)) {
    const isThere = findMember(place, key) !== undefined
    const isOfType = types.includes(type)
    const keyPlace = memberOrSelf(place, key)
    if (isThere && !isOfType) warn(keyPlace, `has no effect with type: ${type}`)
    if (!isThere && isOfType && (needed === 'always' || (needed === 'client' && isOwn))) {
      report(keyPlace, 'required', `is missing: type: ${type} needs it`)
    }
  }
}

/** It is the name of a host and of a domain. */
function checkTenant(place: Place, { type, tenant }: Partial<WrittenProvider>): void {
  if (type !== 'azureadb2c' || tenant === undefined || /^[\da-z-]+$/i.test(tenant)) return
  const message = 'must be the name alone, as contoso for contoso.onmicrosoft.com'
  report(memberOrSelf(place, 'tenant'), 'out_of_range', message)
}

const hasOwnClient = ({ credentials_behavior }: Partial<WrittenProvider>): boolean =>
  credentials_behavior !== 'use_demo_credentials'

/** Providers whose aliases are all different. */
function providers(notes: DocumentNotes): Decode<readonly OAuthProviderConfig[]> {
  const one = provider(notes)
  return listOf((place: Place) => {
    noteName(place, notes.sources.oauth, { key: 'alias', what: 'the alias' })
    return one(place)
  })
}

/** The identity providers, and where they may send browsers back to. */
export function oauthProviders(notes: DocumentNotes): Decode<OAuth> {
  return sectionOf<OAuth>(defaults, {
    providers: providers(notes),
    allowed_redirect_uris: filledListOf(redirectUri),
  })
}
