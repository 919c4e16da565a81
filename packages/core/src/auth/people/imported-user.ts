import { isGatehouseError } from '../../errors.ts'
import {
  type Decode,
  decodeInput,
  isPlainObject,
  json,
  listOf,
  objectOf,
  optional,
} from '../../input/decode.ts'
import { type InstantInput, instant } from '../../input/instant.ts'
import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { Attributes } from '../accounts/user-record.ts'
import { type ValidationCause, validationFailed } from '../errors.ts'
import { isArgon2Hash } from '../kinds/password/argon2-hash.ts'
import { isBcryptHash } from '../kinds/password/bcrypt-hash.ts'
import { isPbkdf2Hash } from '../kinds/password/pbkdf2-hash.ts'
import { isScryptHash } from '../kinds/password/scrypt-hasher.ts'
import { type JsonSchema, validateJson } from '../schema/json-schema.ts'
import type { StoredPasskey } from '../webauthn/passkeys.ts'
import { passkeyInput } from './add-authenticator.ts'
import { maxCodes } from './add-recovery-codes.ts'
import { type ImportedIdentity, importedIdentity } from './read-identity.ts'

/** The algorithm of a password hash. */
export type HashType = 'bcrypt' | 'scrypt' | 'argon2' | 'pbkdf2'

const hashChecks: Readonly<Record<HashType, (hash: string) => boolean>> = {
  bcrypt: isBcryptHash,
  scrypt: isScryptHash,
  argon2: isArgon2Hash,
  pbkdf2: isPbkdf2Hash,
}
/** All of them. */
export const hashTypes: readonly HashType[] = Object.keys(hashChecks) as HashType[]

/** A password hash, and its algorithm. It is rehashed at the first login. */
export interface ImportedPassword {
  readonly type: HashType
  /**
   * `$2b$…` or `$bcrypt-sha512$…`; `$scrypt$ln=…,r=…,p=…$salt$hash`; `$argon2id$v=19$m=…,t=…,p=…$salt$hash`; or
   * `$pbkdf2-sha256$i=…$salt$hash`, also as Django writes it.
   */
  readonly password_hash: string
  /** When the user set it (default now), for passwords that expire. */
  readonly set_at?: InstantInput
}

/** A passkey as exported from another system. */
export interface ImportedPasskey extends StoredPasskey {
  readonly display_name?: string
}

/** A user as exported from another system. @see Authgear, User Import API, which this extends */
export interface ImportedUser {
  /** Keeps the id of the other system: at most 64 letters, digits, `-` and `_` (default: a new UUID). */
  readonly id?: string
  /** Default now. */
  readonly created_at?: InstantInput
  readonly last_login_at?: InstantInput
  readonly email?: string
  readonly email_verified?: boolean
  readonly phone_number?: string
  readonly phone_number_verified?: boolean
  readonly preferred_username?: string
  /** Accounts at identity providers, further login IDs, and identities of your own methods. */
  readonly identities?: readonly ImportedIdentity[]
  /** From `expire_after` on it must be changed at login. */
  readonly password?: ImportedPassword & { readonly expire_after?: InstantInput }
  readonly passkeys?: readonly ImportedPasskey[]
  readonly mfa?: {
    readonly email?: string
    readonly phone_number?: string
    readonly password?: ImportedPassword
    /** In Base32. */
    readonly totp?: { readonly secret: string; readonly display_name?: string }
    /** Unused recovery codes. */
    readonly recovery_codes?: readonly string[]
  }
  readonly disabled?: boolean
  readonly disable_reason?: string
  readonly account_valid_from?: InstantInput
  readonly account_valid_until?: InstantInput
  readonly standard_attributes?: Attributes
  readonly custom_attributes?: Attributes
}

/** An {@link ImportedPassword} with decoded instants. */
export interface DecodedPassword extends ImportedPassword {
  readonly set_at?: Instant
  readonly expire_after?: Instant
}

/** An {@link ImportedUser} with decoded instants. */
export interface DecodedUser extends ImportedUser {
  readonly created_at?: Instant
  readonly last_login_at?: Instant
  readonly password?: DecodedPassword
  readonly mfa?: Omit<NonNullable<ImportedUser['mfa']>, 'password'> & {
    readonly password?: DecodedPassword
  }
  readonly account_valid_from?: Instant
  readonly account_valid_until?: Instant
}

const text: JsonSchema = { type: 'string' }
const flag: JsonSchema = { type: 'boolean' }
const instantSchema: JsonSchema = { type: 'number' }
const attributes: JsonSchema = { type: 'object' }
const passwordMembers = {
  type: { enum: hashTypes },
  password_hash: text,
  set_at: instantSchema,
} as const

const schema: JsonSchema = {
  type: 'object',
  properties: {
    id: text,
    created_at: instantSchema,
    last_login_at: instantSchema,
    email: text,
    email_verified: flag,
    phone_number: text,
    phone_number_verified: flag,
    preferred_username: text,
    // Decoded before.
    identities: {},
    passkeys: {},
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
        totp: {
          type: 'object',
          required: ['secret'],
          properties: { secret: text, display_name: text },
        },
        recovery_codes: { type: 'array', items: text, maxItems: maxCodes },
      },
    },
    disabled: flag,
    disable_reason: text,
    account_valid_from: instantSchema,
    account_valid_until: instantSchema,
    standard_attributes: attributes,
    custom_attributes: attributes,
  },
}

const identityFields = objectOf<Pick<ImportedUser, 'identities' | 'passkeys'>>({
  identities: optional(listOf(importedIdentity)),
  passkeys: optional(listOf(passkeyInput)),
})

/** Copies a record and decodes its instants and identities; the schema checks the rest. */
export const importedRecord: Decode<DecodedUser> = (value) => {
  // The schema checks it before any other use.
  if (!isPlainObject(value)) return value as DecodedUser
  const { mfa, password } = value
  const record = {
    ...withInstants(value, '', [
      'created_at',
      'last_login_at',
      'account_valid_from',
      'account_valid_until',
    ]),
    ...(password === undefined
      ? {}
      : { password: withInstants(password, '/password', ['set_at', 'expire_after']) }),
    ...(isPlainObject(mfa) && mfa.password !== undefined
      ? { mfa: { ...mfa, password: withInstants(mfa.password, '/mfa/password', ['set_at']) } }
      : {}),
    ...identityFields(value),
  }
  return record as unknown as DecodedUser
}

function withInstants<T>(value: T, location: string, names: readonly string[]): T {
  if (!isPlainObject(value)) return value
  const record: Record<string, unknown> = { ...value }
  for (const name of names) {
    if (record[name] !== undefined) record[name] = readInstant(record[name], `${location}/${name}`)
  }
  return record as T
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
  const causes = [...validateJson(schema, given), ...unknownMembers(schema, given, '')]
  return causes.length > 0 ? causes : [...idProblems(record), ...hashesProblems(record)]
}

/** The most unknown members of a record that are listed. */
const maxUnknown = 100

/** Members that no user has: a name that was misspelled must not be lost without a word. */
function unknownMembers(
  { type, properties }: JsonSchema,
  value: Json | undefined,
  location: string,
): readonly ValidationCause[] {
  // Attributes may have any members.
  if (type !== 'object' || properties === undefined || !isPlainObject(value)) return []
  const causes = Object.entries(value).flatMap(([name, member]) => {
    const at = `${location}/${pointerToken(name.slice(0, 200))}`
    if (Object.hasOwn(properties, name)) return unknownMembers(properties[name] ?? {}, member, at)
    return [{ location: at, kind: 'general', details: { msg: 'no user has this member' } }]
  })
  return causes.slice(0, maxUnknown)
}

/** A name as a part of a JSON pointer. @see RFC 6901 */
const pointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** The password hashes that cannot be verified. */
export const hashesProblems = ({ password, mfa }: DecodedUser): readonly ValidationCause[] => [
  ...hashProblems('password', password),
  ...hashProblems('mfa/password', mfa?.password),
]

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

/** The id is part of the ids of other records, and the user handle of passkeys. */
export function idProblems({ id }: DecodedUser): readonly ValidationCause[] {
  if (id === undefined || /^[\w-]{1,64}$/.test(id)) return []
  return [{ location: '/id', kind: 'format', details: { format: 'user_id' } }]
}

/** A hash that cannot be verified would lock its user out for good. */
function hashProblems(
  member: string,
  password: ImportedPassword | undefined,
): readonly ValidationCause[] {
  if (password === undefined) return []
  const { type, password_hash: hash } = password
  if (hashChecks[type](hash)) return []
  return [{ location: `/${member}/password_hash`, kind: 'format', details: { format: type } }]
}
