import * as z from 'zod'
import { authenticationName } from './flow-actions.ts'

const text: z.ZodString = z.string()
const instant = z.string().meta({ format: 'date-time' })
const attributes = z.record(text, z.unknown())

const profile = {
  standard_attributes: attributes.describe('Claims of OpenID Connect, as `given_name`.'),
  custom_attributes: attributes,
}

export const accountProfile: z.ZodType = z.object(profile).meta({
  id: 'AccountProfile',
  description: 'The attributes of a user, as far as the user may see them.',
})

const identified = {
  id: text,
  created_at: instant,
  updated_at: instant,
  email: text.optional(),
  phone_number: text.optional(),
  preferred_username: text.optional(),
  is_verified: z.boolean().describe('Whether its address is verified.'),
}

export const identity: z.ZodType = z
  .union([
    z
      .object({
        type: z.literal('login_id'),
        login_id_type: z.enum(['email', 'phone', 'username']),
        login_id_key: text,
        original: text.describe('As typed.'),
        normalized: text,
        ...identified,
      })
      .meta({
        id: 'LoginIdIdentity',
        description: 'An address or name that the user signs in with.',
      }),
    z
      .object({
        type: z.literal('oauth'),
        provider_type: text,
        provider_alias: text,
        subject: text,
        claims: attributes,
        profile: attributes.optional().describe('All claims as the provider sent them.'),
        ...identified,
      })
      .meta({ id: 'ProviderIdentity', description: 'An account at an identity provider.' }),
    z
      .object({ type: z.literal('anonymous'), ...identified })
      .meta({ id: 'AnonymousIdentity', description: 'The identity of an anonymous user.' }),
    z
      .object({ type: z.literal('custom'), identification: text, ...identified })
      .meta({ id: 'CustomIdentity', description: 'An identity of a kind of the app.' }),
  ])
  .meta({ id: 'Identity', description: 'Something by which a user is identified.' })

export const authenticator: z.ZodType = z
  .object({
    id: text,
    type: z.enum(['password', 'oob_otp_email', 'oob_otp_sms', 'totp', 'passkey', 'custom']),
    kind: z.enum(['primary', 'secondary']),
    authentication: text.describe('Its name in flows, as `secondary_totp`.'),
    created_at: instant,
    updated_at: instant,
    target: text.optional().describe('Where codes go.'),
    display_name: text.optional().describe('The name of an authenticator app or a passkey.'),
    expire_after: instant.optional().describe('When a password must be changed.'),
  })
  .meta({ id: 'AccountAuthenticator', description: 'Something that a user authenticates with.' })

export const sessionMembers: z.ZodRawShape = {
  id: text,
  client_id: text.nullable(),
  created_at: instant,
  authenticated_at: instant,
  last_accessed_at: instant,
  last_accessed_ip: text.nullable(),
  last_accessed_user_agent: text.nullable(),
  expires_at: instant,
  amr: z.array(text),
  aal: z.int(),
}

const session = z
  .object({ ...sessionMembers, is_current: z.boolean() })
  .meta({ id: 'AccountSession', description: 'A session of the user.' })

const changes = z
  .object({
    add_identity: z.array(text),
    replace_identity: z.array(text).describe('Ids of identities.'),
    verify_identity: z.array(text).describe('Ids of identities.'),
    create_authenticator: z.array(text),
    change_password: z.array(z.enum(['primary', 'secondary'])),
    create_passkey: z.boolean(),
    create_recovery_codes: z.boolean(),
  })
  .meta({
    id: 'AvailableChanges',
    description: 'The changes that a page can offer. Forbidden ones are refused anyway.',
  })

export const account: z.ZodType = z
  .object({
    user: z
      .object({
        id: text,
        created_at: instant,
        updated_at: instant,
        last_login_at: instant.nullable(),
        ...profile,
      })
      .meta({ id: 'AccountUser', description: 'The user, and their attributes.' }),
    identities: z.array(identity),
    authenticators: z.array(authenticator),
    recovery_codes: z.int().describe('How many are left.'),
    device_tokens: z.int().describe('How many devices are trusted.'),
    sessions: z.array(session),
    changes,
  })
  .meta({ id: 'Account', description: 'The account of the signed-in user.' })

const yes = z.literal(true)

export const accountChange: z.ZodType = z
  .union([
    z.object({ add_identity: text.describe('As `email` or `oauth`.') }),
    z.object({ replace_identity: text.describe('The id of an identity.') }),
    z.object({ verify_identity: text.describe('The id of an identity.') }),
    z.object({ create_authenticator: z.array(authenticationName).min(1) }),
    z.object({ change_password: z.enum(['primary', 'secondary']) }),
    z.object({ create_passkey: yes }),
    z.object({ create_recovery_codes: yes }),
    z.object({
      fill_in_user_profile: z.array(text).min(1).describe('Pointers, as `/given_name`.'),
    }),
  ])
  .meta({ id: 'AccountChange', description: 'A change of the account that needs a flow.' })

export const profileChange: z.ZodType = z
  .object({
    pointer: text.describe('As `/given_name`.'),
    value: z.unknown().optional().describe('Absent to erase the attribute.'),
  })
  .meta({ id: 'ProfileChange', description: 'A change of one attribute.' })
