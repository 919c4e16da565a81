import type { FlowResult, Storage } from '@gatehouse/core'
import { createManualClock } from '@gatehouse/core/testing'
import { afterEach, beforeEach, expect } from 'vitest'
import { runsOf } from '../../../test-support/lane.ts'
import { maxOfAKind } from '../src/auth/accounts/accounts.ts'
import { identityCollection, identityKeyCollection } from '../src/auth/accounts/identity-record.ts'
import { recoveryCodeCollection } from '../src/auth/accounts/recovery-code-record.ts'
import { advanceFlow } from '../src/auth/flows/advance-flow.ts'
import { totpCode } from '../src/auth/kinds/totp/totp.ts'
import {
  eventsOf,
  maya,
  type Person,
  sessionOf,
  signedIn,
  tom,
} from '../src/auth/own-account/account.fixture.ts'
import { removeIdentity } from '../src/auth/own-account/remove-identity.ts'
import { scheduleDeletion } from '../src/auth/own-account/schedule-deletion.ts'
import { addAuthenticator } from '../src/auth/people/add-authenticator.ts'
import { addIdentity } from '../src/auth/people/add-identity.ts'
import { addRecoveryCodes } from '../src/auth/people/add-recovery-codes.ts'
import { createUser } from '../src/auth/people/create-user.ts'
import { getUser } from '../src/auth/people/get-user.ts'
import { endDueUsers } from '../src/auth/people/start-user-maintenance.ts'
import { decodeBase32 } from '../src/auth/secrets/base32.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  startOfTests,
  stateOf,
  type TestAuth,
  type TestFlow,
  testAuth,
} from '../src/auth/service.fixture.ts'
import { listSessions } from '../src/auth/sessions/list-sessions.ts'
import { forEachStoragePair, type StoragePair } from './storage-pairs.ts'

const secret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'
const rounds = runsOf(5)

const delta: ConfigDelta = {
  account_deletion: { scheduled_by_end_user_enabled: true },
  authentication: {
    recovery_code: { count: 10 },
    rate_limits: {
      general: {
        per_ip: { enabled: false },
        per_user_per_ip: { enabled: false },
        per_user: { enabled: false },
      },
      account_enumeration: { per_ip: { enabled: false } },
    },
  },
  identity: { login_id: { keys: [{ type: 'email' }, { type: 'username' }] } },
  verification: { claims: { email: { enabled: false } } },
}

const outcomeOf = (result: FlowResult): string =>
  result.ok ? result.result.action.type : result.error.reason

const idsOf = async (storage: Storage, collection: Parameters<Storage['find']>[0]) =>
  (await storage.find(collection, { by: 'id', limit: maxOfAKind })).map(({ id }) => id)

const codeOf = (text: string, now: number): string =>
  totpCode(decodeBase32(text) ?? new Uint8Array(), Math.floor(now / 30_000))

forEachStoragePair((open, it) => {
  let pair: StoragePair
  let one: TestAuth
  let two: TestAuth
  const clock = createManualClock(startOfTests)
  beforeEach(async () => {
    pair = await open(clock)
    const [first, second] = pair.storages
    one = { ...testAuth(delta, { storage: first, clock }), clock }
    two = { ...testAuth(delta, { storage: second, clock }), clock }
  })
  afterEach(() => pair.release())

  /** The same person at the other service. */
  const elsewhere = (person: Person): Promise<Person> => sessionOf(two, person.id)

  it('a deletion asked for twice at once is one, and a sign-in at the same moment leaves no session', async () => {
    for (let round = 0; round < rounds; round++) {
      const user = { email: `leaving${round}@harborlight.example`, password: maya.password }
      const person = await signedIn(one, user)
      const flow = await startFlow(two, 'login')
      await flow.input({ identification: 'email', login_id: user.email })
      const [first, second, result] = await Promise.all([
        scheduleDeletion(one.auth, person.session),
        scheduleDeletion(two.auth, person.session),
        flow.input({ authentication: 'primary_password', password: user.password }),
      ])
      expect(second).toBe(first)
      expect(['finished', 'check_account_status', 'ScheduledDeletionByEndUser']).toContain(
        outcomeOf(result),
      )
      expect(await listSessions(one.auth, person.id)).toEqual([])
      const events = await eventsOf(one)
      const scheduled = events.filter(
        ({ type, context }) => type === 'user.deletion_scheduled' && context.user_id === person.id,
      )
      expect(scheduled).toHaveLength(1)
    }
  })

  it('an account is kept or deleted when both happen at once, never half', async () => {
    for (let round = 0; round < rounds; round++) {
      const user = { email: `unsure${round}@harborlight.example`, password: maya.password }
      const person = await signedIn(one, user)
      const at = await scheduleDeletion(one.auth, person.session)
      clock.advance(at - clock.now() - 60_000)
      const flow = await startFlow(two, 'login')
      await flow.input({ identification: 'email', login_id: user.email })
      await flow.input({ authentication: 'primary_password', password: user.password })
      const keep = flow.input({ keep_account: true })
      clock.advance(60_000)
      const [result] = await Promise.all([keep, endDueUsers(one.auth), endDueUsers(two.auth)])
      const left = await getUser(one.auth, person.id).catch(() => undefined)
      const isKept = outcomeOf(result) === 'finished'
      expect([isKept, left?.delete_at]).toEqual(isKept ? [true, null] : [false, undefined])
      expect(await listSessions(one.auth, person.id)).toHaveLength(isKept ? 1 : 0)
    }
  })

  it('sign-ins from a new network at once are reported once', async () => {
    const user = { email: 'roaming@harborlight.example', password: maya.password }
    const id = await createUser(one.auth, user)
    const begin = async (world: TestAuth, ip: string): Promise<TestFlow> => {
      const flow = await startFlow(world, 'login', { ip, userAgent: 'a browser' })
      await flow.input({ identification: 'email', login_id: user.email })
      return flow
    }
    const shown = { authentication: 'primary_password', password: user.password }
    stateOf(await (await begin(one, '192.0.2.1')).input(shown))
    for (let round = 0; round < rounds; round++) {
      const ip = `198.51.100.${round}`
      const flows = await Promise.all([one, two, one, two].map((world) => begin(world, ip)))
      const results = await Promise.all(flows.map((flow) => flow.input(shown)))
      expect(results.map(outcomeOf)).toEqual(['finished', 'finished', 'finished', 'finished'])
      const reported = (await eventsOf(one)).filter(
        ({ type, context }) => type === 'user.new_sign_in' && context.user_id === id,
      )
      expect(reported).toHaveLength(round + 1)
    }
  })

  it('an address added by two users at once goes to one of them', async () => {
    const people = [await signedIn(one), await signedIn(two, tom)]
    for (let round = 0; round < rounds; round++) {
      const login_id = `shared${round}@harborlight.example`
      const flows = await Promise.all(people.map((who) => who.begin({ add_identity: 'email' })))
      const input = { identification: 'email', login_id }
      const results = await Promise.all(flows.map((flow) => flow.input(input)))
      expect(results.map(outcomeOf).sort()).toEqual(['InvariantViolated', 'finished'])
    }
    const identities = await idsOf(pair.storages[0], identityCollection)
    const keys = await idsOf(pair.storages[0], identityKeyCollection)
    expect([identities.length, keys.length]).toEqual([rounds + 2, rounds + 2])
  })

  it('of two identities removed at once, one remains', async () => {
    for (let round = 0; round < rounds; round++) {
      const user = { email: `maya${round}@harborlight.example`, password: maya.password }
      const person = await signedIn(one, { ...user, preferred_username: `maya${round}` })
      const { identities } = await person.details()
      const removals = identities.map(({ id }, index) =>
        removeIdentity((index === 0 ? one : two).auth, person.session, id),
      )
      const outcomes = (await Promise.allSettled(removals)).map((result) =>
        result.status === 'fulfilled' ? 'removed' : result.reason.info.cause.kind,
      )
      expect(outcomes.sort()).toEqual(['RemoveLastIdentity', 'removed'])
      expect((await person.details()).identities).toHaveLength(1)
    }
  })

  it('states of one flow set up an app once, two flows set it up twice', async () => {
    const person = await signedIn(one)
    const begin = async (who: Person): Promise<{ flow: TestFlow; code: string }> => {
      const flow = await who.begin({ create_authenticator: ['secondary_totp'] })
      const set = stateOf(await flow.input({ authentication: 'secondary_totp' }))
      return { flow, code: codeOf(String(set.action.data.secret), clock.now()) }
    }
    const { flow, code } = await begin(person)
    stateOf(await flow.input({ code }))
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const { auth } = index % 2 === 0 ? one : two
        const given = { state_token: flow.token, input: { confirm_recovery_code: true } }
        return advanceFlow(auth, given, person.request)
      }),
    )
    expect(results.map(outcomeOf).sort()).toEqual([
      ...Array.from({ length: 9 }, () => 'AuthenticationFlowNotFound'),
      'finished',
    ])
    expect((await person.details()).authenticators).toHaveLength(2)
    const both = [await begin(person), await begin(await elsewhere(person))]
    const ended = await Promise.all(both.map((each) => each.flow.input({ code: each.code })))
    expect(ended.map(outcomeOf)).toEqual(['finished', 'finished'])
    expect((await person.details()).authenticators).toHaveLength(4)
  })

  it('a password changed by two at once is that of one of them', async () => {
    const person = await signedIn(one)
    let { password }: { password: string } = maya
    for (let round = 0; round < rounds; round++) {
      const people = [await sessionOf(one, person.id), await elsewhere(person)]
      const flows = await Promise.all(
        people.map((who) => who.begin({ change_password: 'primary' })),
      )
      for (const flow of flows) {
        stateOf(await flow.input({ authentication: 'primary_password', password }))
      }
      const wanted = flows.map((_, index) => `copper-meadow-${round}-${index}`)
      const results = await Promise.all(
        flows.map((flow, index) => flow.input({ new_password: wanted[index] ?? '' })),
      )
      // Either the old password is no longer the current one, or the other change has ended the session.
      expect(results.map(outcomeOf).sort()).toEqual([
        expect.stringMatching(/^(?:InvalidCredentials|SelectAccountSessionChanged)$/),
        'finished',
      ])
      password = wanted[results.findIndex(({ ok }) => ok)] ?? ''
      const login = await startFlow(one, 'login')
      stateOf(await login.input({ identification: 'email', login_id: maya.email }))
      const by = await login.input({ authentication: 'primary_password', password })
      expect(outcomeOf(by)).toBe('finished')
    }
  })

  it('states of one flow change a password once', async () => {
    const person = await signedIn(one)
    const flow = await person.begin({ change_password: 'primary' })
    stateOf(await flow.input({ authentication: 'primary_password', password: maya.password }))
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const { auth } = index % 2 === 0 ? one : two
        const given = { state_token: flow.token, input: { new_password: `copper-meadow-${index}` } }
        return advanceFlow(auth, given, person.request)
      }),
    )
    expect(results.map(outcomeOf).sort()).toEqual([
      ...Array.from({ length: 9 }, () => 'AuthenticationFlowNotFound'),
      'finished',
    ])
  })

  it('a recovery code is useless once there are new ones, whichever request is faster', async () => {
    const person = await signedIn(one)
    await addAuthenticator(one.auth, person.id, { type: 'totp', secret })
    const toSecond = async (world: TestAuth): Promise<TestFlow> => {
      const login = await startFlow(world, 'login')
      stateOf(await login.input({ identification: 'email', login_id: maya.email }))
      const { password } = maya
      stateOf(await login.input({ authentication: 'primary_password', password }))
      return login
    }
    for (let round = 0; round < rounds; round++) {
      const [spent = '', spare = ''] = await addRecoveryCodes(one.auth, person.id)
      const renewing = await person.begin({ create_recovery_codes: true })
      const login = await toSecond(two)
      const [renewed, used] = await Promise.all([
        renewing.input({ confirm_recovery_code: true }),
        login.input({ authentication: 'recovery_code', recovery_code: spent }),
      ])
      expect(outcomeOf(renewed)).toBe('finished')
      expect(['finished', 'InvalidCredentials']).toContain(outcomeOf(used))
      for (const recovery_code of [spent, spare]) {
        const late = await toSecond(one)
        const refused = await late.input({ authentication: 'recovery_code', recovery_code })
        expect(errorOf(refused).reason).toBe('InvalidCredentials')
      }
      expect(await idsOf(pair.storages[1], recoveryCodeCollection)).toHaveLength(10)
      expect((await person.details()).recovery_codes).toBe(10)
    }
  })

  it('nobody signs in with a removed identity', async () => {
    const spare = 'spare@harborlight.example'
    const { password } = maya
    const id = await createUser(one.auth, maya)
    const person = await sessionOf(one, id)
    for (let round = 0; round < rounds; round++) {
      const added = await addIdentity(two.auth, id, { type: 'email', value: spare })
      const login = await startFlow(two, 'login')
      stateOf(await login.input({ identification: 'email', login_id: spare }))
      const [by] = await Promise.all([
        login.input({ authentication: 'primary_password', password }),
        removeIdentity(one.auth, person.session, added),
      ])
      expect(['finished', 'UserNotFound']).toContain(outcomeOf(by))
      const late = await startFlow(two, 'login')
      const refused = await late.input({ identification: 'email', login_id: spare })
      expect(errorOf(refused).reason).toBe('UserNotFound')
    }
    expect((await person.details()).identities).toHaveLength(1)
  })

  it('a profile change does not overwrite another one', async () => {
    const person = await signedIn(one)
    const flows = await Promise.all(
      ['/nickname', '/name', '/family_name'].map(async (pointer, index) => {
        const who = index === 1 ? await elsewhere(person) : person
        return { pointer, flow: await who.begin({ fill_in_user_profile: [pointer] }) }
      }),
    )
    const results = await Promise.all(
      flows.map(({ pointer, flow }) =>
        flow.input({ attributes: [{ pointer, value: `May ${pointer}` }] }),
      ),
    )
    expect(results.map(outcomeOf)).toEqual(['finished', 'finished', 'finished'])
    expect((await person.details()).standard_attributes).toEqual({
      email: maya.email,
      nickname: 'May /nickname',
      name: 'May /name',
      family_name: 'May /family_name',
    })
  })
})
