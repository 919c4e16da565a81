import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  advanceFlow,
  createUser,
  deleteUser,
  type FlowResult,
  type Json,
  type Storage,
} from '@gatehouse/core'
import { authCollections, importUsers } from '@gatehouse/core/auth'
import { createManualClock, type ManualClock } from '@gatehouse/core/testing'
import { createPostgresStorage } from '@gatehouse/store-postgres'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bundleFixture, startFixture } from '../../../test-support/fixture-process.ts'
import { isWide, runsOf } from '../../../test-support/lane.ts'
import { dropDatabase } from '../../../test-support/postgres/postgres-database.ts'
import { describeWithPostgres, freshDatabase } from '../../../test-support/postgres/use-postgres.ts'
import { maxOfAKind } from '../src/auth/accounts/accounts.ts'
import { authenticatorCollection } from '../src/auth/accounts/authenticator-record.ts'
import { identityCollection } from '../src/auth/accounts/identity-record.ts'
import { sessionCollection } from '../src/auth/accounts/session-record.ts'
import { userCollection } from '../src/auth/accounts/user-record.ts'
import { outboxCollection } from '../src/auth/events/outbox.ts'
import { codeCollection } from '../src/auth/kinds/oob-otp/otp-code.ts'
import { codeKey } from '../src/auth/kinds/oob-otp/otp-store.ts'
import { createScryptHasher } from '../src/auth/kinds/password/scrypt-hasher.ts'
import {
  type ConfigDelta,
  startFlow,
  startOfTests,
  stateOf,
  type TestAuth,
  type TestFlow,
  testAuth,
} from '../src/auth/service.fixture.ts'
import { outcomesOf } from './outcomes.ts'
import { forEachStore, racesOn, type Store } from './stores.ts'

const email = 'maya@harborlight.example'
const phone = '+6591234567'
const oldPassword = 'tidal-lantern-42'
const newPassword = 'copper-meadow-7'

const off = {
  per_ip: { enabled: false },
  per_user_per_ip: { enabled: false },
  per_user: { enabled: false },
}
const delta: ConfigDelta = {
  identity: { login_id: { keys: [{ type: 'email' }, { type: 'phone' }] } },
  authentication: { rate_limits: { general: off } },
  forgot_password: {
    revoke_sessions: true,
    rate_limits: { email: { validate_per_ip: { enabled: false } } },
  },
}

/** The hashes of all primary passwords. */
async function passwordsOf(storage: Storage): Promise<readonly string[]> {
  const found = await authenticatorCollection.find(storage, { by: 'id', limit: maxOfAKind })
  return found.flatMap(({ value }) =>
    value.type === 'password' && value.kind === 'primary' ? [value.hash] : [],
  )
}

function describeRaces(store: Store): void {
  const it = racesOn(store.name)
  describe(`recoveries on ${store.name}`, () => {
    let worlds: readonly [TestAuth, TestAuth]
    let one: TestAuth
    let clock: ManualClock
    beforeEach(async () => {
      clock = createManualClock(startOfTests)
      const storage = await store.openEmpty(clock)
      // Only PostgreSQL storages share their records.
      const other = store.name === 'postgres' ? store.open(clock) : storage
      one = testAuth(delta, { storage, clock })
      worlds = [one, testAuth(delta, { storage: other, clock })]
    })
    afterEach(async () => {
      for (const { storage } of worlds) await storage.close()
    })

    const worldFor = (index: number): TestAuth => worlds[index % 2 === 0 ? 0 : 1]

    /** The results of concurrent requests, half of them to another process. */
    const allAtOnce = (
      count: number,
      send: (world: TestAuth, index: number) => Promise<FlowResult>,
    ): Promise<readonly FlowResult[]> =>
      Promise.all(Array.from({ length: count }, (_, index) => send(worldFor(index), index)))

    const reset = ({ auth }: TestAuth, token: string, text: string): Promise<FlowResult> =>
      advanceFlow(auth, { state_token: token, input: { new_password: text } })

    const restore = (
      { auth }: TestAuth,
      ...inputs: readonly { readonly [name: string]: Json }[]
    ): Promise<FlowResult> => advanceFlow(auth, { batch_input: inputs })

    /** A recovery at the step that asks for the code, and the code. */
    async function atCode(
      loginId: string,
    ): Promise<{ readonly flow: TestFlow; readonly code: string }> {
      const flow = await startFlow(one, 'account_recovery')
      const identification = loginId === email ? 'email' : 'phone'
      await flow.input({ identification, login_id: loginId })
      stateOf(await flow.input({ index: 0 }))
      await Promise.all(one.auth.sending)
      return { flow, code: one.codeTo(loginId) }
    }

    /** The same after the correct code. */
    async function atReset(loginId: string): Promise<TestFlow> {
      const { flow, code } = await atCode(loginId)
      stateOf(await flow.input({ account_recovery_code: code }))
      return flow
    }

    /** Creates Maya, whose password has a hash that her next login replaces. */
    async function withMaya(): Promise<string> {
      const hash = await createScryptHasher({ N: 32, r: 1, p: 1 }).hash(oldPassword)
      const [made] = await importUsers(one.auth, [
        {
          email,
          phone_number: phone,
          password: { type: 'scrypt', password_hash: hash },
        },
      ])
      if (made?.outcome !== 'inserted') throw new Error('could not create Maya')
      return made.user_id
    }

    /** Which of the texts matches the only stored password. */
    async function soleOf(texts: readonly string[]): Promise<readonly string[]> {
      const [hash = '', ...others] = await passwordsOf(one.storage)
      expect(others).toEqual([])
      const matching: string[] = []
      for (const text of texts) if (await one.auth.hasher.verify(text, hash)) matching.push(text)
      return matching
    }

    it('a code sets one password, of many resets in siblings and restored flows', async () => {
      await withMaya()
      const half = isWide ? 25 : 10
      const { flow, code } = await atCode(email)
      const sibling = stateOf(await flow.input({ account_recovery_code: code })).state_token
      const restored = await allAtOnce(half, (world) =>
        restore(world, { account_recovery_code: code }),
      )
      const tokens = [
        ...Array.from({ length: half }, () => sibling),
        ...restored.map((result) => stateOf(result).state_token),
      ]
      const texts = tokens.map((_, index) => `copper-meadow-${index}`)
      const results = await allAtOnce(tokens.length, (world, index) => {
        return reset(world, tokens[index] ?? '', texts[index] ?? '')
      })
      const winner = results.findIndex(({ ok }) => ok)
      expect(results.filter(({ ok }) => ok)).toHaveLength(1)
      expect(await soleOf(texts)).toEqual([texts[winner]])
      for (const [index, result] of results.entries()) {
        if (result.ok) continue
        // If a sibling has ended the flow, the others get that it is over.
        const isOver = index < half && winner < half
        expect(result.error).toMatchObject(
          isOver
            ? { code: 404, reason: 'AuthenticationFlowNotFound' }
            : { code: 400, info: { cause: { kind: 'UsedCode' } } },
        )
      }
      const late = await restore(one, { account_recovery_code: code })
      expect(late).toMatchObject({ ok: false, error: { info: { cause: { kind: 'UsedCode' } } } })
    })

    it('a link can be opened repeatedly, and sets one password', async () => {
      await withMaya()
      const several = isWide ? 20 : 8
      const { code } = await atCode(email)
      const opened = await allAtOnce(several, (world) =>
        restore(world, { account_recovery_code: code }),
      )
      expect(outcomesOf(opened)).toEqual({ reset_password: several })
      const texts = opened.map((_, index) => `copper-meadow-${index}`)
      const results = await allAtOnce(several, (world, index) => {
        const input = { new_password: texts[index] ?? '' }
        return restore(world, { account_recovery_code: code }, input)
      })
      expect(outcomesOf(results)).toEqual({ finished: 1, PasswordResetFailed: several - 1 })
      expect(await soleOf(texts)).toEqual([texts[results.findIndex(({ ok }) => ok)]])
      const late = await allAtOnce(several, (world, index) => {
        const result = opened[index]
        return reset(world, result?.ok ? result.result.state_token : '', newPassword)
      })
      expect(outcomesOf(late)).toEqual({ PasswordResetFailed: several })
    })

    it('two recoveries of one user by two addresses leave one password, even if there was none', async () => {
      for (const password of [oldPassword, undefined]) {
        const given = password === undefined ? {} : { password }
        const id = await createUser(one.auth, { email, phone_number: phone, ...given })
        const flows = [await atReset(email), await atReset(phone)]
        const texts = flows.map((_, index) => `copper-meadow-${index}`)
        const results = await allAtOnce(2, (world, index) => {
          return reset(world, flows[index]?.token ?? '', texts[index] ?? '')
        })
        expect(outcomesOf(results)).toEqual({ finished: 2 })
        expect(await soleOf(texts)).toHaveLength(1)
        await deleteUser(one.auth, id)
        clock.advance(61_000)
      }
    })

    it('a recovery and concurrent logins end with the new password and without sessions of the old one', async () => {
      await withMaya()
      const shown = { authentication: 'primary_password', password: oldPassword }
      for (let round = 0; round < runsOf(5); round++) {
        const logins = await Promise.all(worlds.map((world) => startFlow(world, 'login')))
        for (const flow of logins) await flow.input({ identification: 'email', login_id: email })
        const recovery = await atReset(email)
        const [ended, ...signedIn] = await Promise.all([
          reset(worldFor(round), recovery.token, newPassword),
          ...logins.map((flow) => flow.input(shown)),
        ])
        expect(outcomesOf([ended as FlowResult])).toEqual({ finished: 1 })
        for (const result of signedIn) {
          const outcome = result.ok ? result.result.action.type : result.error.reason
          expect(['finished', 'InvalidCredentials']).toContain(outcome)
        }
        expect(await sessionCollection.find(one.storage, { by: 'id', limit: 9 })).toEqual([])
        expect(await soleOf([oldPassword, newPassword])).toEqual([newPassword])
        const hash = await createScryptHasher({ N: 32, r: 1, p: 1 }).hash(oldPassword)
        const [stored] = await authenticatorCollection.find(one.storage, { by: 'id', limit: 1 })
        if (stored?.value.type !== 'password') throw new Error('Maya has no password')
        const back = { ...stored.value, hash, updated_at: clock.now() }
        await one.storage.commit([authenticatorCollection.write(stored.id, back)])
        clock.advance(61_000)
      }
    })

    it('a recovery of a user deleted at the same moment leaves no record of them', async () => {
      for (let round = 0; round < runsOf(5); round++) {
        const id = await createUser(one.auth, { email })
        const recovery = await atReset(email)
        const [ended] = await Promise.all([
          reset(worldFor(round), recovery.token, newPassword),
          deleteUser(worldFor(round + 1).auth, id),
        ])
        const outcome = ended?.ok ? ended.result.action.type : ended?.error.reason
        expect(['finished', 'UserNotFound', 'AuthenticationFlowNoUserID']).toContain(outcome)
        for (const collection of [userCollection, identityCollection, authenticatorCollection]) {
          expect(await one.storage.find(collection, { by: 'id', limit: 9 })).toEqual([])
        }
        clock.advance(61_000)
      }
    })
  })
}

forEachStore(authCollections, describeRaces)

/** After how many recoveries the program is killed each time: usually once. */
const crashesOn = (name: 'sqlite' | 'postgres'): readonly number[] =>
  isWide ? [5, 20, 40, 60] : name === 'sqlite' ? [5] : [15]

/** A database under which a program is killed, and the means to open it. */
interface Place {
  readonly args: readonly string[]
  open(): Storage
  release(): Promise<void>
}

function describeCrashes(crashesAfter: readonly number[], prepare: () => Promise<Place>): void {
  let program: string
  let place: Place
  beforeAll(async () => {
    program = await bundleFixture(new URL('./auth-recoveries.fixture.ts', import.meta.url))
    place = await prepare()
  })
  afterAll(async () => {
    await place.release()
    await rm(program)
  })

  it('a crash during recoveries leaves every user one password, and a spent code for each new one', async () => {
    const done: string[] = []
    for (const [round, lines] of crashesAfter.entries()) {
      const running = startFixture(program, [...place.args, String(round)])
      await running.hasWritten(lines)
      await running.kill()
      done.push(...running.lines)
    }
    const storage = place.open()
    const { auth } = testAuth(delta, { storage })
    const identities = await identityCollection.find(storage, { by: 'id', limit: maxOfAKind })
    const queued = await outboxCollection.find(storage, { by: 'id', limit: 10_000 })
    const resets = queued.flatMap(({ value }) => {
      const { type, context } = Object(value.event)
      return type === 'password.primary.reset' ? [context.user_id] : []
    })
    let changed = 0
    for (const { value: identity } of identities) {
      const { user_id: userId, email: target = '' } = identity
      const query = { by: 'user_id', equals: userId, limit: 9 } as const
      const [password, ...others] = await authenticatorCollection.find(storage, query)
      if (password?.value.type !== 'password') throw new Error('a user has no password')
      const { hash } = password.value
      const isNew = await auth.hasher.verify(newPassword, hash)
      const isOld = await auth.hasher.verify(oldPassword, hash)
      const key = codeKey(auth, { purpose: 'forgot_password', target, form: 'link' }, 'any flow')
      const code = await codeCollection.get(storage, key)
      expect({
        target,
        others,
        passwords: [isOld, isNew].filter(Boolean).length,
        isSpent: code?.value.state === 'used',
        isTold: resets.filter((id) => id === userId).length,
      }).toEqual({ target, others: [], passwords: 1, isSpent: isNew, isTold: isNew ? 1 : 0 })
      if (done.includes(target)) expect([target, isNew]).toEqual([target, true])
      if (isNew) changed++
    }
    expect(changed).toBeGreaterThanOrEqual(done.length)
    expect(done.length).toBeGreaterThanOrEqual(crashesAfter.reduce((sum, lines) => sum + lines))
    // Each of the four workers may have ended a recovery before the crash without reporting it.
    expect(changed).toBeLessThanOrEqual(done.length + 4 * crashesAfter.length)
    await storage.close()
  })
}

describe('on SQLite', () => {
  describeCrashes(crashesOn('sqlite'), async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-recoveries-'))
    const filename = join(folder, 'auth.db')
    return {
      args: ['sqlite', filename],
      open: () => createSqliteStorage({ filename }),
      release: () => rm(folder, { recursive: true }),
    }
  })
})

describeWithPostgres('on PostgreSQL', () => {
  describeCrashes(crashesOn('postgres'), async () => {
    const url = await freshDatabase()
    return {
      args: ['postgres', url],
      open: () => createPostgresStorage({ timeoutMs: 60_000, url }),
      release: () => dropDatabase(url),
    }
  })
})
