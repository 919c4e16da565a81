import { advanceFlow, type FlowResult, type Json } from '@gatehouse/core'
import { authCollections } from '@gatehouse/core/auth'
import { createManualClock } from '@gatehouse/core/testing'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import type { PasskeyAuthenticator } from '../src/auth/accounts/authenticator-record.ts'
import { authenticatorCollection } from '../src/auth/accounts/authenticator-record.ts'
import { sessionCollection } from '../src/auth/accounts/session-record.ts'
import { userCollection } from '../src/auth/accounts/user-record.ts'
import {
  type ConfigDelta,
  startFlow,
  startOfTests,
  stateOf,
  type TestAuth,
  type TestFlow,
} from '../src/auth/service.fixture.ts'
import {
  answering,
  dataOf,
  newDevice,
  passkeyAuth,
  requestOptionsOf,
  signUp,
  signUpToPrompt,
  withPasskeys,
} from '../src/auth/webauthn/passkeys.fixture.ts'
import { outcomesOf } from './outcomes.ts'
import { forEachStore, racesOn, type Store } from './stores.ts'

const email = 'maya@harborlight.example'

const off = { per_ip: { enabled: false } }
const { authentication } = withPasskeys
const noLimits: ConfigDelta = {
  authentication: {
    ...authentication,
    rate_limits: { passkey: off, signup: off, account_enumeration: off },
  },
}

function describeRaces(store: Store): void {
  const it = racesOn(store.name)
  describe(`passkeys on ${store.name}`, () => {
    let worlds: readonly [TestAuth, TestAuth]
    const open = async (delta: ConfigDelta = noLimits): Promise<void> => {
      const clock = createManualClock(startOfTests)
      const storage = await store.openEmpty(clock)
      worlds = [passkeyAuth(delta, { storage, clock }), passkeyAuth(delta, { storage, clock })]
    }
    beforeEach(() => open())
    afterEach(() => worlds[0].storage.close())

    /** The results of concurrent inputs, half of them to another process. */
    const allAtOnce = (
      flows: readonly TestFlow[],
      inputOf: (index: number) => { readonly [name: string]: Json },
    ): Promise<readonly FlowResult[]> =>
      Promise.all(
        flows.map((flow, index) => {
          const { auth } = index % 2 === 0 ? worlds[0] : worlds[1]
          return advanceFlow(auth, { state_token: flow.token, input: inputOf(index) })
        }),
      )

    const startMany = (count: number): Promise<readonly TestFlow[]> =>
      Promise.all(Array.from({ length: count }, () => startFlow(worlds[0], 'login')))

    const passkeys = async (): Promise<readonly PasskeyAuthenticator[]> => {
      const query = { by: 'id', limit: 1_000 } as const
      const found = await authenticatorCollection.find(worlds[0].storage, query)
      return found.flatMap(({ value }) => (value.type === 'passkey' ? [value] : []))
    }

    it('one response signs in once, in any flow', async () => {
      for (const isCounting of [true, false]) {
        const device = newDevice({ isCounting })
        await signUp(worlds[0], `${isCounting}@harborlight.example`, device)
        const before = await sessionCollection.find(worlds[0].storage, { by: 'id', limit: 10 })
        const flows = await startMany(50)
        const [first] = flows
        if (first === undefined) throw new Error('no flow')
        const assertion_response = device.get(requestOptionsOf(first.last))
        const input = { identification: 'passkey', assertion_response }
        const results = await allAtOnce(flows, () => input)
        expect(outcomesOf(results)).toEqual({ finished: 1, WebAuthnSessionNotFound: 49 })
        const after = await sessionCollection.find(worlds[0].storage, { by: 'id', limit: 10 })
        expect(after.length - before.length).toBe(1)
      }
    })

    it('responses of a passkey without a counter are all accepted at once', async () => {
      const device = newDevice({ isCounting: false })
      await signUp(worlds[0], email, device)
      const flows = await startMany(20)
      const results = await allAtOnce(flows, (index) => {
        const options = requestOptionsOf(flows[index]?.last ?? failed())
        return { identification: 'passkey', assertion_response: device.get(options) }
      })
      expect(outcomesOf(results)).toEqual({ finished: 20 })
    })

    it('the counter after concurrent flows is the highest one', async () => {
      const device = newDevice()
      await signUp(worlds[0], email, device)
      const flows = await startMany(10)
      const answers = flows.map((flow) => device.get(requestOptionsOf(flow.last)))
      const results = await allAtOnce(flows, (index) => {
        return { identification: 'passkey', assertion_response: answers[index] ?? null }
      })
      const outcomes = outcomesOf(results)
      expect((outcomes.finished ?? 0) + (outcomes.InvalidCredentials ?? 0)).toBe(10)
      // It was created with 1, and the last response is always accepted.
      expect(await passkeys()).toMatchObject([{ sign_count: 11 }])
    })

    it('one response creates one passkey, in any flow', async () => {
      const flows = await Promise.all(
        Array.from({ length: 20 }, (_, index) => signUpToPrompt(worlds[0], `u${index}@a.example`)),
      )
      const made = newDevice().create(dataOf(flows[0]?.last ?? failed(), 'creation_options'))
      const results = await allAtOnce(flows, () => ({ creation_response: made }))
      expect(outcomesOf(results)).toEqual({ finished: 1, WebAuthnSessionNotFound: 19 })
      expect(await passkeys()).toHaveLength(1)
    })

    it('a credential goes to one of the users who end with it at once', async () => {
      const steps = [
        { type: 'identify', one_of: [{ identification: 'email' }] },
        { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
        { type: 'prompt_create_passkey' },
        { type: 'view_recovery_code' },
      ]
      await worlds[0].storage.close()
      const flowsOf = { signup_flows: [{ name: 'default', steps }] }
      await open({ ...noLimits, authentication_flow: flowsOf })
      const flows = await Promise.all(
        Array.from({ length: 20 }, (_, index) => signUpToPrompt(worlds[0], `u${index}@a.example`)),
      )
      const made = newDevice().create(dataOf(flows[0]?.last ?? failed(), 'creation_options'))
      for (const flow of flows) {
        const options = dataOf(flow.last, 'creation_options')
        stateOf(await flow.input(answering(made, options)))
      }
      const results = await allAtOnce(flows, () => ({ confirm_recovery_code: true }))
      expect(outcomesOf(results)).toEqual({ finished: 1, InvariantViolated: 19 })
      const causes = results.flatMap((one) => (one.ok ? [] : [Object(one.error.info).cause]))
      expect(causes).toEqual(causes.map(() => ({ kind: 'DuplicatedAuthenticator' })))
      expect(await passkeys()).toHaveLength(1)
      const users = await userCollection.find(worlds[0].storage, { by: 'id', limit: 10 })
      expect(users).toHaveLength(1)
    })
  })
}

function failed(): never {
  throw new Error('there is no such flow')
}

forEachStore(authCollections, describeRaces)
