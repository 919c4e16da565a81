import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import type { Storage } from '../../storage/storage.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { FlowResult } from '../flows/flow-result.ts'
import {
  comeBy,
  leaveFor,
  type OAuthHouse,
  oauthHouse,
  userOf,
} from '../kinds/oauth/oauth-house.fixture.ts'
import { addIdentity } from '../people/add-identity.ts'
import { createUser } from '../people/create-user.ts'
import { errorOf, startFlow, startOfTests, stateOf, type TestFlow } from '../service.fixture.ts'
import { claimGuardCollection } from './claim-guards.ts'
import { email, mayaThere, password } from './linking-house.fixture.ts'

const proven = { ...mayaThere, email_verified: true }

/** A sign-up that has verified an address and only lacks the password. */
async function almostSignedUp(world: OAuthHouse): Promise<TestFlow> {
  const flow = await startFlow(world, 'signup')
  stateOf(await flow.input({ identification: 'email', login_id: email }))
  stateOf(await flow.input({ code: world.codeTo(email) }))
  return flow
}

const finish = (flow: TestFlow): Promise<FlowResult> =>
  flow.input({ authentication: 'primary_password', new_password: password })

describe('an address in a sign-up', () => {
  it('is taken once somebody else has signed up by a provider with it', async () => {
    const world = oauthHouse()
    const flow = await almostSignedUp(world)
    const other = await comeBy(world, await startFlow(world, 'signup'), proven)
    expect(stateOf(other).action.type).toBe('finished')
    expect(errorOf(await finish(flow))).toMatchObject({
      reason: 'InvariantViolated',
      info: {
        cause: { kind: 'DuplicatedIdentity' },
        IdentityTypeIncoming: 'login_id',
        IdentityTypeExisting: 'oauth',
      },
    })
  })

  it('can be taken although a provider has asserted it of somebody else without proof', async () => {
    const world = oauthHouse()
    const flow = await almostSignedUp(world)
    const unproven = { ...mayaThere, email_verified: false }
    stateOf(await comeBy(world, await startFlow(world, 'signup'), unproven))
    const { identities } = await userOf(world, await finish(flow))
    expect(identities).toMatchObject([{ type: 'login_id', email }])
  })

  it('belongs to nobody while providers assert it without proof, so all sign-ups with it finish', async () => {
    const world = oauthHouse()
    const last: (() => Promise<FlowResult>)[] = []
    for (let index = 0; index < 8; index++) {
      const flow = await startFlow(world, 'signup')
      const account = { subject: `maya-${index}`, email, email_verified: false }
      const query = world.oauth.signIn(await leaveFor(flow), account)
      last.push(() => flow.input({ query }))
    }
    for (const result of await Promise.all(last.map((end) => end()))) stateOf(result)
    expect(await claimGuardCollection.find(world.storage, { by: 'id', limit: 10 })).toEqual([])
  })

  it('is taken once the host has given it to a user', async () => {
    const world = oauthHouse()
    const flow = await almostSignedUp(world)
    const id = await createUser(world.auth, { email: 'other@harborlight.example' })
    await addIdentity(world.auth, id, { type: 'email', value: email })
    expect(errorOf(await finish(flow))).toMatchObject({
      info: { cause: { kind: 'DuplicatedIdentity' } },
    })
  })

  it('is not available by a provider if the host creates a user with it at the same moment', async () => {
    const clock = createManualClock(startOfTests)
    const memory = createMemoryStorage({ clock })
    let atLast = async (): Promise<unknown> => undefined
    const storage: Storage = {
      ...memory,
      async commit(writes) {
        const isEnd = writes.some(({ collection }) => collection === userCollection)
        const first = atLast
        if (isEnd) atLast = async () => undefined
        if (isEnd) await first()
        return memory.commit(writes)
      },
    }
    const world = oauthHouse({}, undefined, { storage, clock })
    const flow = await startFlow(world, 'signup')
    atLast = () => createUser(world.auth, { email })
    expect(errorOf(await comeBy(world, flow, proven))).toMatchObject({
      info: { cause: { kind: 'DuplicatedIdentity' }, IdentityTypeExisting: 'login_id' },
    })
    expect(await userCollection.find(memory, { by: 'id', limit: 10 })).toHaveLength(1)
  })

  it('may be shared by several identities of one user', async () => {
    const world = oauthHouse({
      account_linking: { login_id: [], oauth: [] },
      authentication_flow: {
        signup_flows: [
          {
            name: 'twice',
            steps: [
              { type: 'identify', one_of: [{ identification: 'oauth' }] },
              { type: 'identify', one_of: [{ identification: 'email' }] },
            ],
          },
        ],
        login_flows: [
          { name: 'twice', steps: [{ type: 'identify', one_of: [{ identification: 'oauth' }] }] },
        ],
      },
    })
    const flow = await startFlow(world, 'signup', {}, 'twice')
    stateOf(await comeBy(world, flow, proven))
    const end = await flow.input({ identification: 'email', login_id: email })
    const { identities } = await userOf(world, end)
    expect(identities.map(({ type }) => type).sort()).toEqual(['login_id', 'oauth'])
  })

  it('is guarded for an hour, and stays with its user after that', async () => {
    const world = oauthHouse()
    stateOf(await finish(await almostSignedUp(world)))
    const guards = () => claimGuardCollection.find(world.storage, { by: 'id', limit: 10 })
    expect(await guards()).toHaveLength(1)
    expect(JSON.stringify(await guards())).not.toContain(email)
    world.clock.advance(3_600_000)
    expect(await guards()).toEqual([])
    const late = await startFlow(world, 'signup')
    expect(errorOf(await late.input({ identification: 'email', login_id: email }))).toMatchObject({
      info: { cause: { kind: 'DuplicatedIdentity' } },
    })
  })
})
