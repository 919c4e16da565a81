import { type Action, actions } from '@gatehouse/core/adapter'
import {
  built,
  checked,
  choice,
  filledListOf,
  filledText,
  keyOf,
  listOf,
  mapOf,
  mapping,
  oneOf,
  optional,
  required,
  type Schema,
  secretText,
  withDefault,
} from '@gatehouse/core/document'

/** A role of the section `access`. */
export interface RoleSection {
  readonly actions: readonly Action[]
  /** Matchers as text; `undefined`: all silences. */
  readonly silences: readonly string[] | undefined
  /** Ids; `undefined`: all webhooks. */
  readonly webhooks: readonly string[] | undefined
}

/** A bearer token and its roles. */
export interface TokenSection {
  /** The token, or its digest as `sha256:HEX`. */
  readonly token: string
  readonly roles: readonly string[]
}

type RolesByName = ReadonlyMap<string, readonly string[]>

/** The section `access`: who may do what. */
export interface AccessSection {
  readonly roles: ReadonlyMap<string, RoleSection>
  readonly users: RolesByName
  readonly tokens: ReadonlyMap<string, TokenSection>
  readonly certificates: RolesByName
  readonly sessions: RolesByName
  readonly session_attribute: string | undefined
  /** By scope. */
  readonly api_keys: RolesByName
  readonly anonymous: readonly string[]
}

const all = Object.keys(actions) as Action[]

/** Whether an action only reads. */
export const isSeen = (action: Action): boolean => action.endsWith(':read')
const mayEdit: readonly Action[] = [
  'alerts:post',
  'alerts:acknowledge',
  'silences:write',
  'silences:write-others',
  'receivers:test',
]

const role = (allowed: readonly Action[]): RoleSection => ({
  actions: allowed,
  silences: undefined,
  webhooks: undefined,
})

/** The roles that need no definition. */
export const builtInRoles: ReadonlyMap<string, RoleSection> = new Map([
  ['viewer', role(all.filter(isSeen))],
  ['editor', role(all.filter((action) => isSeen(action) || mayEdit.includes(action)))],
  ['admin', role(all)],
])

const name = keyOf((written, report) => {
  if (written === '<<') return report('unknown_key', 'YAML 1.2 has no merge keys')
  return written.trim() === '' ? report('empty', 'must not be empty') : written
})

const manyNames = listOf(filledText)
const oneName = built(filledText, (only): readonly string[] => [only])

/** The name of a role, or a list of names. */
const roleNames: Schema<readonly string[]> = choice([oneName, manyNames], (given) =>
  Array.isArray(given) ? manyNames : oneName,
)

const roleSection: Schema<RoleSection> = mapping<RoleSection>(
  {
    actions: required(filledListOf(oneOf(...all)), 'The [actions](authorization.md#actions).'),
    silences: optional(
      filledListOf(filledText),
      'Matchers such as `team="db"`: `silences:write` and `silences:write-others` reach only silences that certainly stay within all of them. Default: all silences.',
    ),
    webhooks: optional(
      filledListOf(filledText),
      'Ids of webhooks: `webhooks:read`, `webhooks:run` and `webhooks:cancel` reach only these. Default: all webhooks.',
    ),
  },
  { title: 'Role' },
)

const leastLength = 16

const accessToken: Schema<string> = built(secretText, (token, report) =>
  token.length < leastLength
    ? report('out_of_range', `must have at least ${leastLength} characters`)
    : token,
)

const tokenSection: Schema<TokenSection> = mapping<TokenSection>(
  {
    token: required(
      accessToken,
      `The token, better as \`sha256:\` and the hex digits of its SHA-256, as \`\${env:NAME}\` or as \`{ file: PATH }\`.`,
    ),
    roles: required(roleNames, 'Its roles.'),
  },
  { title: 'AccessToken' },
)

const parts = mapping<AccessSection>(
  {
    roles: withDefault(
      mapOf(name, roleSection),
      {},
      'Roles besides `viewer`, `editor` and `admin`, by name.',
    ),
    users: withDefault(
      mapOf(name, roleNames),
      {},
      'A role, or a list of roles, for each user of `basic_auth_users` in the web configuration file.',
    ),
    tokens: withDefault(
      mapOf(name, tokenSection),
      {},
      'Bearer tokens, by the name that is recorded, such as `prometheus`.',
    ),
    certificates: withDefault(
      mapOf(name, roleNames),
      {},
      'Roles by the common name or an alternative name of a verified client certificate.',
    ),
    sessions: withDefault(
      mapOf(name, roleNames),
      {},
      'Roles of people who signed in to this server, by user id or verified address.',
    ),
    session_attribute: optional(
      filledText,
      'A custom attribute of users, such as `x_role`, that names the role of their sessions.',
    ),
    api_keys: withDefault(
      mapOf(name, roleNames),
      {},
      'Roles of [API keys](auth-sessions.md#api-keys) of this server, by their scopes. A key of a user has only those of them that the sessions of the user have.',
    ),
    anonymous: withDefault(
      roleNames,
      [],
      'Roles of requests whose sender is unknown, and of sessions besides their own. Default: none, so these requests get 401.',
    ),
  },
  { title: 'Access' },
)

/** The schema of the section. */
export const accessSection: Schema<AccessSection> = checked(
  parts,
  ({
    value: { roles, users, tokens, certificates, sessions, api_keys, anonymous },
    report,
    reportKey,
  }) => {
    const check = (
      names: readonly (string | undefined)[] | undefined,
      ...path: readonly string[]
    ): void => {
      for (const one of names ?? []) {
        if (one === undefined || builtInRoles.has(one) || roles?.has(one)) continue
        report(path, 'out_of_range', `there is no role "${one}"`)
      }
    }
    for (const one of roles?.keys() ?? []) {
      if (builtInRoles.has(one)) reportKey(['roles', one], 'conflict', 'is a built-in role')
    }
    for (const [section, entries] of Object.entries({ users, certificates, sessions, api_keys })) {
      for (const [key, names] of entries ?? []) check(names, section, key)
    }
    for (const [key, token] of tokens ?? []) check(token.roles, 'tokens', key, 'roles')
    check(anonymous, 'anonymous')
  },
)
