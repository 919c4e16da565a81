import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuthContext, createAuth, createFlow, getUser } from '@gatehouse/core'
import {
  combineHashers,
  createScryptHasher,
  findUsers,
  type LoadedAuthConfig,
} from '@gatehouse/core/auth'
import { createMemoryStorage } from '@gatehouse/store-memory'
import type { SqliteValue } from '@gatehouse/store-sqlite'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { twoFactor, username } from 'better-auth/plugins'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../../../test-support/sqlite.ts'
import { usersOfBetterAuth } from './better-auth.ts'
import { aliasOf, storeUsers } from './import-users.ts'
import { readTables } from './read-source.ts'

const secret = 'a secret of better-auth, of at least 32 bytes'
const password = 'ｔidal-lantern-42'
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-better-auth-'))
const filename = join(folder, 'auth.db')

/** The parts of an `otpauth` URI, and the backup codes that better-auth showed. */
interface Shown {
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}
let shown: Shown

/** The connection as better-auth knows it from better-sqlite3: values are in an array, and a statement says if it has rows. */
const asBetterSqlite3 = (database: Database) => ({
  aggregate: () => {}, // by which better-auth recognizes it
  close: () => database.close(),
  prepare(sql: string) {
    const statement = database.prepare(sql)
    return {
      reader: /^\s*(select|pragma|with)\b|\breturning\b/i.test(sql),
      all: (values: readonly SqliteValue[]) => statement.all(...values),
      run: (values: readonly SqliteValue[]) => statement.run(...values),
    }
  },
})

/** Two people sign up with better-auth itself; one adds a second factor, the other a Google account. */
beforeAll(async () => {
  const database = new Database(filename)
  const auth = betterAuth({
    database: asBetterSqlite3(database),
    baseURL: 'https://old.example.com',
    secret,
    emailAndPassword: { enabled: true },
    plugins: [username(), twoFactor()],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
  })
  await (await getMigrations(auth.options)).runMigrations()
  const post = async (path: string, body: object, cookie = ''): Promise<Response> => {
    const headers = {
      'content-type': 'application/json',
      origin: 'https://old.example.com',
      cookie,
    }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return auth.handler(new Request(`https://old.example.com/api/auth${path}`, init))
  }
  const cookieOf = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
  const made = await post('/sign-up/email', {
    email: 'Maya@X.example',
    password,
    name: 'Maya',
    username: 'maya_i',
  })
  const cookie = cookieOf(made)
  const enabled = await post('/two-factor/enable', { password }, cookie)
  shown = (await enabled.json()) as Shown
  database.exec('UPDATE user SET twoFactorEnabled = 1')
  await post('/sign-up/email', { email: 'lena@x.example', password, name: 'Lena' })
  const id = database.value("SELECT id FROM user WHERE email = 'lena@x.example'") ?? null
  database.prepare('DELETE FROM account WHERE userId = ?').run(id)
  database
    .prepare(
      "INSERT INTO account (id, accountId, providerId, userId, createdAt, updatedAt) VALUES ('a', '1174', 'google', ?, ?, ?)",
    )
    .run(id, new Date().toISOString(), new Date().toISOString())
  database.close()
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true }))

const provider = { type: 'google', alias: 'our-google', client_id: 'web' } as const

function newAuth(): AuthContext {
  const none = () => Promise.reject(new Error('no provider is asked'))
  return createAuth({
    storage: createMemoryStorage(),
    secrets: [{ id: 'k', key: new Uint8Array(32) }],
    hasher: combineHashers(createScryptHasher({ N: 16 }), []),
    oauth: { status: () => 'active', authorizationUrl: none, redeem: none },
    config: {
      id: 'app',
      http: { public_origin: 'https://new.example.com' },
      identity: {
        login_id: { keys: [{ type: 'email' }, { type: 'username' }] },
        oauth: { providers: [provider] },
      },
      authentication: {
        identities: ['login_id', 'oauth'],
        secondary_authentication_mode: 'required',
      },
    },
  })
}

const read = (config: Pick<LoadedAuthConfig, 'identity'>, given: string | undefined = secret) =>
  usersOfBetterAuth(readTables(filename), {
    aliasOf: aliasOf(config),
    secret: given,
    now: Date.now(),
  })

describe('users of better-auth', () => {
  it('keep ids, names, passwords, second factors and provider accounts', async () => {
    const auth = newAuth()
    const users = read(auth.config.current)
    expect(await storeUsers(auth, users)).toEqual({ stored: 2, present: 0, failed: 0 })
    expect(await storeUsers(auth, users)).toEqual({ stored: 0, present: 2, failed: 0 })
    const [maya] = await findUsers(auth, { username: 'maya_i' })
    const [lena] = await findUsers(auth, { provider: { alias: 'our-google', subject: '1174' } })
    expect([maya?.id, lena?.id].sort()).toEqual(users.map(({ user }) => user.id).sort())
    expect(maya?.standard_attributes).toMatchObject({ name: 'Maya', email: 'maya@x.example' })
    const login = await createFlow(auth, {
      type: 'login',
      name: 'default',
      batch_input: [
        { identification: 'email', login_id: 'maya@x.example' },
        { authentication: 'primary_password', password },
        {
          authentication: 'recovery_code',
          recovery_code: shown.backupCodes[0]?.toLowerCase() ?? '',
        },
      ],
    })
    expect(login).toMatchObject({ ok: true, result: { action: { type: 'finished' } } })
    expect((await getUser(auth, maya?.id ?? '')).recovery_codes).toBe(9)
    const secretOfUri = new URL(shown.totpURI).searchParams.get('secret')
    const secrets = users.map(({ user }) => user.mfa?.totp?.secret)
    expect(secrets).toContain(secretOfUri)
  })

  it.each([
    ['is missing', undefined, 'set BETTER_AUTH_SECRET'],
    ['is wrong', 'another secret', 'is not the secret'],
  ])('are refused if the secret %s', (_what, given, message) => {
    const { config } = newAuth()
    const tables = readTables(filename)
    const options = { aliasOf: aliasOf(config.current), secret: given, now: 0 }
    expect(() => usersOfBetterAuth(tables, options)).toThrow(message)
  })

  it('that are banned cannot log in', () => {
    const options = { aliasOf: (name: string) => name, secret: undefined, now: 1_800_000_000_000 }
    const rows = [
      { id: 'a', email: 'a@x.example', banned: 1, banReason: 'spam' },
      { id: 'b', email: 'b@x.example', banned: true, banExpires: '2100-01-01T00:00:00Z' },
      { id: 'c', email: 'c@x.example', banned: true, banExpires: '2000-01-01T00:00:00Z' },
    ]
    expect(usersOfBetterAuth({ user: rows }, options).map(({ user }) => user)).toMatchObject([
      { disabled: true, disable_reason: 'spam' },
      { account_valid_from: Date.UTC(2100, 0, 1) },
      { email: 'c@x.example' },
    ])
  })

  it('bring their passkeys and hashes of other algorithms', () => {
    const tables = {
      user: [{ id: 7, email: 'a@x.example' }],
      account: [
        {
          userId: 7,
          providerId: 'credential',
          password: '$argon2id$v=19$m=64',
          updatedAt: 1_700_000_000_000,
        },
      ],
      passkey: [
        {
          userId: 7,
          name: 'Phone',
          credentialID: 'Y3JlZA',
          publicKey: 'a+b/',
          counter: 2,
          backedUp: 1,
          transports: 'internal,hybrid',
        },
      ],
    }
    const options = { aliasOf: (name: string) => name, secret: undefined, now: 0 }
    expect(usersOfBetterAuth(tables, options)[0]?.user).toMatchObject({
      id: '7',
      password: { type: 'argon2', set_at: 1_700_000_000_000 },
      passkeys: [
        {
          credential_id: 'Y3JlZA',
          public_key: 'a-b_',
          sign_count: 2,
          transports: ['internal', 'hybrid'],
          is_backed_up: true,
          display_name: 'Phone',
        },
      ],
    })
  })
})
