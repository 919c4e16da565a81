import type {
  OidcClient,
  OidcGrantType,
  OidcLifetimes,
  OidcResource,
  OidcScope,
  OidcSettingsOptions,
} from './options.ts'

/** A client whose defaults are filled in. */
export interface ClientSettings
  extends Omit<
    OidcClient,
    | 'clientSecret'
    | 'redirectUris'
    | 'resources'
    | 'grantTypes'
    | 'consent'
    | 'requirePar'
    | 'requireDpop'
    | 'idTokenAlg'
  > {
  readonly consent: NonNullable<OidcClient['consent']>
  readonly requirePar: boolean
  readonly requireDpop: boolean
  readonly idTokenAlg: NonNullable<OidcClient['idTokenAlg']>
  readonly secrets: readonly string[]
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  readonly grantTypes: readonly OidcGrantType[]
  readonly resources: readonly string[]
}

/** Where the provider is. It does not change while it runs. */
export interface OidcPlace {
  readonly issuer: string
  readonly basePath: string
}

/** The options, checked, with defaults filled in. */
export interface OidcSettings extends OidcPlace {
  readonly clients: ReadonlyMap<string, ClientSettings>
  readonly signInPath: string
  readonly signUpPath: string
  readonly resources: ReadonlyMap<string, OidcResource>
  readonly scopes: ReadonlyMap<string, OidcScope>
  readonly claims: OidcSettingsOptions['claims']
  readonly roleAttribute: string
  readonly groupAttribute: string
  readonly registration: 'off' | 'open' | { readonly initialAccessToken: string }
  readonly clientIdMetadata: boolean
  readonly deviceFlow: boolean
  readonly lifetimes: { readonly [K in keyof OidcLifetimes]-?: number }
}

/** What options are that are left out, where that does not depend on others. */
export interface OidcDefaults
  extends Pick<
    OidcSettings,
    | 'basePath'
    | 'roleAttribute'
    | 'groupAttribute'
    | 'registration'
    | 'clientIdMetadata'
    | 'deviceFlow'
    | 'lifetimes'
  > {
  /** Of each client. */
  readonly client: Pick<ClientSettings, 'consent' | 'requirePar' | 'requireDpop' | 'idTokenAlg'>
}

/** A scope that every provider has. */
export type StandardScope =
  | 'openid'
  | 'profile'
  | 'email'
  | 'phone'
  | 'address'
  | 'roles'
  | 'groups'
  | 'offline_access'

/** The scopes that every provider has, with the claims of each. @see OpenID Connect Core, section 5.4 */
export const standardScopes: Readonly<Record<StandardScope, readonly string[]>> = {
  openid: ['sub'],
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  address: ['address'],
  roles: ['roles'],
  groups: ['groups'],
  offline_access: [],
}

export const isStandardScope = (name: string): name is StandardScope =>
  Object.hasOwn(standardScopes, name)

/** @see RFC 8628, section 3.4 */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** How a client of a type gets tokens unless it says otherwise. */
const defaultGrantTypes = (
  type: OidcClient['type'],
  { deviceFlow = false }: Pick<OidcSettingsOptions, 'deviceFlow'>,
): readonly OidcGrantType[] => {
  if (type === 'service') return ['client_credentials']
  const ofPeople = ['authorization_code', 'refresh_token'] as const
  return deviceFlow && type === 'native' ? [...ofPeople, deviceGrant] : ofPeople
}

const day = 86_400

/** The defaults of options, for programs that show them. */
export const oidcDefaults: OidcDefaults = {
  basePath: '/oidc',
  roleAttribute: 'x_role',
  groupAttribute: 'x_groups',
  registration: 'off',
  clientIdMetadata: false,
  deviceFlow: false,
  lifetimes: {
    accessTokenSeconds: 300,
    refreshTokenSeconds: 30 * day,
    idTokenSeconds: 300,
    codeSeconds: 60,
    interactionSeconds: 3_600,
    deviceCodeSeconds: 600,
    grantSeconds: 365 * day,
  },
  client: { consent: 'ask', requirePar: false, requireDpop: false, idTokenAlg: 'RS256' },
}

/** What is given, and the defaults of the rest. */
function filled<T extends object>(
  defaults: T,
  given: { readonly [K in keyof T]?: T[K] | undefined },
): T {
  const own = Object.entries(given).filter(
    ([name, value]) => value !== undefined && Object.hasOwn(defaults, name),
  )
  return { ...defaults, ...Object.fromEntries(own) }
}

/** The settings of options that were found to be right. */
export function settingsOf(
  options: OidcSettingsOptions,
  place: OidcPlace & { readonly pagesPath: string },
): OidcSettings {
  const { pagesPath, issuer, basePath } = place
  const { resources = [], scopes = {} } = options
  const { client: ofClients, lifetimes, ...ofServer } = oidcDefaults
  const client = (given: OidcClient): [string, ClientSettings] => {
    const { clientSecret: secrets = [], ...rest } = given
    const settings: ClientSettings = {
      ...rest,
      ...filled(ofClients, given),
      secrets: typeof secrets === 'string' ? [secrets] : secrets,
      redirectUris: given.redirectUris ?? [],
      postLogoutRedirectUris: given.postLogoutRedirectUris ?? [],
      grantTypes: given.grantTypes ?? defaultGrantTypes(given.type, options),
      resources: given.resources ?? [],
    }
    return [given.clientId, settings]
  }
  return {
    ...filled(ofServer, options),
    issuer,
    basePath,
    clients: new Map(options.clients.map(client)),
    signInPath: options.signInPath ?? `${pagesPath}/login`,
    signUpPath: options.signUpPath ?? options.signInPath ?? `${pagesPath}/signup`,
    resources: new Map(resources.map((resource) => [resource.identifier, resource])),
    scopes: new Map(Object.entries(scopes)),
    claims: options.claims,
    lifetimes: filled(lifetimes, options.lifetimes ?? {}),
  }
}
