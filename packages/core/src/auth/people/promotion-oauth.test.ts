import { describe, expect, it } from 'vitest'
import { comeBy, google, oauthHouse, userOf } from '../kinds/oauth/oauth-house.fixture.ts'
import { type ConfigDelta, errorOf, startFlow, stateOf } from '../service.fixture.ts'
import { waitingEventTypes } from '../sessions/browser.fixture.ts'
import { listSessions } from '../sessions/list-sessions.ts'
import { createAnonymousUser } from './create-anonymous-user.ts'
import { createUser } from './create-user.ts'
import { getUser } from './get-user.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const maya = { subject: 'maya-1', email, email_verified: true, name: 'Maya Sole' }

/** A guest, in a service with Google as identity provider. */
async function withGuest(delta: ConfigDelta = {}) {
  const world = oauthHouse(
    { authentication: { identities: ['oauth', 'login_id', 'anonymous'] }, ...delta },
    [google],
  )
  const { user_id: guest, cookies } = await createAnonymousUser(world.auth)
  const request = { cookie: `session=${cookies[0]?.value}` }
  return { world, guest, request, flow: await startFlow(world, 'promote', request) }
}

describe('an anonymous user who signs up by a provider', () => {
  it('becomes the user of that account, with its claims', async () => {
    const { world, guest, flow } = await withGuest()
    const user = await userOf(world, await comeBy(world, flow, maya))
    expect(user).toMatchObject({
      id: guest,
      identities: [{ type: 'oauth', subject: 'maya-1' }],
      standard_attributes: { email, name: 'Maya Sole' },
      verified_claims: [{ name: 'email', value: email }],
    })
    expect(await waitingEventTypes(world)).toContain('user.anonymous.promoted')
  })

  it('is refused an account that another user has, or signs in as that user if configured so', async () => {
    for (const promotion of ['error', 'login']) {
      const { world, guest, flow } = await withGuest({ identity: { on_conflict: { promotion } } })
      const first = await startFlow(world, 'signup')
      const owner = await userOf(world, await comeBy(world, first, maya))
      const result = await comeBy(world, flow, maya)
      if (promotion === 'error') {
        expect(errorOf(result)).toMatchObject({
          reason: 'InvariantViolated',
          info: { FlowType: 'promote', cause: { kind: 'DuplicatedIdentity' } },
        })
      } else {
        expect(stateOf(result)).toMatchObject({ type: 'login', action: { type: 'finished' } })
        expect((await userOf(world, result)).id).toBe(owner.id)
        expect(await listSessions(world.auth, guest)).toEqual([])
      }
      expect((await getUser(world.auth, guest)).identities).toMatchObject([{ type: 'anonymous' }])
    }
  })

  it('links it to an existing account after a login, and the guest stays a guest', async () => {
    const rule = {
      alias: 'google',
      oauth_claim: { pointer: '/email' },
      user_profile: { pointer: '/email' },
      action: 'login_and_link',
    }
    const { world, guest, flow } = await withGuest({ account_linking: { oauth: [rule] } })
    const owner = await createUser(world.auth, { email, password })
    world.clock.advance(1_000)
    const linking = stateOf(await comeBy(world, flow, maya))
    expect(linking.action.data.type).toBe('account_linking_identification_data')
    expect(stateOf(await flow.input({ index: 0 })).type).toBe('login')
    const done = await flow.input({ authentication: 'primary_password', password })
    expect(stateOf(done)).toMatchObject({ type: 'promote', action: { type: 'finished' } })
    expect(await userOf(world, done)).toMatchObject({
      id: owner,
      identities: [{ type: 'login_id' }, { type: 'oauth' }],
    })
    expect((await getUser(world.auth, guest)).identities).toMatchObject([{ type: 'anonymous' }])
    expect(await listSessions(world.auth, guest)).toEqual([])
    const types = await waitingEventTypes(world)
    expect(types).toContain('identity.oauth.connected')
    expect(types).not.toContain('user.anonymous.promoted')
  })
})
