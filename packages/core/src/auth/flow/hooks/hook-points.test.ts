import { describe, expect, it } from 'vitest'
import type { AuthEvent } from '../../events/auth-event.ts'
import { email, hookedAuth, importMaya, password, signUpMaya } from '../../events/hook.fixture.ts'
import { advanceFlow } from '../../flows/advance-flow.ts'
import { createFlow } from '../../flows/create-flow.ts'
import { getFlowState } from '../../flows/get-flow-state.ts'
import { createAnonymousUser } from '../../people/create-anonymous-user.ts'
import { errorOf, startFlow, stateOf } from '../../service.fixture.ts'
import { openBrowser } from '../../sessions/browser.fixture.ts'

const typesOf = (asked: readonly AuthEvent[]): readonly string[] => asked.map(({ type }) => type)

/** A service whose hook refuses one event. */
const refusing = (point: string) =>
  hookedAuth({ [point]: { is_allowed: false, title: 'No', reason: 'not today' } })

describe('the blocking events of flows', () => {
  it('of a login are sent at its start, when its user is known, and at its end', async () => {
    const world = hookedAuth()
    const userId = await importMaya(world)
    const flow = await startFlow(world, 'login')
    expect(typesOf(world.asked)).toEqual(['authentication.pre_initialize'])
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ authentication: 'primary_password', password: 'wrong' })
    await flow.input({ authentication: 'primary_password', password })
    expect(typesOf(world.asked)).toEqual([
      'authentication.pre_initialize',
      'authentication.post_identified',
      'authentication.pre_authenticated',
    ])
    expect(world.asked.map(({ context }) => context.user_id)).toEqual([null, userId, userId])
  })

  it('of a sign-up have one more, before the user is created', async () => {
    const world = hookedAuth()
    stateOf((await signUpMaya(world)).last)
    expect(typesOf(world.asked)).toEqual([
      'authentication.pre_initialize',
      'authentication.post_identified',
      'authentication.pre_authenticated',
      'user.pre_create',
    ])
  })

  it('of a flow that becomes another one are sent once', async () => {
    const world = hookedAuth()
    await importMaya(world)
    const flow = await startFlow(world, 'signup_login')
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ authentication: 'primary_password', password })
    expect(typesOf(world.asked)).toEqual([
      'authentication.pre_initialize',
      'authentication.post_identified',
      'authentication.pre_authenticated',
    ])
  })

  it('of a promotion are sent at its start, and once the new identity is known', async () => {
    const world = hookedAuth(
      {},
      {
        authentication: { identities: ['login_id', 'anonymous'] },
        identity: { on_conflict: { promotion: 'login' } },
      },
    )
    const userId = await importMaya(world)
    const browser = openBrowser(world)
    const guest = await createAnonymousUser(world.auth, browser.request)
    browser.keep(guest.cookies)
    await browser.begin('promote')
    await browser.input({ identification: 'email', login_id: 'guest@harborlight.example' })
    const [begun, known] = world.asked
    expect(begun).toMatchObject({
      type: 'authentication.pre_initialize',
      context: { user_id: guest.user_id },
      payload: { authentication_context: { identities: [{ type: 'anonymous' }] } },
    })
    expect(known).toMatchObject({
      type: 'authentication.post_identified',
      context: { user_id: guest.user_id },
      payload: {
        authentication_context: {
          identities: [{ type: 'anonymous' }, { email: 'guest@harborlight.example' }],
          asserted_identifications: [{ identity: { email: 'guest@harborlight.example' } }],
        },
      },
    })
    // A promotion that leads to another account is a login of that account's user.
    await browser.begin('promote')
    await browser.input({ identification: 'email', login_id: email })
    expect(world.asked.map(({ type, context }) => [type, context.user_id]).slice(2)).toEqual([
      ['authentication.pre_initialize', guest.user_id],
      ['authentication.post_identified', userId],
    ])
  })

  it('are not sent in an account recovery, which opens no session', async () => {
    const world = hookedAuth()
    await importMaya(world)
    const flow = await startFlow(world, 'account_recovery')
    await flow.input({ identification: 'email', login_id: email })
    expect(world.asked).toEqual([])
  })

  it('are not sent when a state is read', async () => {
    const world = hookedAuth()
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    const before = world.asked.length
    await getFlowState(world.auth, { state_token: flow.token })
    await flow.input({ authentication: 'primary_password', password: 'wrong' })
    expect(world.asked).toHaveLength(before)
  })

  it('are sent before each next prompt if one input answers several', async () => {
    const world = refusing('authentication.post_identified')
    await importMaya(world)
    const input = { identification: 'email', login_id: email, authentication: 'primary_password' }
    const answers = []
    for (const text of [password, 'wrong']) {
      const flow = await startFlow(world, 'login')
      answers.push(errorOf(await flow.input({ ...input, password: text })))
    }
    // The refusal must not reveal whether the password was right.
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toMatchObject({ reason: 'HookDisallowed' })
    expect(world.events).toEqual([])
  })

  it('are the same for an unknown user whose absence must stay hidden', async () => {
    const world = hookedAuth(
      { 'authentication.post_identified': { constraints: { amr: ['mfa'] } } },
      { authentication: { enumeration_protection: 'login' } },
    )
    await importMaya(world)
    for (const login_id of [email, 'nobody@harborlight.example']) {
      const flow = await startFlow(world, 'login')
      stateOf(await flow.input({ identification: 'email', login_id }))
    }
    const [maya, nobody] = world.asked.filter(
      ({ type }) => type === 'authentication.post_identified',
    )
    expect(maya?.payload.authentication_context).toMatchObject({ user: { id: expect.any(String) } })
    expect(nobody?.context.user_id).toBeNull()
    expect(nobody?.payload.authentication_context).toMatchObject({
      user: null,
      identities: [],
      asserted_identifications: [{ identification: 'email', identity: null }],
    })
  })
})

describe('a refused event', () => {
  it('leaves the flow at its state', async () => {
    const world = refusing('authentication.post_identified')
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    const refused = await flow.input({ identification: 'email', login_id: email })
    expect(errorOf(refused)).toEqual({
      name: 'Forbidden',
      reason: 'HookDisallowed',
      message: 'disallowed by hook event handler',
      code: 403,
      info: {
        FlowType: 'login',
        event_type: 'authentication.post_identified',
        reasons: [{ title: 'No', reason: 'not today' }],
      },
    })
    expect(refused).toMatchObject({ result: { action: { type: 'identify' } } })
  })

  it('sends no message', async () => {
    const world = refusing('authentication.post_identified')
    const flow = await startFlow(world, 'signup')
    errorOf(await flow.input({ identification: 'email', login_id: email }))
    expect(world.outbox.messages).toEqual([])
  })

  it('at the start leaves no flow', async () => {
    const world = refusing('authentication.pre_initialize')
    const refused = await createFlow(world.auth, { type: 'login', name: 'default' })
    expect(errorOf(refused).reason).toBe('HookDisallowed')
    expect(refused).not.toHaveProperty('result')
  })

  it('at the end opens no session, and may be allowed the next time', async () => {
    let isAllowed = false
    const world = hookedAuth({
      'authentication.pre_authenticated': async () => ({ is_allowed: isAllowed }),
    })
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    const input = { authentication: 'primary_password', password }
    expect(errorOf(await flow.input(input))).toMatchObject({ reason: 'HookDisallowed' })
    isAllowed = true
    expect(stateOf(await flow.input(input)).action.type).toBe('finished')
  })
})

describe('the payload for a hook', () => {
  it('has the flow, its user, and the identifications and authentications so far', async () => {
    const world = hookedAuth()
    const userId = await importMaya(world)
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ authentication: 'primary_password', password })
    const [begun, known, ended] = world.asked.map(({ payload }) => payload.authentication_context)
    const nothing = {
      authentication_flow: { type: 'login', name: 'default' },
      user: null,
      identities: [],
      asserted_identifications: [],
      asserted_authentications: [],
      amr: [],
    }
    expect(begun).toEqual(nothing)
    const identity = {
      id: expect.any(String),
      type: 'login_id',
      created_at: '2026-03-04T10:00:00.000Z',
      login_id_type: 'email',
      login_id_key: 'email',
      original: email,
      normalized: email,
      email,
    }
    const user = {
      id: userId,
      created_at: '2026-03-04T10:00:00.000Z',
      updated_at: '2026-03-04T10:00:00.000Z',
      is_disabled: false,
      is_anonymized: false,
      standard_attributes: { email },
      custom_attributes: {},
    }
    expect(known).toMatchObject({
      ...nothing,
      user,
      identities: [identity],
      asserted_identifications: [{ identification: 'email', identity }],
    })
    expect(ended).toMatchObject({
      asserted_authentications: [
        {
          authentication: 'primary_password',
          authenticator: { id: expect.any(String), kind: 'primary', type: 'password' },
        },
      ],
      amr: ['pwd', 'x_primary_password'],
    })
    expect(JSON.stringify(world.asked)).not.toContain('scrypt')
  })

  it('of a sign-up has the identity to be created, and at the end the user', async () => {
    const world = hookedAuth()
    await signUpMaya(world)
    const known = world.asked[1]?.payload.authentication_context
    expect(known).toMatchObject({ identities: [{ email }], amr: [] })
    const { user, identities } = world.asked.at(-1)?.payload ?? {}
    expect(user).toMatchObject({
      standard_attributes: { email },
      last_login_at: expect.any(String),
    })
    expect(identities).toMatchObject([{ email }])
  })

  it('has the client context of the flow, in every event', async () => {
    const world = hookedAuth()
    const client_context = { campaign: 'spring', seats: [1, 2] }
    const created = await createFlow(world.auth, {
      type: 'signup',
      name: 'default',
      client_context,
    })
    const state_token = stateOf(created).state_token
    await advanceFlow(world.auth, {
      state_token,
      input: { identification: 'email', login_id: email },
    })
    expect(world.asked.map(({ context }) => context.client_context)).toEqual([
      client_context,
      client_context,
    ])
  })

  it('limits the client context to 4 KiB', async () => {
    const { auth } = hookedAuth()
    // With its quotes, and two bytes for each ü.
    const longest = `${'a'.repeat(2_094)}${'ü'.repeat(1_000)}`
    const flow = { type: 'signup', name: 'default' } as const
    stateOf(await createFlow(auth, { ...flow, client_context: longest }))
    const refused = await createFlow(auth, { ...flow, client_context: `${longest}a` })
    expect(errorOf(refused)).toMatchObject({
      code: 400,
      reason: 'ValidationFailed',
      info: {
        causes: [
          {
            location: '/client_context',
            kind: 'maxLength',
            details: { expected: 4_096, actual: 4_097 },
          },
        ],
      },
    })
  })
})
