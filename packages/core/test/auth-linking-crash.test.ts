import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { expect, it } from 'vitest'
import { loadAccount } from '../src/auth/accounts/accounts.ts'
import { identityKey } from '../src/auth/accounts/identities.ts'
import { identityCollection, identityKeyCollection } from '../src/auth/accounts/identity-record.ts'
import { sessionCollection } from '../src/auth/accounts/session-record.ts'
import { userCollection } from '../src/auth/accounts/user-record.ts'
import { allOf, useCrashingProgram } from './crashing-program.ts'

const program = useCrashingProgram(new URL('./auth-links.fixture.ts', import.meta.url))

it('a crash during linking leaves every account either linked or not', async () => {
  const reported = await program.crash([5, 20, 35, 60])
  const storage = createSqliteStorage({ filename: program.filename() })
  const identities = await allOf(storage, identityCollection)
  const keys = await allOf(storage, identityKeyCollection)
  const identityOf = new Map(keys.map(({ id, value }) => [id, value]))
  expect(keys).toHaveLength(identities.length)
  for (const { id, value } of identities) {
    const owner = { user_id: value.user_id, identity_id: id }
    expect([id, identityOf.get(identityKey(value))]).toEqual([id, owner])
  }
  const sessions = await allOf(storage, sessionCollection)
  const users = await allOf(storage, userCollection)
  const linked = new Set<string>()
  for (const { id } of users) {
    const account = await loadAccount(storage, id)
    const types = account?.identities.map(({ type }) => type)
    const isLinked = types?.includes('oauth') === true
    const of = account?.identities.find(({ type }) => type === 'login_id')?.email ?? ''
    if (isLinked) linked.add(of)
    const expected = isLinked
      ? { identities: 2, claims: 1, sessions: 1 }
      : { identities: 1, claims: 0, sessions: 0 }
    expect([
      of,
      {
        identities: types?.length,
        claims: account?.verified_claims.length,
        sessions: sessions.filter(({ value }) => value.user_id === id).length,
      },
    ]).toEqual([of, expected])
  }
  expect(reported.filter((one) => !linked.has(one))).toEqual([])
  // Each of the four workers may have linked an account before the crash without reporting it.
  expect(linked.size).toBeLessThanOrEqual(reported.length + 4 * 4)
  await storage.close()
})
