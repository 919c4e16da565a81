import * as z from 'zod'
import { authenticator, identity, sessionMembers } from './account.ts'
import { camelCased, camelShape } from './camel-case.ts'

const text: z.ZodString = z.string()
const instant = z.string().meta({ format: 'date-time' })
const attributes = z.record(text, z.unknown())

const user = z
  .object({
    id: text,
    createdAt: instant,
    updatedAt: instant,
    lastLoginAt: instant.nullable(),
    isDisabled: z.boolean(),
    disableReason: text.nullable(),
    deleteAt: instant.nullable(),
    isAnonymized: z.boolean(),
    anonymizeAt: instant.nullable(),
    accountValidFrom: instant.nullable(),
    accountValidUntil: instant.nullable(),
    standardAttributes: attributes.describe('Claims of OpenID Connect, as `given_name`.'),
    customAttributes: attributes,
  })
  .meta({ id: 'User', description: 'A user as operators see it.' })

export const usersPage: z.ZodType = z
  .object({
    items: z.array(user),
    next: text.optional().describe('The `after` of the next page; absent at the end.'),
  })
  .meta({ id: 'UsersPage', description: 'A page of users.' })

const lockout = z
  .object({
    attempts: z.int().describe('How many failed.'),
    lockoutType: z.enum(['per_user', 'per_user_per_ip']).nullable(),
    lockedUntil: instant.nullable(),
    addresses: z
      .array(z.object({ ip: text, lockedUntil: instant }))
      .describe('The locked addresses; empty if the whole account is locked.'),
  })
  .meta({ id: 'Lockout', description: 'The failed attempts against a user.' })

export const userAccount: z.ZodType = z
  .object({
    user,
    isVerified: z.boolean(),
    identities: z.array(camelCased(identity)),
    authenticators: z.array(camelCased(authenticator)),
    recoveryCodes: z.int().describe('How many are left.'),
    deviceTokens: z.int().describe('How many devices are trusted.'),
    sessions: z.array(
      z
        .object({
          ...camelShape(sessionMembers),
          geoLocationCode: text.optional().describe('Where the last address is, as `NO`.'),
        })
        .meta({ id: 'UserSession', description: 'A session of a user.' }),
    ),
    lockout,
  })
  .meta({ id: 'UserAccount', description: 'All that operators see of a user.' })

export const auditedEvents: z.ZodType = z
  .object({
    items: z.array(
      z
        .object({
          id: text,
          at: instant,
          type: text.describe('As `user.authenticated`.'),
          userId: text.optional(),
          triggeredBy: z.enum(['user', 'system', 'admin_api']),
          clientId: text.optional(),
          ipAddress: text.optional(),
          userAgent: text.optional(),
          geoLocationCode: text.optional(),
          authenticationFlow: z.object({ type: text, name: text }).optional(),
          payload: z.record(text, z.unknown()),
        })
        .meta({ id: 'AuditedEvent', description: 'An event of the audit log.' }),
    ),
    next: text.optional().describe('The `after` of the next page; absent at the end.'),
  })
  .meta({ id: 'AuditedEvents', description: 'A page of events, newest first.' })

const passwordHash = z
  .object({
    type: z.enum(['bcrypt', 'scrypt', 'argon2', 'pbkdf2']),
    password_hash: text,
    set_at: instant.optional(),
    expire_after: instant.optional(),
  })
  .meta({ id: 'PasswordHash', description: 'The hash of a password of another system.' })

const userMembers = {
  id: text.optional().describe('At most 64 letters, digits, `-` and `_` (default: a new one).'),
  created_at: instant.optional(),
  last_login_at: instant.optional(),
  email: text.optional(),
  email_verified: z.boolean().optional(),
  phone_number: text.optional(),
  phone_number_verified: z.boolean().optional(),
  preferred_username: text.optional(),
  identities: z.array(attributes).optional(),
  passkeys: z.array(attributes).optional(),
  mfa: z
    .object({
      email: text.optional(),
      phone_number: text.optional(),
      password: passwordHash.optional(),
      totp: z.object({ secret: text, display_name: text.optional() }).optional(),
      recovery_codes: z.array(text).optional(),
    })
    .optional(),
  disabled: z.boolean().optional(),
  disable_reason: text.optional(),
  account_valid_from: instant.optional(),
  account_valid_until: instant.optional(),
  standard_attributes: attributes.optional(),
  custom_attributes: attributes.optional(),
}

export const newUser: z.ZodType = z
  .object(camelShape({ ...userMembers, password: z.union([text, passwordHash]).optional() }))
  .meta({ id: 'NewUser', description: 'A user to create, with at least one login ID.' })

export const importedUsers: z.ZodType = z.object({
  users: z
    .array(
      z
        .object({ ...userMembers, password: passwordHash.optional() })
        .meta({ id: 'ImportedUser', description: 'A user as exported from another system.' }),
    )
    .max(1_000),
})

export const createdUser: z.ZodType = z.object({ id: text })

export const disabling: z.ZodType = z.object({
  reason: text.optional().describe('Shown to the user at login.'),
})

export const importOutcomes: z.ZodType = z.object({
  items: z.array(
    z
      .union([
        z.object({ outcome: z.literal('inserted'), userId: text }),
        z.object({
          outcome: z.literal('failed'),
          error: z.object({ reason: text, message: text, info: attributes }),
        }),
      ])
      .meta({ id: 'ImportOutcome', description: 'The outcome of a record.' }),
  ),
})
