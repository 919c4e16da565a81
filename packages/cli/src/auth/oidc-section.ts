import {
  built,
  choice,
  duration,
  filledText,
  flag,
  isMapping,
  listOf,
  mapOf,
  mapping,
  oneOf,
  optional,
  required,
  type Schema,
  secretText,
  shortDuration,
  withDefault,
} from '@gatehouse/core/document'
import {
  type OidcClient,
  type OidcOptions,
  type OidcResource,
  type OidcScope,
  type OidcText,
  oidcDefaults,
  standardScopes,
} from '@gatehouse/oidc'
import { filledOutsideText } from '../config/kinds.ts'
import { oidcClient } from './oidc-client.ts'

/** The section `oidc`, as options of the authorization server. */
export type OidcSection = Omit<OidcOptions, 'auth' | 'claims'>

const texts = listOf(filledText)

const byLanguage = built(mapOf(filledText, filledText), (given) => Object.fromEntries(given))
/** A text, or one for each language. */
const peopleText: Schema<OidcText> = choice<OidcText>([filledText, byLanguage], (given) =>
  isMapping(given) ? byLanguage : filledText,
)

const seconds = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : ms / 1_000

const lifetime = duration({ isAge: true })

/** A lifetime whose default is that of the authorization server. */
const lifetimeOf = (
  name: keyof typeof oidcDefaults.lifetimes,
  description: string,
): Schema<number | undefined> =>
  optional(lifetime, description, shortDuration(oidcDefaults.lifetimes[name] * 1_000))

interface ResourceSection {
  readonly identifier: string
  readonly name: OidcText | undefined
  readonly scopes: readonly string[]
  readonly descriptions: ReadonlyMap<string, OidcText>
  /** In ms. */
  readonly access_token_lifetime: number | undefined
}

const resource: Schema<OidcResource> = built(
  mapping<ResourceSection>(
    {
      identifier: required(
        filledOutsideText,
        'A URI, which apps send as `resource` and the API finds in `aud`.',
      ),
      name: optional(
        peopleText,
        'Its name on the consent page: a text, or a mapping with one for each language. Default: `identifier`.',
      ),
      scopes: required(texts, 'What apps may ask for at the API.'),
      descriptions: withDefault(
        mapOf(filledText, peopleText),
        {},
        'What each scope allows, in words for the consent page. Default: the name of the scope.',
      ),
      access_token_lifetime: optional(
        lifetime,
        'How long its access tokens are valid. Default: `lifetimes.access_token`.',
      ),
    },
    { title: 'OidcResource' },
  ),
  ({ access_token_lifetime: accessToken, descriptions, ...rest }): OidcResource => ({
    ...rest,
    descriptions: Object.fromEntries(descriptions),
    accessTokenSeconds: seconds(accessToken),
  }),
)

const scope: Schema<OidcScope> = mapping<OidcScope>(
  {
    claims: required(
      texts,
      'The claims that it gives: names of standard attributes, or of custom ones.',
    ),
    description: optional(
      peopleText,
      'What it allows, in words for the consent page: a text, or a mapping with one for each language. Default: its name.',
    ),
  },
  { title: 'OidcScope' },
)

const tokenOnly = built(
  mapping<{ readonly initial_access_token: string }>(
    { initial_access_token: required(secretText, 'The token that apps must send.') },
    { title: 'OidcRegistration' },
  ),
  ({ initial_access_token: initialAccessToken }) => ({ initialAccessToken }),
)
const registrationWord = oneOf('off', 'open')
type Registration = NonNullable<OidcOptions['registration']>
const registration: Schema<Registration> = choice<Registration>(
  [registrationWord, tokenOnly],
  (given) => (isMapping(given) ? tokenOnly : registrationWord),
)

/** In ms. */
interface LifetimesSection {
  readonly access_token: number | undefined
  readonly refresh_token: number | undefined
  readonly id_token: number | undefined
  readonly code: number | undefined
  readonly interaction: number | undefined
  readonly device_code: number | undefined
  readonly grant: number | undefined
}

const lifetimes: Schema<NonNullable<OidcOptions['lifetimes']>> = built(
  mapping<LifetimesSection>(
    {
      access_token: lifetimeOf('accessTokenSeconds', 'Of access tokens.'),
      refresh_token: lifetimeOf(
        'refreshTokenSeconds',
        'Of each refresh token; each use gives a new one.',
      ),
      id_token: lifetimeOf('idTokenSeconds', 'Of ID tokens.'),
      code: lifetimeOf('codeSeconds', 'Of authorization codes.'),
      interaction: lifetimeOf('interactionSeconds', 'How long people have to sign in and consent.'),
      device_code: lifetimeOf(
        'deviceCodeSeconds',
        'How long people have to enter the code of a device.',
      ),
      grant: lifetimeOf(
        'grantSeconds',
        'When an app must ask again, even if it has used its refresh tokens.',
      ),
    },
    { title: 'OidcLifetimes' },
  ),
  (given) => ({
    accessTokenSeconds: seconds(given.access_token),
    refreshTokenSeconds: seconds(given.refresh_token),
    idTokenSeconds: seconds(given.id_token),
    codeSeconds: seconds(given.code),
    interactionSeconds: seconds(given.interaction),
    deviceCodeSeconds: seconds(given.device_code),
    grantSeconds: seconds(given.grant),
  }),
)

/** Names as a sentence has them. */
const namesOf = (named: object): string =>
  new Intl.ListFormat('en-GB').format(Object.keys(named).map((name) => `\`${name}\``))

interface WrittenSection {
  readonly issuer: string | undefined
  readonly base_path: string | undefined
  readonly sign_in_path: string | undefined
  readonly sign_up_path: string | undefined
  readonly clients: readonly OidcClient[]
  readonly resources: readonly OidcResource[]
  readonly scopes: ReadonlyMap<string, OidcScope>
  readonly role_attribute: string | undefined
  readonly group_attribute: string | undefined
  readonly registration: Registration | undefined
  readonly client_id_metadata: boolean | undefined
  readonly device_flow: boolean | undefined
  readonly lifetimes: OidcOptions['lifetimes']
}

/** The schema of the section `oidc`. The options themselves check what values mean: see `oidc-problems.ts`. */
export const oidcSection: Schema<OidcSection> = built(
  mapping<WrittenSection>(
    {
      issuer: optional(
        filledOutsideText,
        'The issuer: `http.public_origin` of the document, or a URL below it. A change takes effect at the next start. Default: `http.public_origin`.',
      ),
      base_path: optional(
        filledText,
        'Where the endpoints are. A change takes effect at the next start.',
        oidcDefaults.basePath,
      ),
      sign_in_path: optional(filledText, 'The page to sign in. Default: the one of `pages`.'),
      sign_up_path: optional(
        filledText,
        'The page to sign up, for `prompt=create`. Default: `sign_in_path`, else the one of `pages`.',
      ),
      clients: withDefault(listOf(oidcClient), [], 'The [apps](#clients).'),
      resources: withDefault(
        listOf(resource),
        [],
        'The [APIs](#apis-and-scopes) that access tokens may be for.',
      ),
      scopes: withDefault(
        mapOf(filledText, scope),
        {},
        `Scopes of your own, by name, beside ${namesOf(standardScopes)}.`,
      ),
      role_attribute: optional(
        filledText,
        'The custom attribute that has the roles of users, for the scope `roles`.',
        oidcDefaults.roleAttribute,
      ),
      group_attribute: optional(
        filledText,
        'The custom attribute that has the groups of users, for the scope `groups`.',
        oidcDefaults.groupAttribute,
      ),
      registration: optional(
        registration,
        'Whether apps may register themselves: `off`, `open` for any app, or `{ initial_access_token: … }` for those who send it.',
        oidcDefaults.registration,
      ),
      client_id_metadata: optional(
        flag,
        'Whether the id of an app may be the URL of a document about it, as MCP clients have one.',
        oidcDefaults.clientIdMetadata,
      ),
      device_flow: optional(
        flag,
        'Whether devices without a browser may ask people for a code.',
        oidcDefaults.deviceFlow,
      ),
      lifetimes: withDefault(lifetimes, {}, 'How long what apps get is valid.'),
    },
    { title: 'AuthOidc' },
  ),
  ({ scopes, ...given }): OidcSection => ({
    issuer: given.issuer,
    basePath: given.base_path,
    signInPath: given.sign_in_path,
    signUpPath: given.sign_up_path,
    clients: given.clients,
    resources: given.resources,
    scopes: Object.fromEntries(scopes),
    roleAttribute: given.role_attribute,
    groupAttribute: given.group_attribute,
    registration: given.registration,
    clientIdMetadata: given.client_id_metadata,
    deviceFlow: given.device_flow,
    lifetimes: given.lifetimes,
  }),
)
