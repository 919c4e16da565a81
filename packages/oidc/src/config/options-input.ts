import type { AuthContext } from '@gatehouse/core'
import {
  type Decode,
  decodeInput,
  exactly,
  filledText,
  flag,
  functionLike,
  lineOfText,
  listOf,
  objectOf,
  oneOf,
  optional,
  rawText,
  recordOf,
  refuse,
  refuseShown,
  wholeFrom,
} from '@gatehouse/core/input'
import { addressProblem, issuerProblem, isUnencrypted, redirectProblem } from './check-uris.ts'
import {
  type OidcClient,
  type OidcLifetimes,
  type OidcOptions,
  type OidcResource,
  type OidcScope,
  type OidcSettingsOptions,
  type OidcText,
  oidcChoices,
} from './options.ts'
import {
  deviceGrant,
  isStandardScope,
  type OidcSettings,
  oidcDefaults,
  settingsOf,
  standardScopes,
} from './settings.ts'

const maxClients = 1_000
const maxUris = 100
const maxScopes = 200
const maxResources = 100
const maxSecrets = 4

/** Accepts a list of different items. */
const fewOf =
  <T>(most: number, decode: Decode<T>): Decode<T[]> =>
  (value) => {
    const items = listOf(decode)(value)
    if (items.length > most) return refuse(`a list of at most ${most}`, value)
    return new Set(items).size === items.length
      ? items
      : refuse('a list without repetitions', value)
  }

/** Accepts texts that follow a rule, which says what was expected. */
const textBy =
  (problemOf: (text: string) => string | undefined): Decode<string> =>
  (value) => {
    const expected = problemOf(rawText(value))
    return expected === undefined ? rawText(value) : refuseShown(expected, value)
  }

const matching = (pattern: RegExp, expected: string): Decode<string> =>
  textBy((text) => (pattern.test(text) ? undefined : expected))

const name = lineOfText(100)
const text: Decode<OidcText> = (value) =>
  typeof value === 'string' ? lineOfText(300)(value) : recordOf(lineOfText(300))(value)

/** @see RFC 6749, section 3.3 */
const scopeName = matching(
  /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/,
  '1 to 128 visible ASCII characters without quotes and backslashes',
)
const clientId = textBy((id) => {
  if (!/^[\x21-\x7e]{1,128}$/.test(id)) return '1 to 128 visible ASCII characters'
  return /^https?:/i.test(id) ? 'an id that is not a URL' : undefined
})
const address = textBy(addressProblem)

/** A secret is never shown. */
const secret: Decode<string> = (value) =>
  /^[\x21-\x7e]{24,512}$/.test(rawText(value))
    ? rawText(value)
    : refuse('24 to 512 visible ASCII characters', value)

const secrets: Decode<string | readonly string[]> = (value) => {
  if (typeof value === 'string') return secret(value)
  const given = fewOf(maxSecrets, secret)(value)
  return given.length > 0 ? given : refuse('at least one secret', value)
}

const clientFields = exactly<OidcClient>({
  clientId,
  name,
  type: oneOf(oidcChoices.type),
  clientSecret: optional(secrets),
  redirectUris: optional(fewOf(maxUris, rawText)),
  postLogoutRedirectUris: optional(fewOf(maxUris, rawText)),
  scopes: optional(fewOf(maxScopes, scopeName)),
  consent: optional(oneOf(oidcChoices.consent)),
  grantTypes: optional(fewOf(oidcChoices.grantTypes.length, oneOf(oidcChoices.grantTypes))),
  resources: optional(fewOf(maxResources, filledText)),
  backchannelLogoutUri: optional(address),
  logoUri: optional(address),
  uri: optional(address),
  policyUri: optional(address),
  tosUri: optional(address),
  requirePar: optional(flag),
  requireDpop: optional(flag),
  idTokenAlg: optional(oneOf(oidcChoices.idTokenAlg)),
})

/** A client, with the rules that follow from its type. */
const client: Decode<OidcClient> = (value) => {
  const given = clientFields(value)
  const { type, redirectUris = [], postLogoutRedirectUris = [], grantTypes: grants } = given
  within('grantTypes', () => checkGrants(given))
  const uris = listOf(textBy((uri) => redirectProblem(uri, type)))
  within('redirectUris', () => uris(redirectUris))
  within('postLogoutRedirectUris', () => uris(postLogoutRedirectUris))
  const usesCode = type !== 'service' && (grants?.includes('authorization_code') ?? true)
  within('redirectUris', () => {
    if (usesCode && redirectUris.length === 0) refuse('at least one address', redirectUris)
    if (!usesCode && redirectUris.length > 0)
      refuse('none: it sends nobody to sign in', redirectUris)
  })
  const keepsSecret = type === 'web' || type === 'service'
  within('clientSecret', () => {
    const { clientSecret } = given
    if (keepsSecret && clientSecret === undefined)
      refuse(`a secret, which "${type}" has`, clientSecret)
    if (!keepsSecret && clientSecret !== undefined) {
      refuse(`none: "${type}" cannot keep a secret`, clientSecret)
    }
  })
  return given
}

function checkGrants({ type, grantTypes: grants }: OidcClient): void {
  if (grants === undefined) return
  if (grants.length === 0) refuse('at least one', grants)
  const isForMachines = grants.includes('client_credentials')
  if (isForMachines && type !== 'service' && type !== 'web') {
    refuse(
      `others than client_credentials, which needs a secret that "${type}" cannot keep`,
      grants,
    )
  }
  if (type === 'service' && grants.some((grant) => grant !== 'client_credentials')) {
    refuse('only client_credentials for a "service"', grants)
  }
}

/** Adds a step to the path in the error of a check. */
function within(step: string, check: () => unknown): void {
  exactly<{ [name: string]: unknown }>({ [step]: check })({ [step]: undefined })
}

const resource = exactly<OidcResource>({
  identifier: textBy((uri) => {
    const isAbsolute = /^[a-z][a-z0-9+.-]*:[^\s#]+$/i.test(uri) && uri.length <= 512
    return isAbsolute ? undefined : 'an absolute URI without a fragment, of at most 512 characters'
  }),
  name: optional(text),
  scopes: fewOf(
    maxScopes,
    textBy((scope) => {
      scopeName(scope)
      return isStandardScope(scope) ? 'a name that is not one of the standard scopes' : undefined
    }),
  ),
  descriptions: optional(recordOf(text)),
  accessTokenSeconds: optional(wholeFrom(10, 86_400)),
})

/** Claims that tokens have by themselves. @see RFC 7519, section 4.1; OpenID Connect Core, section 2 */
const reservedClaims = new Set(
  'iss sub aud exp nbf iat jti nonce acr amr auth_time azp sid at_hash c_hash s_hash cnf act scope client_id'.split(
    ' ',
  ),
)

const scope = exactly<OidcScope>({
  claims: fewOf(
    maxScopes,
    textBy((claim) => {
      if (!/^[\x21-\x7e]{1,128}$/.test(claim)) return '1 to 128 visible ASCII characters'
      return reservedClaims.has(claim) ? 'a claim that tokens do not have by themselves' : undefined
    }),
  ),
  description: optional(text),
})

const scopes: Decode<Readonly<Record<string, OidcScope>>> = (value) => {
  const given = recordOf(scope)(value)
  for (const own of Object.keys(given)) {
    within(own, () => {
      scopeName(own)
      if (isStandardScope(own)) refuse('the name of a scope that is not a standard one', own)
    })
  }
  return given
}

const registration: Decode<OidcSettingsOptions['registration']> = (value) =>
  typeof value === 'string'
    ? oneOf(['off', 'open'])(value)
    : exactly<{ readonly initialAccessToken: string }>({ initialAccessToken: secret })(value)

const year = 366 * 86_400

const lifetimes = exactly<OidcLifetimes>({
  accessTokenSeconds: optional(wholeFrom(10, 86_400)),
  refreshTokenSeconds: optional(wholeFrom(60, 10 * year)),
  idTokenSeconds: optional(wholeFrom(10, 86_400)),
  codeSeconds: optional(wholeFrom(10, 600)),
  interactionSeconds: optional(wholeFrom(60, 86_400)),
  deviceCodeSeconds: optional(wholeFrom(60, 3_600)),
  grantSeconds: optional(wholeFrom(60, 10 * year)),
})

/** An option that is allowed, and may still be a mistake. */
export interface OidcWarning {
  /** As in the errors, such as `clients[0].redirectUris[1]`. */
  readonly path: string
  readonly message: string
}

/** Where the service is, by its configuration. */
export type OidcHost = Pick<AuthContext['config']['current']['http'], 'public_origin' | 'base_path'>

type AllOptions = Omit<OidcOptions, 'auth'>

const pathOfPage = matching(/^(?:\/[\w.~-]+)+$/, 'a path such as /oidc')

const decoderFor = (host: OidcHost): Decode<AllOptions> =>
  exactly<AllOptions>({
    issuer: optional(textBy((issuer) => issuerProblem(issuer, host.public_origin))),
    basePath: optional(pathOfPage),
    clients: listOf(client),
    signInPath: optional(pathOfPage),
    signUpPath: optional(pathOfPage),
    resources: optional(listOf(resource)),
    scopes: optional(scopes),
    claims: optional(functionLike('a function')),
    roleAttribute: optional(filledText),
    groupAttribute: optional(filledText),
    registration: optional(registration),
    clientIdMetadata: optional(flag),
    deviceFlow: optional(flag),
    lifetimes: optional(lifetimes),
  })

/**
 * Reads options: checks each by itself and against the others, and fills in the defaults.
 *
 * @throws {GatehouseError} `InvalidInput`, with the place as `path` in `info`.
 */
export function readSettings(options: AllOptions, host: OidcHost): OidcSettings {
  const decode = decoderFor(host)
  const given = decodeInput('options', (value) => checkedTogether(decode(value)), options)
  const { issuer = host.public_origin, basePath = oidcDefaults.basePath } = given
  decodeInput(
    'options',
    () =>
      within('issuer', () => {
        const expected = issuerProblem(issuer, host.public_origin)
        if (expected !== undefined) refuseShown(expected, issuer)
      }),
    undefined,
  )
  return settingsOf(given, { issuer, basePath, pagesPath: host.base_path })
}

function checkedTogether(given: AllOptions): AllOptions {
  const { clients, resources = [], scopes: own = {} } = given
  const identifiers = resources.map(({ identifier }) => identifier)
  within('clients', () => fewOf(maxClients, rawText)(clients.map(({ clientId: id }) => id)))
  within('resources', () => fewOf(maxResources, rawText)(identifiers))
  const allScopes = new Set([
    ...Object.keys(standardScopes),
    ...Object.keys(own),
    ...resources.flatMap((one) => one.scopes),
  ])
  const known = textBy((id) =>
    identifiers.includes(id) ? undefined : 'the identifier of one of the resources',
  )
  const declared = textBy((id) => (allScopes.has(id) ? undefined : 'a scope that is declared'))
  const grant = textBy((id) =>
    id === deviceGrant && given.deviceFlow !== true ? 'deviceFlow to be true for it' : undefined,
  )
  const references = objectOf<Pick<OidcClient, 'resources' | 'scopes'> & { grantTypes: string[] }>({
    resources: optional(listOf(known)),
    scopes: optional(listOf(declared)),
    grantTypes: optional(listOf(grant)),
  })
  within('clients', () => listOf(references)(clients))
  return given
}

/**
 * Checks options without starting anything, and returns what may be a mistake.
 *
 * @throws {GatehouseError} `InvalidInput`, with the place as `path` in `info`.
 */
export function checkOidcOptions(options: AllOptions, host: OidcHost): readonly OidcWarning[] {
  readSettings(options, host)
  return options.clients.flatMap(({ redirectUris = [], consent, type }, at) => [
    ...redirectUris.flatMap((uri, index) =>
      isUnencrypted(uri)
        ? [
            {
              path: `clients[${at}].redirectUris[${index}]`,
              message: 'codes are sent to it unencrypted: use https://',
            },
          ]
        : [],
    ),
    ...(type === 'native' && consent === 'never' && redirectUris.some(isOfAnyApp)
      ? [
          {
            path: `clients[${at}].consent`,
            message: 'another app on the device may pretend to be this one: let people be asked',
          },
        ]
      : []),
  ])
}

/** Whether every app on a device can take a redirect URI. @see RFC 8252, section 8.6 */
const isOfAnyApp = (uri: string): boolean => !uri.startsWith('https:')
