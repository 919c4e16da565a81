import { advanceFlow } from '@gatehouse/core'
import { authCollections } from '@gatehouse/core/auth'
import { createManualClock } from '@gatehouse/core/testing'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { authenticatorCollection } from '../src/auth/accounts/authenticator-record.ts'
import { identityCollection, identityKeyCollection } from '../src/auth/accounts/identity-record.ts'
import { userCollection } from '../src/auth/accounts/user-record.ts'
import { createCardIdentification } from '../src/auth/kinds/card.fixture.ts'
import {
  type ConfigDelta,
  startFlow,
  startOfTests,
  stateOf,
  type TestAuth,
  testAuth,
} from '../src/auth/service.fixture.ts'
import { outcomesOf } from './outcomes.ts'
import { forEachStore, racesOn, type Store } from './stores.ts'

const card = { identification: 'card', card: 'c-17' }
const newPassword = { authentication: 'primary_password', new_password: 'tidal-lantern-42' }

const byCard = { identification: 'card', signup_flow: 'card', login_flow: 'card' }
const delta: ConfigDelta = {
  authentication: {
    rate_limits: {
      signup: { per_ip: { enabled: false } },
      account_enumeration: { per_ip: { enabled: false } },
    },
  },
  authentication_flow: {
    signup_flows: [
      {
        name: 'card',
        steps: [
          { type: 'identify', one_of: [{ identification: 'card' }] },
          { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
        ],
      },
    ],
    login_flows: [
      { name: 'card', steps: [{ type: 'identify', one_of: [{ identification: 'card' }] }] },
    ],
    signup_login_flows: [{ name: 'card', steps: [{ type: 'identify', one_of: [byCard] }] }],
  },
}

function describeRaces(store: Store): void {
  const it = racesOn(store.name)
  describe(`identities of a custom kind on ${store.name}`, () => {
    let worlds: readonly [TestAuth, TestAuth]
    let asked = 0
    beforeEach(async () => {
      asked = 0
      const clock = createManualClock(startOfTests)
      const storage = await store.openEmpty(clock)
      // Only PostgreSQL storages share their records.
      const other = store.name === 'postgres' ? store.open(clock) : storage
      const library = {
        async holderOf() {
          asked++
          return { name: 'Maya' }
        },
      }
      const identifications = [createCardIdentification({ library })]
      worlds = [
        testAuth(delta, { storage, clock, identifications }),
        testAuth(delta, { storage: other, clock, identifications }),
      ]
    })
    afterEach(async () => {
      for (const { storage } of worlds) await storage.close()
    })

    for (const type of ['signup', 'signup_login'] as const) {
      it(`go to one of many users who use one at once in a ${type}`, async () => {
        const tokens: string[] = []
        for (let index = 0; index < 20; index++) {
          const world = worlds[index % 2 === 0 ? 0 : 1]
          const flow = await startFlow(world, type, {}, 'card')
          await flow.input(card)
          const shown = stateOf(await flow.input({ back: 'of the card' }))
          expect(shown).toMatchObject({ type: 'signup', action: { type: 'create_authenticator' } })
          tokens.push(flow.token)
        }
        const results = await Promise.all(
          tokens.map((state_token, index) => {
            const { auth } = worlds[index % 2 === 0 ? 0 : 1]
            return advanceFlow(auth, { state_token, input: newPassword })
          }),
        )
        expect(outcomesOf(results)).toEqual({ finished: 1, InvariantViolated: 19 })
        expect(asked).toBe(20)
        for (const collection of [
          userCollection,
          identityCollection,
          identityKeyCollection,
          authenticatorCollection,
        ]) {
          const found = await worlds[0].storage.find(collection, { by: 'id', limit: 9 })
          expect([collection.name, found.length]).toEqual([collection.name, 1])
        }
      })
    }
  })
}

forEachStore(authCollections, describeRaces)
