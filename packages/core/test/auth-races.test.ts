import type { Clock, Storage } from '@gatehouse/core'
import { createManualClock } from '@gatehouse/core/testing'
import { afterEach, beforeEach, expect } from 'vitest'
import { runsOf } from '../../../test-support/lane.ts'
import { maxOfAKind } from '../src/auth/accounts/accounts.ts'
import { authenticatorCollection } from '../src/auth/accounts/authenticator-record.ts'
import { identityCollection, identityKeyCollection } from '../src/auth/accounts/identity-record.ts'
import { sessionCollection } from '../src/auth/accounts/session-record.ts'
import { userCollection } from '../src/auth/accounts/user-record.ts'
import { advanceFlow } from '../src/auth/flows/advance-flow.ts'
import { createFlow } from '../src/auth/flows/create-flow.ts'
import { importUsers } from '../src/auth/people/import-users.ts'
import {
  type ConfigDelta,
  startFlow,
  startOfTests,
  stateOf,
  type TestAuth,
  testAuth,
} from '../src/auth/service.fixture.ts'
import { outcomesOf } from './outcomes.ts'
import { forEachStoragePair, type StoragePair } from './storage-pairs.ts'
import type { Races } from './stores.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const noLimits: ConfigDelta = {
  authentication: {
    rate_limits: {
      general: {
        per_ip: { enabled: false },
        per_user_per_ip: { enabled: false },
        per_user: { enabled: false },
      },
      signup: { per_ip: { enabled: false } },
      account_enumeration: { per_ip: { enabled: false } },
    },
  },
  verification: {
    rate_limits: {
      email: { validate_per_ip: { enabled: false }, validate_per_user: { enabled: false } },
    },
  },
}

const countOf = async (storage: Storage, collection: Parameters<Storage['find']>[0]) =>
  (await storage.find(collection, { by: 'id', limit: maxOfAKind })).length

function describeRaces(open: (clock: Clock) => Promise<StoragePair>, it: Races): void {
  let pair: StoragePair
  let clock: Clock
  beforeEach(async () => {
    clock = createManualClock(startOfTests)
    pair = await open(clock)
  })
  afterEach(() => pair.release())

  /** Two services in one database, whose messages reach the same people. */
  const worlds = (delta: ConfigDelta = noLimits): readonly [TestAuth, TestAuth] => {
    const [one, two] = pair.storages
    return [testAuth(delta, { storage: one, clock }), testAuth(delta, { storage: two, clock })]
  }

  it('of two siblings, one ends a flow', async () => {
    const [one, two] = worlds()
    const hash = await one.auth.hasher.hash(password)
    await importUsers(one.auth, [{ email, password: { type: 'scrypt', password_hash: hash } }])
    for (let round = 0; round < runsOf(5); round++) {
      const flow = await startFlow(one, 'login')
      await flow.input({ identification: 'email', login_id: email })
      const input = { authentication: 'primary_password', password }
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) => {
          const { auth } = index % 2 === 0 ? one : two
          return advanceFlow(auth, { state_token: flow.token, input })
        }),
      )
      expect(outcomesOf(results)).toEqual({ finished: 1, AuthenticationFlowNotFound: 9 })
      expect(await countOf(pair.storages[0], sessionCollection)).toBe(round + 1)
    }
  })

  it('a code is spent once, however many requests use it at once', async () => {
    const [one, two] = worlds()
    const flow = await startFlow(one, 'signup')
    await flow.input({ identification: 'email', login_id: email })
    const code = one.codeTo(email)
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const { auth } = index % 2 === 0 ? one : two
        return advanceFlow(auth, { state_token: flow.token, input: { code } })
      }),
    )
    expect(outcomesOf(results)).toEqual({ create_authenticator: 1, InvalidVerificationCode: 49 })
  })

  it('an address used by fifty concurrent sign-ups goes to one of them', async () => {
    const delta = { ...noLimits, verification: { claims: { email: { required: false } } } }
    const [one, two] = worlds(delta)
    const flows = await Promise.all(
      Array.from({ length: 50 }, (_, index) => startFlow(index % 2 === 0 ? one : two, 'signup')),
    )
    for (const flow of flows) {
      stateOf(await flow.input({ identification: 'email', login_id: email }))
    }
    const results = await Promise.all(
      flows.map((flow) =>
        flow.input({ authentication: 'primary_password', new_password: password }),
      ),
    )
    expect(outcomesOf(results)).toEqual({ finished: 1, InvariantViolated: 49 })
    const [storage] = pair.storages
    const collections = [
      userCollection,
      identityCollection,
      identityKeyCollection,
      authenticatorCollection,
      sessionCollection,
    ]
    for (const collection of collections) {
      expect([collection.name, await countOf(storage, collection)]).toEqual([collection.name, 1])
    }
  })

  it('a rate limit lets exactly the configured number through', async () => {
    const limit = { enabled: true, period: '1m', burst: 30 }
    const [one, two] = worlds({ authentication_flow: { rate_limits: { per_ip: limit } } })
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const { auth } = index % 2 === 0 ? one : two
        return createFlow(auth, { type: 'login', name: 'default' }, { ip: '192.0.2.1' })
      }),
    )
    expect(outcomesOf(results)).toEqual({ identify: 30, TooManyRequest: 170 })
  })

  it('an account is locked after exactly the configured number of failures, whoever causes them', async () => {
    const lockout = {
      max_attempts: 6,
      history_duration: '1h',
      minimum_duration: '1m',
      maximum_duration: '5m',
      backoff_factor: 2,
      lockout_type: 'per_user',
      password: { enabled: true },
    }
    const { authentication } = noLimits as { authentication: object }
    const [one, two] = worlds({ ...noLimits, authentication: { ...authentication, lockout } })
    const hash = await one.auth.hasher.hash(password)
    await importUsers(one.auth, [{ email, password: { type: 'scrypt', password_hash: hash } }])
    const flow = await startFlow(one, 'login')
    await flow.input({ identification: 'email', login_id: email })
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const { auth } = index % 2 === 0 ? one : two
        const input = { authentication: 'primary_password', password: `wrong ${index}` }
        return advanceFlow(auth, { state_token: flow.token, input }, { ip: `192.0.2.${index}` })
      }),
    )
    expect(outcomesOf(results)).toEqual({ InvalidCredentials: 5, AccountLockout: 25 })
    const right = { authentication: 'primary_password', password }
    expect(await flow.input(right)).toMatchObject({ error: { reason: 'AccountLockout' } })
  })
}

forEachStoragePair(describeRaces)
