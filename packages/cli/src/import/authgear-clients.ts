import { isRow, type Row, rowsOf, textOf } from './rows.ts'

/** A client of `authgear.yaml`, as an item of `auth.oidc.clients`. */
export interface ImportedClient {
  readonly settings: Readonly<Record<string, unknown>>
  /** What is different here. */
  readonly notes: readonly string[]
}

/** The section `oauth` of `authgear.yaml`, as the section `auth.oidc`. */
export interface ImportedClients {
  /** The settings of all clients. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly clients: readonly ImportedClient[]
  /** What is different here for all clients. */
  readonly notes: readonly string[]
}

/** The secrets of a client; `undefined` if they are not known. */
export type SecretsOf = (clientId: string) => readonly string[] | undefined

/** Where Authgear has its endpoints: those of the same name stay where apps look for them. */
const authgearPath = '/oauth2'

/** @see Authgear's documentation, `authgear.yaml`, section `oauth` */
export function clientsOfAuthgear(oauth: Row, secretsOf: SecretsOf): ImportedClients {
  const rows = rowsOf(oauth.clients)
  const { lifetimes, notesOf } = lifetimesOf(rows)
  const registration = registrationOf(oauth.dynamic_client_registration)
  return {
    settings: {
      base_path: authgearPath,
      ...registration.settings,
      ...(Object.keys(lifetimes).length === 0 ? {} : { lifetimes }),
    },
    clients: rows.map((row) => {
      const { settings, notes } = clientOf(row, secretsOf)
      return { settings, notes: [...notes, ...notesOf(row)] }
    }),
    notes: registration.notes,
  }
}

/** The kind that an application type is here. The first-party types are those of the owner of the project. */
const kinds: Readonly<Record<string, { readonly type: string; readonly notes?: string }>> = {
  spa: { type: 'spa' },
  traditional_webapp: {
    type: 'spa',
    notes: 'has no secret, as in Authgear; an app with a server is better as type: web, with one',
  },
  native: { type: 'native' },
  confidential: {
    type: 'web',
    notes:
      'if it asks for tokens of its own, grant_types needs client_credentials besides authorization_code and refresh_token',
  },
  third_party_app: { type: 'web' },
  m2m: { type: 'service' },
}

function clientOf(row: Row, secretsOf: SecretsOf): ImportedClient {
  const id = textOf(row.client_id) ?? ''
  const given = textOf(row.x_application_type) ?? textOf(row.application_type)
  const uris = listIn(row.redirect_uris)
  const kind = kinds[given ?? (uris.every(isWebAddress) ? 'spa' : 'native')]
  const isThirdParty = given === 'third_party_app'
  const hasSecret = kind?.type === 'web' || kind?.type === 'service'
  const isService = kind?.type === 'service'
  const logouts = listIn(row.post_logout_redirect_uris)
  return {
    settings: {
      client_id: id,
      name: (isThirdParty ? textOf(row.client_name) : undefined) ?? textOf(row.name) ?? id,
      // An unknown type stays as it is, and is refused.
      type: kind?.type ?? given,
      ...(hasSecret ? { client_secret: secretOf(id, secretsOf) } : {}),
      ...(isService || uris.length === 0 ? {} : { redirect_uris: uris }),
      ...(isService || logouts.length === 0 ? {} : { post_logout_redirect_uris: logouts }),
      ...(isThirdParty || isService ? {} : { consent: 'never' }),
      ...addressesOf(row),
    },
    notes: [...(kind?.notes === undefined ? [] : [kind.notes]), ...differences(row, given)],
  }
}

const listIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.flatMap((one) => textOf(one) ?? []) : []

const isWebAddress = (uri: string): boolean => /^https?:/i.test(uri)

function secretOf(id: string, secretsOf: SecretsOf): string | readonly string[] {
  const [only, ...others] = secretsOf(id) ?? []
  if (only === undefined) {
    return `\${env:SECRET_OF_${id.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}}`
  }
  // A text with a reference stands for another one.
  const escaped = [only, ...others].map((secret) => secret.replaceAll('${', () => '$${'))
  return others.length === 0 ? (escaped[0] ?? '') : escaped
}

/** The keys with addresses, by their names here. */
const addresses = {
  uri: 'client_uri',
  logo_uri: 'logo_uri',
  policy_uri: 'policy_uri',
  tos_uri: 'tos_uri',
}

function addressesOf(row: Row): Readonly<Record<string, string>> {
  const found = Object.entries(addresses).flatMap(([here, there]) => {
    const address = textOf(row[there])
    return address === undefined ? [] : [[here, address]]
  })
  return Object.fromEntries(found)
}

/** Keys that have no effect here, and what that means. */
const withoutEffect: Readonly<Record<string, string>> = {
  x_custom_ui_uri: 'is left out: sign_in_path names pages of your own, for all clients',
  custom_ui_uri: 'is left out: sign_in_path names pages of your own, for all clients',
  x_app2app_enabled: 'is left out',
  x_pre_authenticated_url_enabled: 'is left out',
  x_app_initiated_sso_to_web_enabled: 'is left out',
  x_replace_project_logo_with_logo_uri: 'is left out: the logo is on the consent page',
  x_dpop_disabled: 'is left out: a client that sends a proof gets bound tokens',
}

const standardGrants = ['authorization_code', 'refresh_token', 'client_credentials']

function differences(row: Row, given: string | undefined): readonly string[] {
  const idle = Object.entries(withoutEffect).flatMap(([key, meaning]) =>
    row[key] === undefined || row[key] === false ? [] : [`${key} ${meaning}`],
  )
  const grants = listIn(row.grant_types).filter((grant) => !standardGrants.includes(grant))
  const responses = listIn(row.response_types).filter((response) => response !== 'code')
  const isJwt = row.issue_jwt_access_token === true || given === 'm2m'
  return [
    ...idle,
    ...grants.map((grant) => `the grant type ${grant} is left out`),
    ...responses.map((response) => `the response type ${response} is left out`),
    ...(isJwt
      ? ['its access tokens are JWTs for an API of resources, if it sends that as resource']
      : []),
    ...(row.refresh_token_rotation_enabled === false
      ? ['each use of a refresh token gives a new one here']
      : []),
  ]
}

interface Lifetimes {
  /** By the key of `auth.oidc.lifetimes`. */
  readonly lifetimes: Readonly<Record<string, string>>
  notesOf(row: Row): readonly string[]
}

/** The lengths of time that a client sets, in seconds, by the key of `auth.oidc.lifetimes`. */
function timesOf(row: Row): ReadonlyMap<string, number> {
  const secondsIn = (key: string): number | undefined =>
    typeof row[key] === 'number' && row[key] > 0 ? row[key] : undefined
  const whole = secondsIn('refresh_token_lifetime_seconds')
  const idle = secondsIn('refresh_token_idle_timeout_seconds')
  const isIdle = row.refresh_token_idle_timeout_enabled !== false
  const times = [
    ['access_token', secondsIn('access_token_lifetime_seconds')],
    // A refresh token that is not used in time ends the same way as one of Authgear that is idle.
    ['refresh_token', isIdle ? idle : whole],
    ['grant', whole],
  ] as const
  return new Map(times.flatMap(([key, time]) => (time === undefined ? [] : [[key, time]])))
}

/** Lifetimes are the same for all clients here: the shortest ones count. */
function lifetimesOf(rows: readonly Row[]): Lifetimes {
  const all = rows.map(timesOf)
  const shortest = new Map<string, number>()
  for (const times of all) {
    for (const [key, time] of times) {
      shortest.set(key, Math.min(time, shortest.get(key) ?? time))
    }
  }
  const lifetimes = [...shortest].map(([key, time]) => [key, `${time}s`])
  return {
    lifetimes: Object.fromEntries(lifetimes),
    notesOf: (row) =>
      [...timesOf(row)].flatMap(([key, time]) => {
        const counts = shortest.get(key)
        if (counts === time) return []
        return [`lifetimes.${key} is ${counts}s for all clients, not ${time}s`]
      }),
  }
}

interface Registration {
  readonly settings: Readonly<Record<string, unknown>>
  readonly notes: readonly string[]
}

function registrationOf(section: unknown): Registration {
  if (!isRow(section) || section.enabled !== true) return { settings: {}, notes: [] }
  if (section.initial_access_token_required === false) {
    return { settings: { registration: 'open' }, notes: [] }
  }
  return {
    settings: { registration: { initial_access_token: `\${env:REGISTRATION_TOKEN}` } },
    notes: ['apps that register themselves send one token, of at least 24 characters'],
  }
}

/** The secrets of clients in the content of an `authgear.secrets.yaml`: the texts of JSON Web Keys. @see RFC 7518, section 6.4 */
export function secretsOfAuthgear(content: unknown): SecretsOf {
  const secrets = rowsOf(isRow(content) ? content.secrets : [])
  const items = secrets.flatMap(({ data }) => rowsOf(isRow(data) ? data.items : []))
  const byClient = new Map(
    items.map((item) => [
      textOf(item.client_id),
      rowsOf(item.keys).flatMap(({ k }) =>
        typeof k === 'string' ? [Buffer.from(k, 'base64url').toString()] : [],
      ),
    ]),
  )
  return (clientId) => byClient.get(clientId)
}
