import { expect, it } from 'vitest'
import { createFlow } from './create-flow.ts'
import { importUsers } from './import-users.ts'
import type { AuthEvent } from './ports.ts'
import { errorOf, startFlow, stateOf, type TestAuth, testAuth } from './service.fixture.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

/** A service whose hook refuses one point, and notes all it is asked. */
function world(refused?: string): TestAuth & { readonly asked: AuthEvent[] } {
  const asked: AuthEvent[] = []
  const service = testAuth(
    {},
    {
      hook: async (event) => {
        asked.push(event)
        return { is_allowed: event.type !== refused, title: 'No', reason: 'not today' }
      },
    },
  )
  return { ...service, asked }
}

async function withMaya({ auth }: TestAuth): Promise<string> {
  const hash = await auth.hasher.hash(password)
  const [made] = await importUsers(auth, [
    { email, password: { type: 'scrypt', password_hash: hash } },
  ])
  return made?.outcome === 'inserted' ? made.user_id : ''
}

const typesOf = (asked: readonly AuthEvent[]): readonly string[] => asked.map(({ type }) => type)

it('a login is asked about when it begins, when its user is known, and before it ends', async () => {
  const service = world()
  const userId = await withMaya(service)
  const flow = await startFlow(service, 'login')
  expect(typesOf(service.asked)).toEqual(['authentication.pre_initialize'])
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ authentication: 'primary_password', password: 'wrong' })
  await flow.input({ authentication: 'primary_password', password })
  expect(typesOf(service.asked)).toEqual([
    'authentication.pre_initialize',
    'authentication.post_identified',
    'authentication.pre_authenticated',
  ])
  expect(service.asked.map(({ context }) => context.user_id)).toEqual([null, userId, userId])
  expect(JSON.stringify(service.asked)).not.toContain(password)
})

it('a sign-up is asked about once more before its user is made', async () => {
  const service = world()
  const flow = await startFlow(service, 'signup')
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ code: service.codeTo(email) })
  stateOf(await flow.input({ authentication: 'primary_password', new_password: password }))
  expect(typesOf(service.asked).slice(-2)).toEqual([
    'authentication.pre_authenticated',
    'user.pre_create',
  ])
})

it('a point that is refused leaves the flow where it was', async () => {
  const service = world('authentication.post_identified')
  await withMaya(service)
  const flow = await startFlow(service, 'login')
  const refused = await flow.input({ identification: 'email', login_id: email })
  expect(errorOf(refused)).toMatchObject({
    code: 403,
    reason: 'HookDisallowed',
    info: {
      event_type: 'authentication.post_identified',
      reasons: [{ title: 'No', reason: 'not today' }],
    },
  })
  expect(refused).toMatchObject({ result: { action: { type: 'identify' } } })
})

it('a flow that must not begin is not there', async () => {
  const service = world('authentication.pre_initialize')
  const refused = await createFlow(service.auth, { type: 'login', name: 'default' })
  expect(errorOf(refused).reason).toBe('HookDisallowed')
  expect(refused).not.toHaveProperty('result')
})

it('an account recovery opens no session, and is not asked about', async () => {
  const service = world()
  await withMaya(service)
  const flow = await startFlow(service, 'account_recovery')
  await flow.input({ identification: 'email', login_id: email })
  expect(service.asked).toEqual([])
})
