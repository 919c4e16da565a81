import { isGatehouseError } from '../../errors.ts'
import { type Decode, decodeInput, isPlainObject, json } from '../../input/decode.ts'
import { type InstantInput, instant } from '../../input/instant.ts'
import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { Attributes } from '../accounts/records.ts'
import { type ValidationCause, validationFailed } from '../errors.ts'
import { isBcryptHash } from '../kinds/password/bcrypt-hash.ts'
import { type JsonSchema, validateJson } from '../schema/json-schema.ts'

/** A password hash, and its algorithm. */
export interface ImportedPassword {
  readonly type: 'bcrypt' | 'scrypt'
  readonly password_hash: string
}

/** A user as exported from another system. @see Authgear, User Import API */
export interface ImportedUser {
  readonly email?: string
  readonly email_verified?: boolean
  readonly phone_number?: string
  readonly phone_number_verified?: boolean
  readonly preferred_username?: string
  /** The password is rehashed at its first use. From `expire_after` on it must be changed at login. */
  readonly password?: ImportedPassword & { readonly expire_after?: InstantInput }
  readonly mfa?: {
    readonly email?: string
    readonly phone_number?: string
    readonly password?: ImportedPassword
    /** In Base32. */
    readonly totp?: { readonly secret: string }
  }
  readonly disabled?: boolean
  readonly account_valid_from?: InstantInput
  readonly account_valid_until?: InstantInput
  readonly standard_attributes?: Attributes
  readonly custom_attributes?: Attributes
}

/** An {@link ImportedUser} with decoded instants. */
export interface DecodedUser extends ImportedUser {
  readonly password?: ImportedPassword & { readonly expire_after?: Instant }
  readonly account_valid_from?: Instant
  readonly account_valid_until?: Instant
}

const text: JsonSchema = { type: 'string' }
const flag: JsonSchema = { type: 'boolean' }
const instantSchema: JsonSchema = { type: 'number' }
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
      properties: { ...passwordMembers, expire_after: instantSchema },
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
    account_valid_from: instantSchema,
    account_valid_until: instantSchema,
    standard_attributes: attributes,
    custom_attributes: attributes,
  },
}

/** Copies a record and decodes its instants; the schema checks the rest. */
export const importedRecord: Decode<DecodedUser> = (value) => {
  const record = withInstants(value, '', ['account_valid_from', 'account_valid_until'])
  // The schema checks it before any other use.
  return record as unknown as DecodedUser
}

function withInstants(value: unknown, location: string, names: readonly string[]): unknown {
  if (!isPlainObject(value)) return value
  const record: Record<string, unknown> = { ...value }
  const { password } = record
  if (location === '' && password !== undefined) {
    record.password = withInstants(password, '/password', ['expire_after'])
  }
  for (const name of names) {
    if (record[name] !== undefined) record[name] = readInstant(record[name], `${location}/${name}`)
  }
  return record
}

function readInstant(value: unknown, location: string): Instant {
  try {
    return decodeInput('instant', instant, value)
  } catch (error) {
    throw validationFailed([{ location, kind: 'type', details: { msg: messageOf(error) } }])
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')

/** The validation causes of a record, which may come from an unchecked file. */
export function problemsOf(record: DecodedUser): readonly ValidationCause[] {
  if (!isKept(record)) {
    const msg = 'the record is nested too deeply, or a number is too large'
    return [{ location: '', kind: 'general', details: { msg } }]
  }
  // Removes undefined members.
  const given = JSON.parse(JSON.stringify(record) ?? 'null') as Json
  const causes = validateJson(schema, given)
  return causes.length > 0
    ? causes
    : [
        ...hashProblems('password', record.password),
        ...hashProblems('mfa/password', record.mfa?.password),
      ]
}

/** Whether JSON can hold a value: it may have numbers that cannot be read back. */
function isKept(value: unknown): boolean {
  try {
    decodeInput('record', json, value)
    return true
  } catch (error) {
    if (isGatehouseError(error)) return false
    throw error
  }
}

/** A hash that cannot be verified would lock its user out for good. */
function hashProblems(
  member: string,
  password: ImportedPassword | undefined,
): readonly ValidationCause[] {
  if (password === undefined) return []
  const { type, password_hash: hash } = password
  if (type === 'scrypt' ? hash.startsWith('$scrypt$') : isBcryptHash(hash)) return []
  return [{ location: `/${member}/password_hash`, kind: 'format', details: { format: type } }]
}
