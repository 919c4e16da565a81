import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import type { Storage } from '../../storage/storage.ts'
import { createManualClock } from '../../testing/index.ts'
import { userCollection } from '../accounts/user-record.ts'
import { flowCollection, stateCollection } from '../flow-states/flow-record.ts'
import { createUser } from '../people/create-user.ts'
import { errorOf, startOfTests, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { createFlow } from './create-flow.ts'
import { getFlowState } from './get-flow-state.ts'

const maya = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const identify = { identification: 'email', login_id: maya }
const passwords = { authentication: { primary_authenticators: ['password'] } }

/** A user, and the names of the collections written and read since. */
async function watched(): Promise<{ world: TestAuth; written: string[]; found: string[] }> {
  const clock = createManualClock(startOfTests)
  const storage = createMemoryStorage({ clock })
  const written: string[] = []
  const found: string[] = []
  const noted: Storage = {
    ...storage,
    commit(writes) {
      written.push(...writes.map(({ collection }) => collection.name))
      return storage.commit(writes)
    },
    find(collection, query) {
      found.push(collection.name)
      return storage.find(collection, query)
    },
  }
  const world = testAuth(passwords, { storage: noted, clock })
  await createUser(world.auth, { email: maya, password })
  written.length = 0
  found.length = 0
  return { world, written, found }
}

const login = (world: TestAuth, ...batch_input: { [name: string]: string }[]) =>
  createFlow(world.auth, { type: 'login', name: 'default', batch_input })

describe('a flow created with inputs', () => {
  it('is not stored if it ends in the same request', async () => {
    const { world, written } = await watched()
    const given = { authentication: 'primary_password', password }
    expect(stateOf(await login(world, identify, given)).action.type).toBe('finished')
    expect(written).toContain(userCollection.name)
    expect(written).not.toContain(flowCollection.name)
    expect(written).not.toContain(stateCollection.name)
  })

  it('reads an account once for all inputs, and once more before it ends', async () => {
    const { world, found } = await watched()
    const given = { authentication: 'primary_password', password }
    stateOf(await login(world, identify, given))
    expect(found.filter((name) => name === 'auth_authenticators')).toHaveLength(2)
  })

  it('is stored with the state it reached', async () => {
    const { world } = await watched()
    const state = stateOf(await login(world, identify))
    expect(state.action.type).toBe('authenticate')
    expect(await getFlowState(world.auth, { state_token: state.state_token })).toMatchObject({
      ok: true,
      result: state,
    })
  })

  it('is stored in its first state if an input is refused, so that its client can go on', async () => {
    const { world } = await watched()
    const wrong = { authentication: 'primary_password', password: 'tidal-lantern-24' }
    const refused = await login(world, identify, wrong)
    expect(errorOf(refused).reason).toBe('InvalidCredentials')
    const { result } = refused as { result?: { state_token: string } }
    expect(result).toMatchObject({ action: { type: 'identify' } })
    const state_token = result?.state_token ?? ''
    expect(await getFlowState(world.auth, { state_token })).toMatchObject({ ok: true, result })
  })
})
