import { createHash } from 'node:crypto'
import type { ImportedPasskey, ImportedPassword, ImportedUser } from '@gatehouse/core/auth'
import type { AliasOf, ForeignUser } from './foreign-user.ts'
import { defined, flagOf, instantOf, type Row, rowsOf, textOf } from './rows.ts'
import { decryptXChaCha } from './xchacha.ts'

/** The tables of better-auth that hold users. */
export const betterAuthTables = ['user', 'account', 'twoFactor', 'passkey'] as const

/** The rows of tables by their names. */
export type Tables = Readonly<Record<string, unknown>>

/** Options of {@link usersOfBetterAuth}. */
export interface BetterAuthOptions {
  readonly aliasOf: AliasOf
  /** The `secret` of better-auth, which encrypts its TOTP secrets and backup codes; needed if there are any. */
  readonly secret: string | undefined
  /** In ms. */
  readonly now: number
}

/**
 * The users in the tables of better-auth 1.x, with their ids.
 *
 * @throws {Error} if second factors are there and the secret is missing or wrong.
 */
export function usersOfBetterAuth(
  tables: Tables,
  options: BetterAuthOptions,
): readonly ForeignUser[] {
  const byUser = (name: string): ReadonlyMap<string, readonly Row[]> => {
    const groups = new Map<string, Row[]>()
    for (const row of rowsOf(tables[name])) {
      const userId = textOf(row.userId) ?? ''
      const group = groups.get(userId)
      if (group === undefined) groups.set(userId, [row])
      else group.push(row)
    }
    return groups
  }
  const [accounts, factors, passkeys] = [byUser('account'), byUser('twoFactor'), byUser('passkey')]
  return rowsOf(tables.user).map((row) => {
    const id = textOf(row.id) ?? ''
    return userOf(row, options, {
      accounts: accounts.get(id) ?? [],
      factors: factors.get(id) ?? [],
      passkeys: passkeys.get(id) ?? [],
    })
  })
}

interface Belongings {
  readonly accounts: readonly Row[]
  readonly factors: readonly Row[]
  readonly passkeys: readonly Row[]
}

function userOf(row: Row, options: BetterAuthOptions, of: Belongings): ForeignUser {
  const { now, aliasOf } = options
  const isAnonymous = flagOf(row.isAnonymous)
  const banEnd = instantOf(row.banExpires)
  const isBanned = flagOf(row.banned) && (banEnd === undefined || banEnd > now)
  const email = isAnonymous ? undefined : textOf(row.email)
  const claims = defined<Record<string, string | boolean>>({
    email,
    email_verified: email === undefined ? undefined : flagOf(row.emailVerified),
    name: textOf(row.name),
    picture: textOf(row.image),
  }) as Record<string, string | boolean>
  const identities = of.accounts.flatMap((account) => {
    const [provider, subject] = [textOf(account.providerId), textOf(account.accountId)]
    if (provider === undefined || subject === undefined || provider === 'credential') return []
    return [{ type: 'oauth', alias: aliasOf(provider), subject, claims } as const]
  })
  const { email: _email, email_verified: _verified, ...profile } = claims
  const role = textOf(row.role)
  const factor = flagOf(row.twoFactorEnabled) ? of.factors[0] : undefined
  return {
    user: defined<ImportedUser>({
      id: textOf(row.id),
      created_at: instantOf(row.createdAt),
      email,
      email_verified: email === undefined ? undefined : flagOf(row.emailVerified),
      phone_number: textOf(row.phoneNumber),
      phone_number_verified:
        textOf(row.phoneNumber) === undefined ? undefined : flagOf(row.phoneNumberVerified),
      preferred_username: textOf(row.username),
      identities: identities.length === 0 ? undefined : identities,
      password: passwordOf(of.accounts.find(({ providerId }) => providerId === 'credential')),
      passkeys: of.passkeys.length === 0 ? undefined : of.passkeys.map(passkeyOf),
      mfa: factor && secondFactor(factor, options.secret),
      disabled: isBanned && banEnd === undefined ? true : undefined,
      disable_reason: isBanned ? textOf(row.banReason) : undefined,
      // A ban that ends is a time from which the account is valid again.
      account_valid_from: isBanned ? banEnd : undefined,
      standard_attributes: profile,
      custom_attributes: role === undefined ? undefined : { x_role: role },
    }),
    notes: isAnonymous ? ['anonymous users have no way to log in here'] : [],
  }
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/** Its own hashes are `salt:key` in hex: scrypt over the NFKC form, with the text of the salt. */
function passwordOf(account: Row | undefined): ImportedPassword | undefined {
  const hash = textOf(account?.password)
  if (account === undefined || hash === undefined) return undefined
  const set_at = instantOf(account.updatedAt) ?? instantOf(account.createdAt)
  const at = set_at === undefined ? {} : { set_at }
  const [, salt, key] = /^([\da-f]{32}):([\da-f]{128})$/.exec(hash) ?? []
  if (salt !== undefined && key !== undefined) {
    const tail = `${base64(Buffer.from(salt))}$${base64(Buffer.from(key, 'hex'))}`
    return { type: 'scrypt', password_hash: `$scrypt-nfkc$ln=14,r=16,p=1$${tail}`, ...at }
  }
  return { type: typeOfHash(hash), password_hash: hash, ...at }
}

/** For hashes of the program's own `password.hash`; the import refuses those that it cannot verify. */
export function typeOfHash(hash: string): ImportedPassword['type'] {
  if (hash.startsWith('$argon2')) return 'argon2'
  if (/^\$?pbkdf2/.test(hash)) return 'pbkdf2'
  return hash.startsWith('$scrypt') ? 'scrypt' : 'bcrypt'
}

function passkeyOf(row: Row): ImportedPasskey {
  const name = textOf(row.name)
  return {
    credential_id: textOf(row.credentialID) ?? '',
    public_key: Buffer.from(textOf(row.publicKey) ?? '', 'base64').toString('base64url'),
    sign_count: Number(row.counter ?? 0),
    transports: textOf(row.transports)?.split(',') ?? [],
    aaguid: textOf(row.aaguid) ?? '00000000-0000-0000-0000-000000000000',
    is_backed_up: flagOf(row.backedUp),
    ...(name === undefined ? {} : { display_name: name }),
  }
}

function secondFactor(row: Row, secret: string | undefined): ImportedUser['mfa'] {
  const codes: unknown = JSON.parse(openText(textOf(row.backupCodes) ?? '[]', secret))
  return {
    // The key of better-auth is the text of the secret itself.
    totp: { secret: base32(Buffer.from(openText(textOf(row.secret) ?? '', secret))) },
    recovery_codes: Array.isArray(codes) ? codes.map(String) : [],
  }
}

/** Decrypts a value that better-auth stored; one that is not encrypted stays as it is. */
function openText(stored: string, secret: string | undefined): string {
  const hex = stored.replace(/^\$ba\$\d+\$/, '')
  if (!/^(?:[\da-f]{2}){41,}$/.test(hex)) return stored
  if (secret === undefined) {
    throw new Error(
      'second factors are encrypted: set BETTER_AUTH_SECRET to the secret of better-auth',
    )
  }
  const key = createHash('sha256').update(secret).digest()
  const opened = decryptXChaCha(key, Buffer.from(hex, 'hex'))
  if (opened !== undefined) return Buffer.from(opened).toString()
  throw new Error('BETTER_AUTH_SECRET is not the secret that second factors were encrypted with')
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** @see RFC 4648, section 6 */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}
