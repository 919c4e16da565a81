import * as z from 'zod/mini'
import {
  type ApiSchema,
  type ApiShape,
  described,
  instant,
  named,
  namedObject,
  text,
} from '../../http/api/schema.ts'
import { activityTypes } from './activity-types.ts'
import { camelShape } from './camel-case.ts'
import { authenticationName } from './flow-actions.ts'

const attributes = z.record(text, z.unknown())

const profile = {
  standard_attributes: described(attributes, 'Claims of OpenID Connect, as `given_name`.'),
  custom_attributes: attributes,
}

export const accountProfile: ApiSchema = namedObject(
  'AccountProfile',
  'The attributes of a user, as far as the user may see them.',
  profile,
)

const identified = {
  id: text,
  created_at: instant,
  updated_at: instant,
  email: z.optional(text),
  phone_number: z.optional(text),
  preferred_username: z.optional(text),
  is_verified: described(z.boolean(), 'Whether its address is verified.'),
}

export const identity: ApiSchema = named(
  'Identity',
  'Something by which a user is identified.',
  z.union([
    namedObject('LoginIdIdentity', 'An address or name that the user signs in with.', {
      type: z.literal('login_id'),
      login_id_type: z.enum(['email', 'phone', 'username']),
      login_id_key: text,
      original: described(text, 'As typed.'),
      normalized: text,
      ...identified,
    }),
    namedObject('ProviderIdentity', 'An account at an identity provider.', {
      type: z.literal('oauth'),
      provider_type: text,
      provider_alias: text,
      subject: text,
      claims: attributes,
      profile: described(z.optional(attributes), 'All claims as the provider sent them.'),
      ...identified,
    }),
    namedObject('AnonymousIdentity', 'The identity of an anonymous user.', {
      type: z.literal('anonymous'),
      ...identified,
    }),
    namedObject('CustomIdentity', 'An identity of a kind of the app.', {
      type: z.literal('custom'),
      identification: text,
      ...identified,
    }),
  ]),
)

export const authenticator: ApiSchema = namedObject(
  'AccountAuthenticator',
  'Something that a user authenticates with.',
  {
    id: text,
    type: z.enum(['password', 'oob_otp_email', 'oob_otp_sms', 'totp', 'passkey', 'custom']),
    kind: z.enum(['primary', 'secondary']),
    authentication: described(text, 'Its name in flows, as `secondary_totp`.'),
    created_at: instant,
    updated_at: instant,
    target: described(z.optional(text), 'Where codes go.'),
    display_name: described(z.optional(text), 'The name of an authenticator app or a passkey.'),
    expire_after: described(z.optional(instant), 'When a password must be changed.'),
  },
)

export const sessionMembers: ApiShape = {
  id: text,
  client_id: z.nullable(text),
  created_at: instant,
  authenticated_at: instant,
  last_accessed_at: instant,
  last_accessed_ip: z.nullable(text),
  last_accessed_user_agent: z.nullable(text),
  geo_location_code: described(z.optional(text), 'Where the last address is, as `NO`.'),
  expires_at: instant,
  amr: z.array(text),
  aal: z.int(),
  impersonated_by: described(z.optional(text), 'The operator who acts as the user in it.'),
}

const session = namedObject('AccountSession', 'A session of the user.', {
  ...sessionMembers,
  is_current: z.boolean(),
})

const changes = namedObject(
  'AvailableChanges',
  'The changes that a page can offer. Forbidden ones are refused anyway.',
  {
    add_identity: z.array(text),
    replace_identity: described(z.array(text), 'Ids of identities.'),
    verify_identity: described(z.array(text), 'Ids of identities.'),
    create_authenticator: z.array(text),
    change_password: z.array(z.enum(['primary', 'secondary'])),
    create_passkey: z.boolean(),
    create_recovery_codes: z.boolean(),
    api_keys: described(z.boolean(), 'Whether there are API keys, so that their list answers.'),
    delete_account: described(
      z.optional(z.object({ grace_period_days: z.int() })),
      'Absent if users cannot delete their accounts.',
    ),
  },
)

const accountMembers: ApiShape = {
  user: namedObject('AccountUser', 'The user, and their attributes.', {
    id: text,
    created_at: instant,
    updated_at: instant,
    last_login_at: z.nullable(instant),
    ...profile,
  }),
  identities: z.array(identity),
  authenticators: z.array(authenticator),
  recovery_codes: described(z.int(), 'How many are left.'),
  device_tokens: described(z.int(), 'How many devices are trusted.'),
  sessions: z.array(session),
}

export const account: ApiSchema = namedObject('Account', 'The account of the signed-in user.', {
  ...accountMembers,
  changes,
})

const appMembers = {
  client_id: text,
  name: described(text, 'The name of the app; its id if it has none.'),
  scopes: described(z.array(text), 'Empty for apps that need no consent.'),
  resources: described(
    z.array(z.object({ identifier: text, scopes: z.array(text) })),
    'The scopes of each API.',
  ),
  access: described(
    z.array(z.object({ api: z.optional(text), items: z.array(text) })),
    'All of this in words: of the account, without `api`, and of each API.',
  ),
  authorized_at: instant,
  last_used_at: described(instant, 'When it last began to sign the user in.'),
}

const authorizedApp = namedObject(
  'AuthorizedApp',
  'An app that the user has let in at the authorization server.',
  appMembers,
)

export const authorizedApps: ApiSchema = namedObject(
  'AuthorizedApps',
  'The apps that the user has let in, the last used first; none without an authorization server.',
  { items: z.array(authorizedApp) },
)

export const userApps: ApiSchema = namedObject(
  'UserApps',
  'The apps that a user has let in, the last used first; none without an authorization server.',
  {
    items: z.array(
      namedObject('UserApp', 'An app that a user has let in.', camelShape(appMembers)),
    ),
  },
)

const activity = z.array(
  namedObject('Activity', 'Something that happened to the account.', {
    id: text,
    at: instant,
    type: z.enum(activityTypes),
    triggered_by: described(
      z.enum(['user', 'system', 'admin_api']),
      '`admin_api`: the app did it. `system`: it was due.',
    ),
    ip_address: z.optional(text),
    geo_location_code: described(z.optional(text), 'A country, as ISO 3166-1 alpha-2.'),
    device: described(z.optional(text), 'As `Firefox on Windows`.'),
    about: described(z.optional(text), 'The address, name or provider it is about.'),
  }),
)

export const activityPage: ApiSchema = namedObject(
  'ActivityPage',
  'A page of what happened to the account, newest first.',
  {
    items: activity,
    next: described(z.optional(text), 'The `after` of the next page; absent at the end.'),
  },
)

export const accountExport: ApiSchema = namedObject(
  'AccountExport',
  'What the service knows of the user, without secrets.',
  { exported_at: instant, ...accountMembers, apps: z.array(authorizedApp), activity },
)

export const scheduledDeletion: ApiSchema = namedObject(
  'ScheduledDeletion',
  'The account will be deleted.',
  { delete_at: instant },
)

const yes = z.literal(true)
/** The limit is above the number of authenticators and attributes. */
const some = <S extends ApiSchema>(schema: S): ApiSchema =>
  z.array(schema).check(z.minLength(1), z.maxLength(100))

/** The changes by name. */
export const accountChanges: ApiShape = {
  add_identity: described(text, 'As `email` or `oauth`.'),
  replace_identity: described(text, 'The id of an identity.'),
  verify_identity: described(text, 'The id of an identity.'),
  create_authenticator: some(authenticationName),
  change_password: z.enum(['primary', 'secondary']),
  create_passkey: yes,
  create_recovery_codes: yes,
  fill_in_user_profile: described(some(text), 'Pointers, as `/given_name`.'),
}

export const accountChange: ApiSchema = named(
  'AccountChange',
  'A change of the account that needs a flow.',
  z.union(Object.entries(accountChanges).map(([name, schema]) => z.object({ [name]: schema }))),
)

export const profileChange: ApiSchema = namedObject('ProfileChange', 'A change of one attribute.', {
  pointer: described(text, 'As `/given_name`.'),
  value: described(z.optional(z.unknown()), 'Absent to erase the attribute.'),
})
