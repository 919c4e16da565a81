import type { ImportedIdentity, ImportedUser, NewAuthenticator } from '@gatehouse/core/auth'
import { typeOfHash } from './better-auth.ts'
import type { AliasOf, ForeignUser } from './foreign-user.ts'
import { defined, flagOf, instantOf, isRow, type Row, rowsOf, textOf } from './rows.ts'

/** Members of a record other than attributes. */
const notAttributes: ReadonlySet<string> = new Set([
  ...['sub', 'email', 'email_verified', 'phone_number', 'phone_number_verified'],
  ...['preferred_username', 'custom_attributes', 'roles', 'groups', 'disabled', 'identities'],
  ...['mfa', 'biometric_count', 'passkey_count', 'updated_at'],
])

/** Options of {@link userOfAuthgear}. */
export interface AuthgearOptions {
  readonly aliasOf: AliasOf
  /** Rows with `user_id`, `password_hash` and perhaps `updated_at`: the export has no passwords. */
  readonly passwords: ReadonlyMap<string, Row>
}

/** A user in a line of Authgear's export. @see Authgear, User Export API */
export function userOfAuthgear(row: Row, { aliasOf, passwords }: AuthgearOptions): ForeignUser {
  const id = textOf(row.sub)
  const [email, phone, username] = [
    textOf(row.email),
    textOf(row.phone_number),
    textOf(row.preferred_username),
  ]
  const known = new Set([email, phone, username])
  const identities: ImportedIdentity[] = []
  const notes: string[] = []
  const types: string[] = []
  for (const one of rowsOf(row.identities)) {
    const [login, oauth] = [one.login_id, one.oauth]
    if (isRow(login)) {
      const value = textOf(login.value) ?? ''
      const type = textOf(login.type)
      types.push(value)
      if (known.has(value)) continue
      if (type === 'email' || type === 'phone' || type === 'username') {
        identities.push({ type, value: textOf(login.original_value) ?? value })
      }
    } else if (isRow(oauth)) {
      const alias = aliasOf(textOf(oauth.provider_alias) ?? textOf(oauth.provider_type) ?? '')
      const claims = { ...(isRow(one.claims) ? one.claims : {}) } as Record<string, string>
      identities.push({
        type: 'oauth',
        alias,
        subject: textOf(oauth.provider_subject_id) ?? '',
        claims,
      })
    } else {
      notes.push(`an identity of the type ${textOf(one.type) ?? 'unknown'} is left out`)
    }
  }
  if (Number(row.passkey_count ?? 0) > 0) notes.push('the export has no passkeys')
  const { mfa, more } = secondFactors(isRow(row.mfa) ? row.mfa : {})
  // An address in the profile may belong to a provider account alone.
  const loginId = (value: string | undefined): string | undefined =>
    value !== undefined && types.includes(value) ? value : undefined
  return {
    user: defined<ImportedUser>({
      id,
      email: loginId(email),
      email_verified: loginId(email) && flagOf(row.email_verified),
      phone_number: loginId(phone),
      phone_number_verified: loginId(phone) && flagOf(row.phone_number_verified),
      preferred_username: loginId(username),
      identities: identities.length === 0 ? undefined : identities,
      password: id === undefined ? undefined : passwordOf(passwords.get(id)),
      mfa,
      disabled: flagOf(row.disabled) ? true : undefined,
      standard_attributes: attributesOf(row),
      custom_attributes: isRow(row.custom_attributes)
        ? (row.custom_attributes as ImportedUser['custom_attributes'])
        : undefined,
    } as Partial<ImportedUser>),
    more,
    notes,
  }
}

function attributesOf(row: Row): ImportedUser['standard_attributes'] {
  const isEmpty = (value: unknown): boolean =>
    value === null || value === '' || (isRow(value) && Object.keys(value).length === 0)
  // JSON, as the file was.
  return Object.fromEntries(
    Object.entries(row).filter(([name, value]) => !notAttributes.has(name) && !isEmpty(value)),
  ) as ImportedUser['standard_attributes']
}

function passwordOf(row: Row | undefined): ImportedUser['password'] {
  const hash = textOf(row?.password_hash)
  if (row === undefined || hash === undefined) return undefined
  const set_at = instantOf(row.updated_at)
  return {
    type: typeOfHash(hash),
    password_hash: hash,
    ...(set_at === undefined ? {} : { set_at }),
  }
}

/** An imported user has one second factor of each kind; the others are added. */
function secondFactors(mfa: Row): {
  readonly mfa: ImportedUser['mfa']
  readonly more: readonly NewAuthenticator[]
} {
  const texts = (value: unknown): readonly string[] =>
    Array.isArray(value) ? value.flatMap((one) => textOf(one) ?? []) : []
  const [email, ...emails] = texts(mfa.emails)
  const [phone, ...phones] = texts(mfa.phone_numbers)
  const [totp, ...totps] = rowsOf(mfa.totps).flatMap((one) => textOf(one.secret) ?? [])
  return {
    mfa: {
      ...(email === undefined ? {} : { email }),
      ...(phone === undefined ? {} : { phone_number: phone }),
      ...(totp === undefined ? {} : { totp: { secret: totp } }),
    },
    more: [
      ...emails.map((target) => ({ type: 'oob_otp_email', kind: 'secondary', target }) as const),
      ...phones.map((target) => ({ type: 'oob_otp_sms', kind: 'secondary', target }) as const),
      ...totps.map((secret) => ({ type: 'totp', secret }) as const),
    ],
  }
}
