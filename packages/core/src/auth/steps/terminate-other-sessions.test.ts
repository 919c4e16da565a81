import { describe, expect, it } from 'vitest'
import type { RequestContext } from '../flows/flow-result.ts'
import { createUser } from '../people/create-user.ts'
import { startFlow, stateOf, type TestFlow, testAuth } from '../service.fixture.ts'
import { listSessions } from '../sessions/list-sessions.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

/** Maya, an app that allows one session, and one that allows any number. */
async function house() {
  const clients = [
    { client_id: 'bank', redirect_uris: ['https://bank.example/cb'], x_max_concurrent_session: 1 },
    { client_id: 'shop', redirect_uris: ['https://shop.example/cb'] },
  ]
  const world = testAuth({ oauth: { clients } })
  const id = await createUser(world.auth, { email, password })
  const login = async (clientId: string, request: RequestContext = {}): Promise<TestFlow> => {
    const flow = await startFlow(world, 'login', { ...request, query: `client_id=${clientId}` })
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ authentication: 'primary_password', password })
    return flow
  }
  const clientsOf = async () =>
    (await listSessions(world.auth, id)).map(({ client_id }) => client_id).sort()
  return { ...world, login, clientsOf }
}

const actionOf = ({ last }: TestFlow) => stateOf(last).action

describe('a client that allows one session', () => {
  it('asks whether to end another one, and ends it with the flow', async () => {
    const { login, clientsOf } = await house()
    expect(actionOf(await login('bank')).type).toBe('finished')
    await login('shop')
    const flow = await login('bank')
    expect(actionOf(flow)).toEqual({ type: 'terminate_other_sessions', data: {} })
    expect(await clientsOf()).toEqual(['bank', 'shop'])
    const refused = await flow.input({ confirm_terminate_other_sessions: false })
    expect(refused).toMatchObject({
      error: { info: { causes: [{ location: '/confirm_terminate_other_sessions' }] } },
    })
    expect(stateOf(await flow.input({ confirm_terminate_other_sessions: true })).action.type).toBe(
      'finished',
    )
    expect(await clientsOf()).toEqual(['bank', 'shop'])
  })

  it('does not ask if there is only the session of this browser', async () => {
    const { login, clientsOf } = await house()
    const first = await login('bank')
    const cookie = `session=${first.last.cookies[0]?.value}`
    expect(actionOf(await login('bank', { cookie })).type).toBe('finished')
    expect(await clientsOf()).toEqual(['bank'])
  })

  it('does not ask if the other session has ended', async () => {
    const { login, clock } = await house()
    await login('bank')
    clock.advance(31 * 86_400_000)
    expect(actionOf(await login('bank')).type).toBe('finished')
  })
})

describe('a client that allows any number', () => {
  it('never asks', async () => {
    const { login, clientsOf } = await house()
    await login('shop')
    expect(actionOf(await login('shop')).type).toBe('finished')
    expect(await clientsOf()).toEqual(['shop', 'shop'])
  })
})
