import { PGlite } from '@electric-sql/pglite'
import {
  type AuthContext,
  createAuth,
  createUser,
  deleteUser,
  getUser,
  startAuth,
  withStorage,
} from '@gatehouse/core'
import {
  type AuthEvent,
  authCollections,
  closeAuth,
  createScryptHasher,
  createSession,
  findUsers,
  getLockout,
  listAuthEvents,
  resolveSessionToken,
  startEvents,
  startUserMaintenance,
} from '@gatehouse/core/auth'
import {
  createMessageOutbox,
  type DrivenFlow,
  driveFlow,
  type MessageOutbox,
} from '@gatehouse/core/testing'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isWide } from '../../../test-support/lane.ts'
import { describeWithPostgres } from '../../../test-support/postgres/use-postgres.ts'
import { createPostgresStorage, migratePostgres, type PostgresStorage } from '../src/index.ts'
import { useStorages } from './use-storages.ts'

const email = 'maya@example.com'
const password = 'tidal-lantern-42'

const config = {
  id: 'shop',
  http: { public_origin: 'https://shop.example.com' },
  authentication: {
    lockout: {
      max_attempts: 3,
      history_duration: '1h',
      minimum_duration: '5m',
      maximum_duration: '5m',
      lockout_type: 'per_user' as const,
      password: { enabled: true },
    },
  },
}

const members =
  'CREATE TABLE members (user_id text PRIMARY KEY REFERENCES gatehouse_auth_users (id) ON DELETE CASCADE, plan text NOT NULL)'
const join = 'INSERT INTO members (user_id, plan) VALUES ($1, $2)'

/** A service, its messages, and its events. */
function serviceOn(storage: PostgresStorage): {
  auth: AuthContext
  outbox: MessageOutbox
  events: AuthEvent[]
} {
  const outbox = createMessageOutbox()
  const events: AuthEvent[] = []
  const auth = createAuth({
    storage,
    config,
    secrets: [{ id: 'test', key: 'a key for tests, of 32 bytes or more' }],
    senders: outbox.senders,
    hasher: createScryptHasher({ N: 16, r: 1, p: 1 }),
    onEvent: (event) => void events.push(event),
    logger: false,
  })
  return { auth, outbox, events }
}

const named = { identification: 'email', login_id: email }

/** Ends a sign-up, whose address is proven, and returns the id of the user. */
const endSignUp = async (auth: AuthContext, { state }: DrivenFlow): Promise<string> => {
  const chosen = { authentication: 'primary_password', new_password: password }
  const { cookies } = await driveFlow(auth, state, [chosen])
  const token = cookies.find(({ name }) => name === 'session')?.value ?? ''
  return (await resolveSessionToken(auth, token))?.user_id ?? ''
}

describeWithPostgres('an operation in a transaction of the app', () => {
  const test = useStorages()
  const endings: (() => Promise<void>)[] = []
  let pool: pg.Pool
  let storage: PostgresStorage
  let service: ReturnType<typeof serviceOn>

  beforeEach(async () => {
    await test.migrate({ collections: authCollections })
    await test.rows(members)
    pool = test.pool()
    storage = createPostgresStorage({ timeoutMs: 60_000, database: pool })
    service = serviceOn(storage)
  })
  // Runs before the pools are closed, which waits for their clients.
  afterEach(async () => {
    for (const end of endings.splice(0)) await end()
    await storage.close()
  })

  const begin = async (): Promise<{ client: pg.PoolClient; inner: AuthContext }> => {
    const client = await pool.connect()
    client.on('error', () => {})
    endings.push(async () => client.release(true))
    await client.query('BEGIN')
    return { client, inner: withStorage(service.auth, storage.within(client)) }
  }
  const memberships = (): Promise<unknown[][]> => test.rows('SELECT user_id, plan FROM members')
  const usersOf = async (address: string): Promise<number> =>
    (await findUsers(service.auth, { email: address })).length

  it('is stored with the row of the app, or not at all', async () => {
    const { auth } = service
    const proven = await driveFlow(auth, 'signup', [named])
    for (const ending of ['ROLLBACK', 'COMMIT']) {
      const { client, inner } = await begin()
      const id = await endSignUp(inner, proven)
      await client.query(join, [id, 'free'])
      expect(await usersOf(email)).toBe(0)
      await client.query(ending)
      expect(await usersOf(email)).toBe(ending === 'COMMIT' ? 1 : 0)
      expect(await memberships()).toEqual(ending === 'COMMIT' ? [[id, 'free']] : [])
    }
    await driveFlow(auth, 'login', [named, { authentication: 'primary_password', password }])
  })

  it('is not stored if the row of the app is refused, or the connection lost', async () => {
    const refused = await begin()
    await refused.client.query(join, [await createUser(refused.inner, { email }), 'free'])
    await expect(refused.client.query(join, ['nobody', 'free'])).rejects.toThrow('foreign key')
    await refused.client.query('COMMIT') // PostgreSQL rolls back
    const lost = await begin()
    const id = await createUser(lost.inner, { email })
    await createSession(lost.inner, id)
    const { rows } = await lost.client.query('SELECT pg_backend_pid() AS pid')
    await test.terminate(Number(rows[0]?.pid))
    await expect(lost.client.query(join, [id, 'free'])).rejects.toThrow()
    expect([await usersOf(email), await memberships()]).toEqual([0, []])
  })

  it('is refused while a row of the app refers to the user, unless it cascades', async () => {
    const { auth } = service
    await test.rows('CREATE TABLE notes (user_id text REFERENCES gatehouse_auth_users (id))')
    const id = await createUser(auth, { email })
    await test.rows('INSERT INTO notes VALUES ($1)', [id])
    await test.rows(join, [id, 'free'])
    const { client, inner } = await begin()
    for (const one of [auth, inner]) {
      await expect(deleteUser(one, id)).rejects.toMatchObject({ reason: 'StorageUnavailable' })
    }
    await client.query('DELETE FROM notes')
    await deleteUser(inner, id)
    await client.query('COMMIT')
    expect([await usersOf(email), await memberships()]).toEqual([0, []])
  })

  it('goes on after an operation that was refused', async () => {
    const { auth } = service
    await createUser(auth, { email })
    const { client, inner } = await begin()
    await expect(createUser(inner, { email })).rejects.toMatchObject({
      reason: 'InvariantViolated',
    })
    const id = await createUser(inner, { email: 'noor@example.com' })
    await client.query(join, [id, 'free'])
    await client.query('COMMIT')
    expect(await memberships()).toEqual([[id, 'free']])
    expect(await getUser(auth, id)).toMatchObject({ id })
  })

  it.each([
    ['refused once the first one commits', 'COMMIT', 'rejected'],
    ['made once the first one rolls back', 'ROLLBACK', 'fulfilled'],
  ])('waits for another sign-up of the address, and is %s', async (_, ending, outcome) => {
    const first = await begin()
    const second = await begin()
    await createUser(first.inner, { email })
    const waiting = Promise.allSettled([createUser(second.inner, { email })])
    await test.nextWaiting('INSERT INTO')
    await first.client.query(ending)
    expect(await waiting).toMatchObject([{ status: outcome }])
    await second.client.query('COMMIT')
    expect(await usersOf(email)).toBe(1)
  })

  it('counts failed attempts even if the app rolls back', async () => {
    const { auth } = service
    const id = await createUser(auth, { email, password })
    for (const [attempt, reason] of [
      'InvalidCredentials',
      'InvalidCredentials',
      'AccountLockout',
    ].entries()) {
      const { client, inner } = await begin()
      const login = driveFlow(inner, 'login', [
        named,
        { authentication: 'primary_password', password: 'wrong' },
      ])
      await expect(login).rejects.toThrow(reason)
      await client.query('ROLLBACK')
      expect(await getLockout(auth, id)).toMatchObject({ attempts: attempt + 1 })
    }
  })

  it('leaves a code that was sent good, and says so in the audit log', async () => {
    const { auth, outbox } = service
    const begun = await driveFlow(auth, 'signup', [], {})
    const { client, inner } = await begin()
    await driveFlow(inner, begun.state, [named], { answersCodes: false })
    await client.query('ROLLBACK')
    const running = startAuth(auth)
    await running.stop()
    const { items } = await listAuthEvents(auth)
    expect(items.map(({ type }) => type)).toEqual(['email.sent'])
    const code = outbox.codeTo(email)
    // Its cooldown runs, so the flow sends no other one.
    const again = await driveFlow(auth, begun.state, [named, { code }])
    expect(outbox.messages).toHaveLength(1)
    expect(again.state.action.type).toBe('create_authenticator')
  })

  it('has its events once the app commits', async () => {
    const { auth, events } = service
    const waiting = (): Promise<unknown> =>
      test.value('SELECT count(*)::int FROM gatehouse_auth_outbox')
    for (const [ending, left] of [
      ['ROLLBACK', 0],
      ['COMMIT', 1],
    ] as const) {
      const { client, inner } = await begin()
      await createUser(inner, { email })
      expect(await waiting()).toBe(0)
      await client.query(ending)
      expect(await waiting()).toBe(left)
      expect((await listAuthEvents(auth)).items).toHaveLength(left)
    }
    const running = startAuth(auth)
    await expect.poll(() => events.map(({ type }) => type)).toEqual(['user.created'])
    await running.stop()
    expect((await listAuthEvents(auth)).items).toMatchObject([{ type: 'user.created' }])
  })

  it('refuses what a transaction cannot hold', async () => {
    const { auth } = service
    const { client, inner } = await begin()
    for (const misuse of [
      () => startAuth(inner),
      () => startEvents(inner),
      () => startUserMaintenance(inner),
      () => inner.routes,
    ]) {
      expect(misuse).toThrow(TypeError)
    }
    await expect(closeAuth(inner)).rejects.toThrow(TypeError)
    expect(() => withStorage(auth, storage as never)).toThrow('storage.within(client)')
    const within = storage.within(client)
    expect(() => withStorage({} as AuthContext, within)).toThrow('createAuth()')
  })
})

// Usually transactions of PGlite are tested without the sign-in service.
if (isWide) {
  describe('an operation in a transaction of PGlite', () => {
    let pglite: PGlite
    let storage: PostgresStorage
    beforeAll(async () => {
      pglite = new PGlite()
      storage = createPostgresStorage({ timeoutMs: 60_000, database: pglite })
      await migratePostgres({ database: pglite, collections: authCollections })
      await pglite.query(members)
    })
    afterAll(async () => {
      await storage.close()
      await pglite.close()
    })

    it('is stored with the row of the app, or not at all', async () => {
      const { auth } = serviceOn(storage)
      for (const [isKept, count] of [
        [false, 0],
        [true, 1],
      ] as const) {
        await pglite.transaction(async (transaction) => {
          const inner = withStorage(auth, storage.within(transaction))
          const id = await endSignUp(inner, await driveFlow(inner, 'signup', [named]))
          await transaction.query(join, [id, 'free'])
          if (!isKept) await transaction.rollback()
        })
        expect(await findUsers(auth, { email })).toHaveLength(count)
        expect((await pglite.query('SELECT * FROM members')).rows).toHaveLength(count)
      }
    })
  })
}
