import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { expect, it } from 'vitest'
import { findIdentity, loadAccount } from '../src/auth/accounts/accounts.ts'
import { authenticatorCollection } from '../src/auth/accounts/authenticator-record.ts'
import { keyOfIdentity } from '../src/auth/accounts/identities.ts'
import { identityCollection, identityKeyCollection } from '../src/auth/accounts/identity-record.ts'
import { sessionCollection } from '../src/auth/accounts/session-record.ts'
import { userCollection } from '../src/auth/accounts/user-record.ts'
import { allOf, useCrashingProgram } from './crashing-program.ts'

const program = useCrashingProgram(new URL('./auth-sign-ups.fixture.ts', import.meta.url))

it('a crash during sign-ups leaves complete users and no partial ones', async () => {
  const reported = await program.crash([7, 30, 55, 90])
  const storage = createSqliteStorage({ filename: program.filename() })
  for (const email of reported) {
    const identity = await findIdentity(storage, keyOfIdentity('login_id', 'email', email))
    const account = identity && (await loadAccount(storage, identity.user_id))
    expect([email, account?.identities.length, account?.authenticators.length]).toEqual([
      email,
      1,
      1,
    ])
  }
  const users = (await allOf<unknown>(storage, userCollection)).length
  expect(users).toBeGreaterThanOrEqual(reported.length)
  // Each of the four workers may have ended a flow before the crash without reporting it.
  expect(users).toBeLessThanOrEqual(reported.length + 4 * 4)
  for (const collection of [
    identityCollection,
    identityKeyCollection,
    authenticatorCollection,
    sessionCollection,
  ]) {
    expect([collection.name, (await allOf<unknown>(storage, collection)).length]).toEqual([
      collection.name,
      users,
    ])
  }
  await storage.close()
})
