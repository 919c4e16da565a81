import { describe, expect, it } from 'vitest'
import { silentLogger } from '../logger.ts'
import { createFlow } from './flows/create-flow.ts'
import { createUser } from './people/create-user.ts'
import { errorOf, startFlow, stateOf, testAuth } from './service.fixture.ts'
import { updateAuthConfig } from './update-auth-config.ts'

const base = { id: 'test', http: { public_origin: 'https://auth.example.com' } }
const maya = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

describe('updateAuthConfig', () => {
  it('replaces the configuration, for running flows too', async () => {
    const world = testAuth()
    await createUser(world.auth, { email: maya, password })
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: maya })
    const policy = { min_length: 20 }
    updateAuthConfig(world.auth, {
      ...base,
      authenticator: { password: { policy } },
      identity: { login_id: { keys: [{ type: 'username' }] } },
    })
    const begun = stateOf(await flow.input({ authentication: 'primary_password', password }))
    expect(begun.action).toMatchObject({
      type: 'change_password',
      data: { password_policy: { minimum_length: 20 } },
    })
    const next = stateOf(await createFlow(world.auth, { type: 'login', name: 'default' }))
    expect(next.action.data.options).toEqual([{ identification: 'username' }])
  })

  it('keeps the running one if the new one is invalid', async () => {
    const logged: unknown[] = []
    const logger = { ...silentLogger, error: (fields: object) => logged.push(fields) }
    const { auth } = testAuth({}, { logger })
    const before = auth.config.current
    // @ts-expect-error: `http` needs a `public_origin`.
    expect(() => updateAuthConfig(auth, { ...base, http: {} })).toThrow(
      expect.objectContaining({ reason: 'InvalidConfig' }),
    )
    expect(() => updateAuthConfig(auth, 'id: [')).toThrow(
      expect.objectContaining({ reason: 'InvalidConfig' }),
    )
    expect(logged).toMatchObject([{ reason: 'InvalidConfig' }, { reason: 'InvalidConfig' }])
    const strict = { authenticator: { password: { policy: { minimum_guessable_level: 3 } } } }
    expect(() => updateAuthConfig(auth, { ...base, ...strict })).toThrow(
      expect.objectContaining({ reason: 'InvalidInput' }),
    )
    expect(auth.config.current).toBe(before)
  })

  it('ignores changes that routes and counters depend on, with a warning', async () => {
    const warnings: object[] = []
    const logger = { ...silentLogger, warn: (fields: object) => warnings.push(fields) }
    const { auth } = testAuth({}, { logger })
    warnings.length = 0
    const http = { ...base.http, base_path: '/sign-in', cookie_prefix: 'x_' }
    updateAuthConfig(auth, { id: 'other', http })
    expect(warnings).toEqual([{ key: 'id' }, { key: 'http.base_path' }])
    expect(auth.config.current).toMatchObject({
      id: 'test',
      http: { base_path: '', cookie_prefix: 'x_' },
    })
    expect(errorOf(await createFlow(auth, { type: 'login', name: 'nope' })).reason).toBe(
      'AuthenticationFlowFlowNotFound',
    )
  })
})
