import * as z from 'zod/mini'
import {
  type ApiSchema,
  checkedLater,
  described,
  instant,
  named,
  namedObject,
  text,
} from '../../http/api/schema.ts'
import { authenticator, identity, sessionMembers } from './account.ts'
import { camelCased, camelShape } from './camel-case.ts'

const attributes = z.record(text, z.unknown())

const user = namedObject('User', 'A user as operators see it.', {
  id: text,
  createdAt: instant,
  updatedAt: instant,
  lastLoginAt: z.nullable(instant),
  isDisabled: z.boolean(),
  disableReason: z.nullable(text),
  deleteAt: z.nullable(instant),
  isAnonymized: z.boolean(),
  anonymizeAt: z.nullable(instant),
  accountValidFrom: z.nullable(instant),
  accountValidUntil: z.nullable(instant),
  standardAttributes: described(attributes, 'Claims of OpenID Connect, as `given_name`.'),
  customAttributes: attributes,
})

export const usersPage: ApiSchema = namedObject('UsersPage', 'A page of users.', {
  items: z.array(user),
  next: described(z.optional(text), 'The `after` of the next page; absent at the end.'),
})

const lockout = namedObject('Lockout', 'The failed attempts against a user.', {
  attempts: described(z.int(), 'How many failed.'),
  lockoutType: z.nullable(z.enum(['per_user', 'per_user_per_ip'])),
  lockedUntil: z.nullable(instant),
  addresses: described(
    z.array(z.object({ ip: text, lockedUntil: instant })),
    'The locked addresses; empty if the whole account is locked.',
  ),
})

export const userAccount: ApiSchema = namedObject(
  'UserAccount',
  'All that operators see of a user.',
  {
    user,
    isVerified: z.boolean(),
    identities: z.array(camelCased(identity)),
    authenticators: z.array(camelCased(authenticator)),
    recoveryCodes: described(z.int(), 'How many are left.'),
    deviceTokens: described(z.int(), 'How many devices are trusted.'),
    sessions: z.array(
      namedObject('UserSession', 'A session of a user.', {
        ...camelShape(sessionMembers),
      }),
    ),
    lockout,
  },
)

export const auditedEvents: ApiSchema = namedObject(
  'AuditedEvents',
  'A page of events, newest first.',
  {
    items: z.array(
      namedObject('AuditedEvent', 'An event of the audit log.', {
        id: text,
        at: instant,
        type: described(text, 'As `user.authenticated`.'),
        userId: z.optional(text),
        triggeredBy: z.enum(['user', 'system', 'admin_api']),
        operator: described(z.optional(text), 'Who did it over HTTP, by the id of the subject.'),
        clientId: z.optional(text),
        ipAddress: z.optional(text),
        userAgent: z.optional(text),
        geoLocationCode: z.optional(text),
        authenticationFlow: z.optional(z.object({ type: text, name: text })),
        payload: z.record(text, z.unknown()),
      }),
    ),
    next: described(z.optional(text), 'The `after` of the next page; absent at the end.'),
  },
)

const passwordHash = namedObject('PasswordHash', 'The hash of a password of another system.', {
  type: z.enum(['bcrypt', 'scrypt', 'argon2', 'pbkdf2']),
  password_hash: text,
  set_at: z.optional(instant),
  expire_after: z.optional(instant),
})

const userMembers = {
  id: described(z.optional(text), 'At most 64 letters, digits, `-` and `_` (default: a new one).'),
  created_at: z.optional(instant),
  last_login_at: z.optional(instant),
  email: z.optional(text),
  email_verified: z.optional(z.boolean()),
  phone_number: z.optional(text),
  phone_number_verified: z.optional(z.boolean()),
  preferred_username: z.optional(text),
  identities: z.optional(z.array(attributes)),
  passkeys: z.optional(z.array(attributes)),
  mfa: z.optional(
    z.object({
      email: z.optional(text),
      phone_number: z.optional(text),
      password: z.optional(passwordHash),
      totp: z.optional(z.object({ secret: text, display_name: z.optional(text) })),
      recovery_codes: z.optional(z.array(text)),
    }),
  ),
  disabled: z.optional(z.boolean()),
  disable_reason: z.optional(text),
  account_valid_from: z.optional(instant),
  account_valid_until: z.optional(instant),
  standard_attributes: z.optional(attributes),
  custom_attributes: z.optional(attributes),
}

export const newUser: ApiSchema = namedObject(
  'NewUser',
  'A user to create, with at least one login ID.',
  camelShape({ ...userMembers, password: z.optional(z.union([text, passwordHash])) }),
)

export const importedUsers: ApiSchema = z.object({
  users: z
    .array(
      // Each record is checked when it is imported.
      checkedLater(
        namedObject('ImportedUser', 'A user as exported from another system.', {
          ...userMembers,
          password: z.optional(passwordHash),
        }),
      ),
    )
    .check(z.maxLength(1_000)),
})

export const createdUser: ApiSchema = z.object({ id: text })

export const disabling: ApiSchema = z.object({
  reason: described(z.optional(text), 'Shown to the user at login.'),
})

const invitationMembers = {
  email: text,
  standardAttributes: described(attributes, 'What the profile of the new user begins with.'),
  customAttributes: described(attributes, 'As `x_role`, for roles.'),
}

export const invitation: ApiSchema = namedObject('Invitation', 'An invitation that is open.', {
  id: text,
  ...invitationMembers,
  createdAt: instant,
  expiresAt: instant,
  sentAt: described(z.nullable(instant), '`null`: the app sends the link itself.'),
  sentCount: described(z.int(), 'How many mails were sent.'),
  invitedBy: described(z.nullable(text), '`null`: the app.'),
  locale: described(z.nullable(text), 'The language of the mail; `null`: the usual one.'),
})

export const invitationsPage: ApiSchema = namedObject('InvitationsPage', 'A page of invitations.', {
  items: z.array(invitation),
  next: described(z.optional(text), 'The `after` of the next page; absent at the end.'),
})

export const newInvitation: ApiSchema = namedObject('NewInvitation', 'Whom to invite.', {
  email: text,
  standardAttributes: z.optional(invitationMembers.standardAttributes),
  customAttributes: z.optional(invitationMembers.customAttributes),
  expiresAt: described(z.optional(instant), 'Default: as the configuration says.'),
  locale: described(z.optional(text), 'The language of the mail, as `de`.'),
})

export const impersonation: ApiSchema = z.object({
  reason: described(text, 'For the audit log.'),
})

export const impersonated: ApiSchema = namedObject(
  'ImpersonatedSession',
  'The session in which the operator acts as the user. Its cookies come with the answer.',
  { sessionId: text, expiresAt: instant },
)

export const importOutcomes: ApiSchema = z.object({
  items: z.array(
    named(
      'ImportOutcome',
      'The outcome of a record.',
      z.union([
        z.object({ outcome: z.literal('inserted'), userId: text }),
        z.object({
          outcome: z.literal('failed'),
          error: z.object({ reason: text, message: text, info: attributes }),
        }),
      ]),
    ),
  ),
})
