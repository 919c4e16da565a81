import { describe, expect, it } from 'vitest'
import type { AuthOptions } from '../auth-options.ts'
import { createFlow } from '../flows/create-flow.ts'
import { importUsers } from '../people/import-users.ts'
import { disableUser } from '../people/update-user.ts'
import { errorOf, startFlow, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import type { AuthEvent } from './auth-event.ts'
import { email, hookedAuth, importMaya, logInMaya, password, signUpMaya } from './hook.fixture.ts'
import { outboxCollection } from './outbox.ts'

/** The events waiting to be delivered, in order. */
async function eventsOf({ storage }: TestAuth): Promise<readonly AuthEvent[]> {
  const records = await storage.find(outboxCollection, { by: 'id', limit: 500 })
  return records.map(({ value }) => Object(value).event)
}

async function typesOf(world: TestAuth): Promise<readonly string[]> {
  return (await eventsOf(world)).map(({ type }) => type)
}

async function payloadOf(world: TestAuth, type: string): Promise<AuthEvent['payload'] | undefined> {
  return (await eventsOf(world)).find((event) => event.type === type)?.payload
}

describe('the events of a sign-up', () => {
  it('are the mail, the user with the identities, the verified claims, and the session', async () => {
    const world = testAuth()
    await signUpMaya(world)
    expect(await typesOf(world)).toEqual([
      'email.sent',
      'user.created',
      'identity.email.verified',
      'user.authenticated',
    ])
    const user = {
      id: expect.any(String),
      created_at: '2026-03-04T10:00:00.000Z',
      last_login_at: '2026-03-04T10:00:00.000Z',
      is_disabled: false,
      standard_attributes: { email },
    }
    expect(await payloadOf(world, 'user.created')).toMatchObject({
      user,
      identities: [{ type: 'login_id', login_id_type: 'email', original: email, email }],
    })
    expect(await payloadOf(world, 'user.authenticated')).toMatchObject({
      user,
      session: { id: expect.any(String), amr: ['pwd', 'x_primary_password'] },
    })
    expect(await payloadOf(world, 'identity.email.verified')).toMatchObject({ user, email })
  })
})

describe('a failure', () => {
  it('emits an event with the login ID that does not exist', async () => {
    const world = testAuth()
    const flow = await startFlow(world, 'login')
    errorOf(await flow.input({ identification: 'email', login_id: 'Nobody@Harborlight.example' }))
    expect(await eventsOf(world)).toMatchObject([
      {
        type: 'authentication.identity.login_id.failed',
        payload: { login_id_type: 'email', login_id: 'nobody@harborlight.example' },
        context: { user_id: null, authentication_flow: { type: 'login', name: 'default' } },
      },
    ])
  })

  it('emits no event for a malformed login ID, and none for an account recovery', async () => {
    const world = testAuth()
    const flow = await startFlow(world, 'login')
    errorOf(await flow.input({ identification: 'email', login_id: password }))
    const recovery = await startFlow(world, 'account_recovery')
    await recovery.input({ identification: 'email', login_id: email })
    expect(await typesOf(world)).toEqual([])
  })

  it('emits an event with the user', async () => {
    const world = testAuth()
    const id = await importMaya(world)
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    errorOf(await flow.input({ authentication: 'primary_password', password: 'wrong' }))
    expect((await eventsOf(world)).at(-1)).toMatchObject({
      type: 'authentication.primary.password.failed',
      payload: { user_id: id },
      context: { user_id: id },
    })
  })
})

describe('a refused user', () => {
  it('is reported if the account may not be used', async () => {
    const world = testAuth()
    const id = await importMaya(world)
    await disableUser(world.auth, id, { reason: 'fraud review' })
    errorOf((await logInMaya(world)).last)
    expect((await eventsOf(world)).at(-1)).toMatchObject({
      type: 'authentication.blocked',
      payload: { user_id: id, reason: 'DisabledUser' },
    })
  })

  it('is reported if a hook refuses', async () => {
    const world = hookedAuth({
      'authentication.post_identified': { is_allowed: false, title: 'No', reason: 'not today' },
    })
    const id = await importMaya(world)
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    expect((await eventsOf(world)).at(-1)).toMatchObject({
      type: 'authentication.blocked',
      payload: {
        user_id: id,
        event_type: 'authentication.post_identified',
        reasons: [{ title: 'No', reason: 'not today' }],
      },
    })
  })

  it('is reported for a limit, once in a period however often the user tries', async () => {
    const world = testAuth()
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    const tryOften = async (count: number) => {
      for (let attempt = 0; attempt < count; attempt++) {
        await flow.input({ authentication: 'primary_password', password: 'wrong' })
      }
      return (await eventsOf(world)).filter(({ type }) => type === 'rate_limit.blocked')
    }
    const [blocked, ...others] = await tryOften(30)
    expect(blocked?.payload).toEqual({
      bucket_name: 'VerifyPasswordPerUserPerIP',
      rate_limit: {
        name: 'authentication.password.per_user_per_ip',
        group: 'authentication.password',
      },
    })
    expect(others).toEqual([])
    world.clock.advance(60_000)
    expect(await tryOften(30)).toHaveLength(2)
  })

  it('is not reported for a cooldown', async () => {
    const world = testAuth()
    const flow = await startFlow(world, 'signup')
    await flow.input({ identification: 'email', login_id: email })
    expect(errorOf(await flow.input({ resend: true })).reason).toBe('RateLimited')
    expect(await typesOf(world)).toEqual(['email.sent'])
  })
})

describe('changed passwords', () => {
  it('emit an event that names the reason', async () => {
    const world = testAuth({
      ui: { forgot_password: { email: [{ channel: 'email', otp_form: 'code' }] } },
    })
    const hash = await world.auth.hasher.hash(password)
    const expire_after = world.clock.now() - 1
    await importUsers(world.auth, [
      { email, password: { type: 'scrypt', password_hash: hash, expire_after } },
    ])
    const forced = await logInMaya(world)
    stateOf(await forced.input({ new_password: 'copper-meadow-7' }))
    const recovery = await startFlow(world, 'account_recovery')
    await recovery.input({ identification: 'email', login_id: email })
    await recovery.input({ index: 0 })
    await Promise.all(world.auth.sending)
    await recovery.input({ account_recovery_code: world.codeTo(email) })
    stateOf(await recovery.input({ new_password: 'tin-harbor-9' }))
    const types = await typesOf(world)
    expect(types.filter((type) => type.startsWith('password.'))).toEqual([
      'password.primary.force_changed',
      'password.primary.reset',
    ])
    expect(types.at(-1)).toBe('password.primary.reset')
  })
})

describe('the context of an event', () => {
  const contextOf = async (query: string, options: Partial<AuthOptions> = {}) => {
    const world = testAuth({}, options)
    const request = { query, ip: '192.0.2.7', userAgent: 'a browser' }
    const flow = await startFlow(world, 'login', request)
    errorOf(await flow.input({ identification: 'email', login_id: email }))
    return (await eventsOf(world)).at(-1)?.context
  }

  it('names the client, the language, and the parameters of the authorization request', async () => {
    expect(await contextOf('client_id=web&state=s1&x_state=x1&ui_locales=de-AT%20en')).toEqual({
      timestamp: expect.any(Number),
      user_id: null,
      triggered_by: 'user',
      client_id: 'web',
      ip_address: '192.0.2.7',
      user_agent: 'a browser',
      app_id: 'test',
      preferred_languages: ['de-AT', 'en'],
      language: 'de-AT',
      oauth: { state: 's1', x_state: 'x1' },
      authentication_flow: { type: 'login', name: 'default' },
    })
  })

  it.each(['', 'ui_locales=', 'ui_locales=%3Cscript%3E', `ui_locales=${'a'.repeat(10_000)}`])(
    'is English if no language is given: %.20s',
    async (query) => {
      expect(await contextOf(query)).toMatchObject({ language: 'en', oauth: {} })
    },
  )

  it('has the languages of the browser if the page requests none', async () => {
    const acceptLanguage = 'fr;q=0.5, en-GB, *;q=0.1, no_language, de;q=0.7, it;q=0'
    const world = testAuth()
    const flow = await startFlow(world, 'login', { acceptLanguage })
    errorOf(await flow.input({ identification: 'email', login_id: email }))
    expect((await eventsOf(world)).at(-1)?.context).toMatchObject({
      preferred_languages: ['en-GB', 'de', 'fr'],
      language: 'en-GB',
    })
  })

  it('includes the location of the address if a lookup is configured', async () => {
    const asked: string[] = []
    const geoIp = (ip: string) => {
      asked.push(ip)
      return 'NO'
    }
    expect(await contextOf('', { geoIp })).toMatchObject({ geo_location_code: 'NO' })
    expect(asked).toEqual(['192.0.2.7'])
    expect(await contextOf('', { geoIp: () => undefined })).not.toHaveProperty('geo_location_code')
  })

  it('omits the location if the lookup fails', async () => {
    const geoIp = () => {
      throw new Error('no such file')
    }
    expect(await contextOf('', { geoIp })).toMatchObject({ ip_address: '192.0.2.7' })
  })

  it('omits the context that the client gave for hooks, because it is not validated', async () => {
    const world = testAuth()
    const input = { identification: 'email', login_id: email }
    await createFlow(world.auth, {
      type: 'login',
      name: 'default',
      client_context: 'who knows',
      input,
    })
    expect(JSON.stringify(await eventsOf(world))).not.toContain('who knows')
  })
})
