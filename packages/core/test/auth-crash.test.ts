import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Collection, Storage } from '@gatehouse/core'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleFixture, startFixture } from '../../../test-support/fixture-process.ts'
import { findIdentity, loadAccount } from '../src/auth/accounts.ts'
import {
  authenticatorCollection,
  identityCollection,
  identityKeyCollection,
  sessionCollection,
  userCollection,
} from '../src/auth/collections.ts'
import { keyOfIdentity } from '../src/auth/identities.ts'

let program: string
let folder: string

beforeAll(async () => {
  program = await bundleFixture(new URL('./auth-sign-ups.fixture.ts', import.meta.url))
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-crash-'))
})
afterAll(async () => {
  await rm(program)
  await rm(folder, { recursive: true })
})

/** Every record of a collection, however many there are. */
async function countOf(storage: Storage, collection: Collection): Promise<number> {
  let count = 0
  let after: { key: string; id: string } | undefined
  for (;;) {
    const page = await storage.find(collection, {
      by: 'id',
      limit: 10_000,
      ...(after === undefined ? {} : { after }),
    })
    count += page.length
    const last = page.at(-1)
    if (last === undefined) return count
    after = { key: last.id, id: last.id }
  }
}

it('a crash amid sign-ups leaves whole users and no half ones', async () => {
  const filename = join(folder, 'auth.db')
  const told: string[] = []
  for (const [round, lines] of [7, 30, 55, 90].entries()) {
    const running = startFixture(program, [filename, String(round)])
    await running.hasWritten(lines)
    await running.kill()
    told.push(...running.lines)
  }
  const storage = createSqliteStorage({ filename })
  for (const email of told) {
    const identity = await findIdentity(storage, keyOfIdentity('login_id', 'email', email))
    const account = identity && (await loadAccount(storage, identity.user_id))
    expect([email, account?.identities.length, account?.authenticators.length]).toEqual([
      email,
      1,
      1,
    ])
  }
  const users = await countOf(storage, userCollection)
  expect(users).toBeGreaterThanOrEqual(told.length)
  // At the moment of a crash each of the four workers may have ended a flow without having said so.
  expect(users).toBeLessThanOrEqual(told.length + 4 * 4)
  for (const collection of [
    identityCollection,
    identityKeyCollection,
    authenticatorCollection,
    sessionCollection,
  ]) {
    expect([collection.name, await countOf(storage, collection)]).toEqual([collection.name, users])
  }
  await storage.close()
})
