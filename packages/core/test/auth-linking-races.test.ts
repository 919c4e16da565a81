import { createUser, type FlowResult, type Storage } from '@gatehouse/core'
import { authCollections, removeIdentity } from '@gatehouse/core/auth'
import { createManualClock, type ManualClock } from '@gatehouse/core/testing'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { isWide } from '../../../test-support/lane.ts'
import { maxOfAKind } from '../src/auth/accounts/accounts.ts'
import { identityKey } from '../src/auth/accounts/identities.ts'
import { identityCollection, identityKeyCollection } from '../src/auth/accounts/identity-record.ts'
import { sessionCollection } from '../src/auth/accounts/session-record.ts'
import { userCollection } from '../src/auth/accounts/user-record.ts'
import { createFakeOAuthClient } from '../src/auth/kinds/oauth/oauth.fixture.ts'
import {
  callback,
  comeBy,
  leaveFor,
  type OAuthHouse,
  oauthHouse,
  urlOf,
  userOf,
} from '../src/auth/kinds/oauth/oauth-house.fixture.ts'
import { email, mayaThere, password, rule } from '../src/auth/linking/linking-house.fixture.ts'
import { getUser } from '../src/auth/people/get-user.ts'
import { startFlow, startOfTests, stateOf, type TestFlow } from '../src/auth/service.fixture.ts'
import { outcomesOf } from './outcomes.ts'
import { forEachStore, racesOn, type Store } from './stores.ts'

const off = {
  per_ip: { enabled: false },
  per_user_per_ip: { enabled: false },
  per_user: { enabled: false },
}
const delta = {
  authentication: {
    rate_limits: {
      general: off,
      signup: { per_ip: { enabled: false } },
      account_enumeration: { per_ip: { enabled: false } },
    },
  },
  // Accounts of the cloud differ by their phone numbers, so that several may have the same address.
  account_linking: { oauth: [rule('google'), rule('cloud', 'error', '/phone_number')] },
}

function causeOf({ error }: Extract<FlowResult, { ok: false }>): string {
  const { cause } = Object(error.info)
  return cause === undefined ? error.reason : `${error.reason} ${cause.kind}`
}

/** How many requests there are at once, more than the pool has connections. */
const several = isWide ? 20 : 8

const all = { by: 'id', limit: maxOfAKind } as const

/** Every identity has its key, every key its identity, and both belong to an existing user. */
async function checkIdentities(storage: Storage): Promise<number> {
  const identities = await identityCollection.find(storage, all)
  const keys = await identityKeyCollection.find(storage, all)
  const keyOf = ({ id, value }: (typeof identities)[number]) => ({
    id: identityKey(value),
    value: { user_id: value.user_id, identity_id: id },
  })
  const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1)
  expect(keys.map(({ id, value }) => ({ id, value })).sort(byId)).toEqual(
    identities.map(keyOf).sort(byId),
  )
  const users = await userCollection.find(storage, all)
  const owners = new Set(identities.map(({ value }) => value.user_id))
  expect([...owners].sort()).toEqual(users.map(({ id }) => id).sort())
  return identities.length
}

function describeRaces(store: Store): void {
  const it = racesOn(store.name)
  describe(`provider accounts on ${store.name}`, () => {
    let clock: ManualClock
    let storages: readonly Storage[]
    let houses: readonly [OAuthHouse, OAuthHouse]
    let one: OAuthHouse
    beforeEach(async () => {
      clock = createManualClock(startOfTests)
      const storage = await store.openEmpty(clock)
      const other = store.name === 'postgres' ? store.open(clock) : storage
      storages = [...new Set([storage, other])]
      const oauth = createFakeOAuthClient()
      const house = (own: Storage): OAuthHouse => ({
        ...oauthHouse(delta, undefined, { storage: own, clock, oauth }),
        oauth,
      })
      one = house(storage)
      houses = [one, house(other)]
    })
    afterEach(() => Promise.all(storages.map((storage) => storage.close())))

    /** Starts flows, half of them in another process. */
    const startFlows = (count: number): Promise<readonly TestFlow[]> =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          startFlow(houses[index % 2 === 0 ? 0 : 1], 'signup'),
        ),
      )

    it('belong to one user when many sign up with one at once', async () => {
      const flows = await startFlows(isWide ? 50 : 20)
      const queries = new Map<TestFlow, string>()
      for (const flow of flows) {
        queries.set(flow, one.oauth.signIn(await leaveFor(flow), mayaThere))
      }
      const results = await Promise.all(
        flows.map((flow) => flow.input({ query: queries.get(flow) ?? '' })),
      )
      expect(outcomesOf(results, causeOf)).toEqual({
        finished: 1,
        'InvariantViolated DuplicatedIdentity': flows.length - 1,
      })
      expect(await checkIdentities(one.storage)).toBe(1)
      expect(await sessionCollection.find(one.storage, all)).toHaveLength(1)
    })

    it('are linked to an account once, however many requests link one at once', async () => {
      const id = await createUser(one.auth, { email, password })
      const flows = await startFlows(several)
      for (const flow of flows) {
        stateOf(await comeBy(one, flow, mayaThere))
        stateOf(await flow.input({ index: 0 }))
      }
      const showing = { authentication: 'primary_password', password }
      const results = await Promise.all(flows.map((flow) => flow.input(showing)))
      expect(outcomesOf(results, causeOf)).toEqual({
        finished: 1,
        'InvariantViolated DuplicatedIdentity': flows.length - 1,
      })
      expect(await checkIdentities(one.storage)).toBe(2)
      expect((await getUser(one.auth, id)).identities).toHaveLength(2)
      expect(await sessionCollection.find(one.storage, all)).toHaveLength(1)
    })

    it('are linked to one of several accounts whose users all link one at once', async () => {
      const there = (index: number) => ({ subject: `cloud-${index}`, email, email_verified: true })
      const flows = await startFlows(several)
      for (let index = 0; index < flows.length; index++) {
        stateOf(await comeBy(one, await startFlow(one, 'signup'), there(index), 'cloud'))
        clock.advance(1)
      }
      const queries = new Map<TestFlow, string>()
      for (const [index, flow] of flows.entries()) {
        const choice = stateOf(await comeBy(one, flow, mayaThere))
        expect(choice.action.data.options).toHaveLength(flows.length)
        const url = urlOf(await flow.input({ index, redirect_uri: callback }))
        queries.set(flow, one.oauth.signIn(url, there(index)))
      }
      const results = await Promise.all(
        flows.map((flow) => flow.input({ query: queries.get(flow) ?? '' })),
      )
      expect(outcomesOf(results, causeOf)).toEqual({
        finished: 1,
        'InvariantViolated DuplicatedIdentity': flows.length - 1,
      })
      expect(await checkIdentities(one.storage)).toBe(flows.length + 1)
      const winner = results.find(({ ok }) => ok)
      const user = winner === undefined ? undefined : await userOf(one, winner)
      expect(user?.identities.map((identity) => Object(identity).provider_alias)).toEqual([
        'cloud',
        'google',
      ])
    })

    it('give an address to one of many users who sign up with it, by providers and directly', async () => {
      const { oauth } = one
      const strict = storages.map((storage) => ({
        ...oauthHouse({ ...delta, account_linking: {} }, undefined, { storage, clock, oauth }),
        oauth,
      }))
      const [first = one] = strict
      const byItself = await startFlow(first, 'signup')
      stateOf(await byItself.input({ identification: 'email', login_id: email }))
      stateOf(await byItself.input({ code: first.codeTo(email) }))
      const last = [
        () => byItself.input({ authentication: 'primary_password', new_password: password }),
      ]
      for (let index = 0; index < 9; index++) {
        const flow = await startFlow(strict[index % strict.length] ?? one, 'signup')
        const account = { subject: `maya-${index}`, email, email_verified: true }
        const query = oauth.signIn(await leaveFor(flow), account)
        last.push(() => flow.input({ query }))
      }
      const results = await Promise.all(last.map((finish) => finish()))
      expect(outcomesOf(results, causeOf)).toEqual({
        finished: 1,
        'InvariantViolated DuplicatedIdentity': 9,
      })
      expect(await checkIdentities(one.storage)).toBe(1)
    })

    it('match their provider after many concurrent logins', async () => {
      stateOf(await comeBy(one, await startFlow(one, 'signup'), mayaThere))
      const flows = await Promise.all(
        Array.from({ length: several }, (_, index) =>
          startFlow(houses[index % 2 === 0 ? 0 : 1], 'login'),
        ),
      )
      const queries = new Map<TestFlow, string>()
      for (const [index, flow] of flows.entries()) {
        const renamed = { ...mayaThere, name: `Maya ${index}` }
        queries.set(flow, one.oauth.signIn(await leaveFor(flow), renamed))
      }
      const results = await Promise.all(
        flows.map((flow) => flow.input({ query: queries.get(flow) ?? '' })),
      )
      expect(outcomesOf(results, causeOf)).toEqual({ finished: flows.length })
      expect(await checkIdentities(one.storage)).toBe(1)
      const [identity] = await identityCollection.find(one.storage, all)
      expect(JSON.stringify(identity?.value)).toMatch(/"name":"Maya \d+"/)
    })

    it('are removed with their keys while their users sign in with them', async () => {
      const id = await createUser(one.auth, { email, password })
      const linking = await startFlow(one, 'signup')
      stateOf(await comeBy(one, linking, mayaThere))
      const shown = { index: 0, authentication: 'primary_password', password }
      stateOf(await linking.input(shown))
      const { identities } = await getUser(one.auth, id)
      const account = identities.find(({ type }) => type === 'oauth')
      const queries = new Map<TestFlow, string>()
      for (let index = 0; index < 10; index++) {
        const flow = await startFlow(houses[index % 2 === 0 ? 0 : 1], 'login')
        const renamed = { ...mayaThere, name: `Maya ${index}` }
        queries.set(flow, one.oauth.signIn(await leaveFor(flow), renamed))
      }
      const removal = removeIdentity(one.auth, id, account?.id ?? '')
      const results = await Promise.all([...queries].map(([flow, query]) => flow.input({ query })))
      await removal
      const { finished = 0, UserNotFound: refused = 0 } = outcomesOf(results, causeOf)
      expect(finished + refused).toBe(results.length)
      expect(await checkIdentities(one.storage)).toBe(1)
      expect((await getUser(one.auth, id)).identities).toMatchObject([{ type: 'login_id' }])
    })
  })
}

forEachStore(authCollections, describeRaces)
