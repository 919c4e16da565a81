import type { Instant } from '../../clock.ts'
import type { Json } from '../../storage.ts'
import type { ValidationCause } from '../errors.ts'
import { type JsonSchema, validateJson } from '../json-schema.ts'
import { isBcryptHash } from '../passwords/bcrypt-hash.ts'
import type { Attributes } from '../records.ts'

/** A hash of a password, and how it was made. */
export interface ImportedPassword {
  readonly type: 'bcrypt' | 'scrypt'
  readonly password_hash: string
}

/** A user as other systems hand them over. Instants are in ms since the Unix epoch. @see Authgear, User Import API */
export interface ImportedUser {
  readonly email?: string
  readonly email_verified?: boolean
  readonly phone_number?: string
  readonly phone_number_verified?: boolean
  readonly preferred_username?: string
  /** The hash is made anew when the password is used. From `expire_after` on it must be changed at sign-in. */
  readonly password?: ImportedPassword & { readonly expire_after?: Instant }
  readonly mfa?: {
    readonly email?: string
    readonly phone_number?: string
    readonly password?: ImportedPassword
    /** In Base32. */
    readonly totp?: { readonly secret: string }
  }
  readonly disabled?: boolean
  readonly account_valid_from?: Instant
  readonly account_valid_until?: Instant
  readonly standard_attributes?: Attributes
  readonly custom_attributes?: Attributes
}

const text: JsonSchema = { type: 'string' }
const flag: JsonSchema = { type: 'boolean' }
const instant: JsonSchema = { type: 'number' }
const attributes: JsonSchema = { type: 'object' }
const passwordMembers = { type: { enum: ['bcrypt', 'scrypt'] }, password_hash: text } as const

const schema: JsonSchema = {
  type: 'object',
  properties: {
    email: text,
    email_verified: flag,
    phone_number: text,
    phone_number_verified: flag,
    preferred_username: text,
    password: {
      type: 'object',
      required: ['type', 'password_hash'],
      properties: { ...passwordMembers, expire_after: instant },
    },
    mfa: {
      type: 'object',
      properties: {
        email: text,
        phone_number: text,
        password: {
          type: 'object',
          required: ['type', 'password_hash'],
          properties: passwordMembers,
        },
        totp: { type: 'object', required: ['secret'], properties: { secret: text } },
      },
    },
    disabled: flag,
    account_valid_from: instant,
    account_valid_until: instant,
    standard_attributes: attributes,
    custom_attributes: attributes,
  },
}

/** So deep a record may be nested: what is stored is at most 100 deep, with all that is around it. */
const deepest = 90

/** What is wrong with a record that is said to be a user: it comes out of somebody's file. */
export function problemsOf(record: ImportedUser): readonly ValidationCause[] {
  if (!isKept(record, deepest)) {
    const msg = 'the record is nested too deeply, or a number is too large'
    return [{ location: '', kind: 'general', details: { msg } }]
  }
  // What is undefined was left out.
  const given = JSON.parse(JSON.stringify(record) ?? 'null') as Json
  const causes = validateJson(schema, given)
  return causes.length > 0
    ? causes
    : [
        ...hashProblems('password', record.password),
        ...hashProblems('mfa/password', record.mfa?.password),
      ]
}

/** Whether a storage keeps a value: JSON has more numbers than it can read again. */
function isKept(value: unknown, depthLeft: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return depthLeft > 0 && Object.values(value).every((part) => isKept(part, depthLeft - 1))
}

/** A hash that nothing can verify would keep its user out for good. */
function hashProblems(
  member: string,
  password: ImportedPassword | undefined,
): readonly ValidationCause[] {
  if (password === undefined) return []
  const { type, password_hash: hash } = password
  if (type === 'scrypt' ? hash.startsWith('$scrypt$') : isBcryptHash(hash)) return []
  return [{ location: `/${member}/password_hash`, kind: 'format', details: { format: type } }]
}
