import { describe, expect, it } from 'vitest'
import type { AuthEvent } from '../events/auth-event.ts'
import { outboxCollection } from '../events/outbox.ts'
import { getFlowState } from '../flows/get-flow-state.ts'
import {
  callback,
  cloud,
  comeBy,
  leaveFor,
  oauthHouse,
  urlOf,
  userOf,
} from '../kinds/oauth/oauth-house.fixture.ts'
import { totpCode } from '../kinds/totp/totp.ts'
import { createUser } from '../people/create-user.ts'
import { getUser } from '../people/get-user.ts'
import { importUsers } from '../people/import-users.ts'
import { disableUser } from '../people/update-user.ts'
import { decodeBase32 } from '../secrets/base32.ts'
import { type ConfigDelta, errorOf, startFlow, stateOf } from '../service.fixture.ts'
import { listSessions } from '../sessions/list-sessions.ts'
import {
  atChoice,
  email,
  linkingHouse,
  mayaThere,
  password,
  rule,
} from './linking-house.fixture.ts'

const showing = { authentication: 'primary_password', password }
const masked = 'ma**@harborlight.example'
const duplicated = { reason: 'InvariantViolated', info: { cause: { kind: 'DuplicatedIdentity' } } }

describe('a sign-up by a provider with the address of an account', () => {
  it('offers the ways to sign in, signs in, and adds the identity to the account', async () => {
    const world = await linkingHouse()
    const before = await getUser(world.auth, world.id)
    const flow = await atChoice(world)
    const choice = stateOf(flow.last)
    expect(choice).toMatchObject({ type: 'signup', name: 'default' })
    expect(choice.action).toEqual({
      type: 'identify',
      identification: 'oauth',
      data: {
        type: 'account_linking_identification_data',
        options: [
          { identification: 'email', action: 'login_and_link', masked_display_name: masked },
        ],
      },
    })
    expect(stateOf(await getFlowState(world.auth, { state_token: flow.token }))).toEqual(choice)
    const login = stateOf(await flow.input({ index: 0 }))
    expect(login).toMatchObject({
      type: 'login',
      name: 'default',
      action: {
        type: 'authenticate',
        data: {
          type: 'authentication_data',
          options: [{ authentication: 'primary_password' }],
          device_token_enabled: false,
        },
      },
    })
    expect(errorOf(await flow.input({ ...showing, password: 'wrong' }))).toMatchObject({
      reason: 'InvalidCredentials',
      info: { FlowType: 'login' },
    })
    const done = await flow.input(showing)
    expect(stateOf(done)).toMatchObject({ type: 'signup', action: { type: 'finished' } })
    const user = await userOf(world, done)
    expect(user.id).toBe(world.id)
    expect(user.identities.map(({ type }) => type)).toEqual(['login_id', 'oauth'])
    expect(user.authenticators).toEqual(before.authenticators)
    expect(user.standard_attributes).toEqual(before.standard_attributes)
    expect(user.verified_claims).toEqual([{ name: 'email', value: email }])
    expect(await listSessions(world.auth, world.id)).toMatchObject([
      { amr: ['pwd', 'x_primary_password'] },
    ])
    const again = await comeBy(world, await startFlow(world, 'login'), mayaThere)
    expect((await userOf(world, again)).id).toBe(world.id)
  })

  it('creates no user for the host and spends no sign-up limit', async () => {
    const asked: string[] = []
    const limits = { signup: { per_ip: { enabled: true, period: '1h', burst: 1 } } }
    const world = await linkingHouse(
      { authentication: { rate_limits: limits }, account_linking: { oauth: [rule('google')] } },
      {
        hook: async ({ type }) => {
          asked.push(type)
          return { is_allowed: true }
        },
      },
    )
    const lena = { subject: 'lena-1', email: 'lena@harborlight.example' }
    stateOf(await comeBy(world, await startFlow(world, 'signup'), lena))
    asked.length = 0
    const flow = await atChoice(world)
    await flow.input({ index: 0 })
    stateOf(await flow.input(showing))
    expect(asked).toEqual([
      'authentication.pre_initialize',
      'authentication.post_identified',
      'authentication.pre_authenticated',
    ])
    const records = await outboxCollection.find(world.storage, { by: 'id', limit: 10 })
    const events = records.map(({ value }) => value.event as unknown as AuthEvent).slice(-3)
    expect(events.map(({ type }) => type)).toEqual([
      'identity.oauth.connected',
      'identity.email.verified',
      'user.authenticated',
    ])
    expect(events[0]).toMatchObject({
      payload: { user: { id: world.id }, identity: { type: 'oauth' } },
      context: { user_id: world.id, authentication_flow: { type: 'signup', name: 'default' } },
    })
  })

  it('works with one input, and from a flow that decides by itself', async () => {
    const world = await linkingHouse()
    const flow = await startFlow(world, 'signup_login')
    const query = world.oauth.signIn(await leaveFor(flow), mayaThere)
    const done = await flow.input({ query, index: 0, ...showing })
    expect(stateOf(done)).toMatchObject({ type: 'signup', action: { type: 'finished' } })
    expect((await userOf(world, done)).identities).toHaveLength(2)
  })

  it('is refused if no rule links, with an error that lists the existing identities', async () => {
    for (const account_linking of [{}, { oauth: [rule('google', 'error'), rule('cloud')] }]) {
      const world = await linkingHouse({ account_linking })
      const flow = await atChoice(world)
      expect(errorOf(flow.last)).toEqual({
        name: 'Invalid',
        reason: 'InvariantViolated',
        message: 'identity already exists',
        code: 400,
        info: {
          FlowType: 'signup',
          IdentityTypeIncoming: 'oauth',
          OAuthProviderTypeIncoming: 'google',
          IdentityTypeExisting: 'login_id',
          LoginIDTypeExisting: 'email',
          ExistingIdentities: [{ IdentityType: 'login_id', LoginIDType: 'email' }],
          cause: { kind: 'DuplicatedIdentity' },
        },
      })
    }
  })

  it('does not list other identities if enumeration protection hides them', async () => {
    const authentication = { enumeration_protection: 'login' }
    const world = await linkingHouse({ authentication, account_linking: {} })
    const flow = await atChoice(world)
    expect(errorOf(flow.last)).toMatchObject(duplicated)
    expect(errorOf(flow.last).info).not.toHaveProperty('ExistingIdentities')
  })

  it('is refused if that very account has signed up already, whatever the rules', async () => {
    const world = await linkingHouse()
    const flow = await atChoice(world)
    await flow.input({ index: 0 })
    stateOf(await flow.input(showing))
    const again = await atChoice(world)
    expect(errorOf(again.last)).toMatchObject({
      ...duplicated,
      info: { IdentityTypeExisting: 'oauth', OAuthProviderTypeExisting: 'google' },
    })
  })

  it('is refused if any rule that applies refuses', async () => {
    const phone = '+6591234567'
    const account_linking = { oauth: [rule('google'), rule('google', 'error', '/phone_number')] }
    const world = await linkingHouse({ account_linking })
    await createUser(world.auth, { phone_number: phone })
    const flow = await atChoice(world, { ...mayaThere, phone_number: phone })
    expect(errorOf(flow.last)).toMatchObject({
      ...duplicated,
      info: {
        ExistingIdentities: [
          { IdentityType: 'login_id', LoginIDType: 'email' },
          { IdentityType: 'login_id', LoginIDType: 'phone' },
        ],
      },
    })
  })

  it('is refused if the provider does not vouch for the address, unless the configuration allows that', async () => {
    const careful = await linkingHouse()
    const refused = await comeBy(careful, await startFlow(careful, 'signup'), mayaThere, 'cloud')
    expect(errorOf(refused)).toMatchObject(duplicated)
    const vouched = { ...mayaThere, email_verified: true }
    const asked = await comeBy(careful, await startFlow(careful, 'signup'), vouched, 'cloud')
    expect(stateOf(asked).action.data.type).toBe('account_linking_identification_data')
    const account_linking = { oauth: [rule('cloud')], allow_unverified: true }
    const trusting = await linkingHouse({ account_linking })
    const flow = await startFlow(trusting, 'signup')
    stateOf(await comeBy(trusting, flow, mayaThere, 'cloud'))
    await flow.input({ index: 0 })
    const user = await userOf(trusting, await flow.input(showing))
    expect(user.identities).toHaveLength(2)
    expect(user.verified_claims).toEqual([])
  })

  it('is not blocked by an account whose provider does not vouch for that address', async () => {
    const world = oauthHouse({}, [cloud])
    const squatter = await startFlow(world, 'signup')
    expect(stateOf(await comeBy(world, squatter, mayaThere, 'cloud')).action.type).toBe('finished')
    const owner = await startFlow(world, 'signup')
    const proof = stateOf(await owner.input({ identification: 'email', login_id: email }))
    expect(proof.action.type).toBe('verify')
    const sure = oauthHouse({}, [cloud])
    const first = { ...mayaThere, email_verified: true }
    await comeBy(sure, await startFlow(sure, 'signup'), first, 'cloud')
    const second = await startFlow(sure, 'signup')
    const refusal = errorOf(await second.input({ identification: 'email', login_id: email }))
    expect(refusal).toMatchObject(duplicated)
  })

  it('spends the enumeration limit, unless the address is proven', async () => {
    const limits = { account_enumeration: { per_ip: { enabled: true, period: '1m', burst: 1 } } }
    const account_linking = { oauth: [rule('google'), rule('cloud')], allow_unverified: true }
    const authentication = { rate_limits: limits }
    const world = await linkingHouse({ authentication, account_linking })
    const outcomes: unknown[] = []
    for (const alias of ['google', 'google', 'cloud', 'cloud', 'google']) {
      const last = await comeBy(world, await startFlow(world, 'signup'), mayaThere, alias)
      outcomes.push(last.ok ? alias : last.error.reason)
    }
    expect(outcomes).toEqual(['google', 'google', 'cloud', 'RateLimited', 'google'])
  })
})

describe('the ways to sign in', () => {
  const keys = [{ type: 'email' }, { type: 'username' }, { type: 'phone' }]
  const delta: ConfigDelta = {
    identity: { login_id: { keys } },
    account_linking: { oauth: [rule('google'), rule('cloud')] },
  }

  it('are those of the account that the login accepts, with unknown parts masked', async () => {
    const world = await linkingHouse(delta)
    const hash = await world.auth.hasher.hash(password)
    const several = {
      email: 'lena@x.io',
      preferred_username: 'lena_l',
      phone_number: '+6591234567',
    }
    await importUsers(world.auth, [
      { ...several, password: { type: 'scrypt', password_hash: hash } },
    ])
    const lena = { subject: 'lena-1', email: 'lena@x.io' }
    const first = await atChoice(world, { ...mayaThere, ...lena })
    const optionOf = (identification: string, masked_display_name: string, more: object = {}) => ({
      identification,
      action: 'login_and_link',
      masked_display_name,
      ...more,
    })
    const options = stateOf(first.last).action.data.options as readonly object[]
    expect(options).toHaveLength(3)
    expect(options).toEqual(
      expect.arrayContaining([
        optionOf('email', 'le**@x.io'),
        optionOf('phone', '+659123****'),
        optionOf('username', 'len***'),
      ]),
    )
    await first.input({ index: 0 })
    stateOf(await first.input(showing))
    const vouched = { ...lena, subject: 'lena-2', email_verified: true }
    const flow = await startFlow(world, 'signup')
    const second = await comeBy(world, flow, vouched, 'cloud')
    expect(stateOf(second).action.data.options).toContainEqual(
      optionOf('oauth', 'le**@x.io', {
        oauth_provider_type: 'google',
        oauth_provider_alias: 'google',
        provider_type: 'google',
        alias: 'google',
        provider_status: 'active',
      }),
    )
  })

  it('are chosen by index, and a provider needs a redirect URI', async () => {
    const world = await linkingHouse()
    const linking = await atChoice(world)
    await linking.input({ index: 0 })
    stateOf(await linking.input(showing))
    const vouched = { ...mayaThere, email_verified: true }
    const flow = await startFlow(world, 'signup')
    stateOf(await comeBy(world, flow, vouched, 'cloud'))
    const causesOf = async (input: Parameters<typeof flow.input>[0]) =>
      (errorOf(await flow.input(input)).info as { causes: readonly object[] }).causes
    expect(await causesOf({ index: 2, redirect_uri: callback })).toEqual([
      { location: '/index', kind: 'const', details: { expected: 0, actual: 2 } },
      { location: '/index', kind: 'const', details: { expected: 1, actual: 2 } },
    ])
    expect(await causesOf({ index: 1 })).toContainEqual(
      expect.objectContaining({ location: '', kind: 'required' }),
    )
    expect(await causesOf({ index: '0' })).toContainEqual(
      expect.objectContaining({ location: '/index', kind: 'const' }),
    )
    expect(await causesOf({})).toHaveLength(2)
    expect(await causesOf({ index: 1, redirect_uri: 'data:text/html,x' })).toEqual([
      expect.objectContaining({ location: '/redirect_uri', kind: 'format' }),
    ])
  })

  it('include those of every account with the claim', async () => {
    const oauth = [rule('google'), rule('google', 'login_and_link', '/phone_number')]
    const world = await linkingHouse({ ...delta, account_linking: { oauth } })
    const phone_number = '+6591234567'
    const other = await createUser(world.auth, { phone_number, password })
    const account = { ...mayaThere, phone_number, phone_number_verified: true }
    const flow = await atChoice(world, account)
    expect(stateOf(flow.last).action.data.options).toMatchObject([
      { identification: 'email' },
      { identification: 'phone' },
    ])
    await flow.input({ index: 1 })
    expect((await userOf(world, await flow.input(showing))).id).toBe(other)
  })

  it('are empty if no login accepts them, so the identity is a duplicate', async () => {
    const login_flows = [
      { name: 'default', steps: [{ type: 'identify', one_of: [{ identification: 'phone' }] }] },
    ]
    const world = await linkingHouse({
      ...delta,
      authentication_flow: { login_flows },
    })
    expect(errorOf((await atChoice(world)).last)).toMatchObject(duplicated)
  })
})

describe('the login of account linking', () => {
  it('may go through another provider, and must be that of the account', async () => {
    const world = await linkingHouse()
    const linking = await atChoice(world)
    await linking.input({ index: 0 })
    stateOf(await linking.input(showing))
    stateOf(
      await comeBy(world, await startFlow(world, 'signup'), { subject: 'lena-1', email: 'l@x.io' }),
    )
    world.clock.advance(1_000)
    const flow = await startFlow(world, 'signup')
    stateOf(await comeBy(world, flow, { ...mayaThere, email_verified: true }, 'cloud'))
    const away = stateOf(
      await flow.input({ index: 1, redirect_uri: callback, response_mode: 'form_post' }),
    )
    expect(away).toMatchObject({
      type: 'login',
      action: {
        type: 'identify',
        identification: 'oauth',
        data: { type: 'oauth_data', alias: 'google' },
      },
    })
    const url = String(away.action.data.oauth_authorization_url)
    expect(new URL(url).searchParams.get('response_mode')).toBe('form_post')
    const signIn = (account: typeof mayaThere | { subject: string; email: string }) =>
      flow.input({ query: world.oauth.signIn(url, account) }, away.state_token)
    expect(errorOf(await signIn({ subject: 'lena-1', email }))).toMatchObject({
      code: 400,
      reason: 'AuthenticationFlowDifferentUserID',
      info: { FlowType: 'login' },
    })
    expect(errorOf(await signIn({ subject: 'nobody', email })).reason).toBe('UserNotFound')
    const user = await userOf(world, await signIn(mayaThere))
    expect(user.id).toBe(world.id)
    expect(
      user.identities.map((one) => (one.type === 'oauth' ? one.provider_alias : one.type)),
    ).toEqual(['login_id', 'google', 'cloud'])
  })

  const named = (login_flow?: string): ConfigDelta => {
    const overrides = [{ name: 'google_by_email', ...(login_flow ? { login_flow } : {}) }]
    const step = { type: 'identify', one_of: [{ identification: 'email' }] }
    const authenticate = {
      type: 'authenticate',
      one_of: [{ authentication: 'primary_oob_otp_email' }],
    }
    return {
      account_linking: { oauth: [rule('google', 'error')] },
      authentication_flow: {
        signup_flows: [
          {
            name: 'partners',
            steps: [
              {
                type: 'identify',
                one_of: [
                  {
                    identification: 'oauth',
                    account_linking: {
                      oauth: overrides.map((one) => ({ ...one, action: 'login_and_link' })),
                    },
                  },
                ],
              },
            ],
          },
        ],
        login_flows: [
          { name: 'by_code', steps: [step, authenticate] },
          {
            name: 'partners',
            steps: [
              step,
              { type: 'authenticate', one_of: [{ authentication: 'primary_password' }] },
            ],
          },
        ],
      },
    }
  }

  it.each([
    [undefined, 'partners', 'primary_password'],
    ['by_code', 'by_code', 'primary_oob_otp_email'],
  ])('with the override %j, is %s', async (override, name, authentication) => {
    const world = await linkingHouse(named(override))
    const flow = await startFlow(world, 'signup', {}, 'partners')
    stateOf(await comeBy(world, flow, mayaThere))
    expect(stateOf(await flow.input({ index: 0 }))).toMatchObject({
      type: 'login',
      name,
      action: { data: { options: [{ authentication }] } },
    })
    const usual = await startFlow(world, 'signup')
    expect(errorOf(await comeBy(world, usual, mayaThere))).toMatchObject(duplicated)
  })

  it('must be configured', async () => {
    const signup_flows = [
      {
        name: 'alone',
        steps: [{ type: 'identify', one_of: [{ identification: 'oauth' }] }],
      },
    ]
    const world = await linkingHouse({ authentication_flow: { signup_flows } })
    const flow = await startFlow(world, 'signup', {}, 'alone')
    expect(errorOf(await comeBy(world, flow, mayaThere))).toMatchObject({
      code: 404,
      reason: 'AuthenticationFlowFlowNotFound',
    })
  })

  it('asks for the second factor of the account, and the session lists both', async () => {
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    const world = oauthHouse({ account_linking: { oauth: [rule('google')] } })
    const hash = await world.auth.hasher.hash(password)
    await importUsers(world.auth, [
      { email, password: { type: 'scrypt', password_hash: hash }, mfa: { totp: { secret } } },
    ])
    const flow = await atChoice(world)
    await flow.input({ index: 0 })
    expect(stateOf(await flow.input(showing)).action).toMatchObject({
      type: 'authenticate',
      data: { options: [{ authentication: 'secondary_totp' }] },
    })
    const key = decodeBase32(secret) ?? new Uint8Array()
    const code = totpCode(key, Math.floor(world.clock.now() / 30_000))
    const done = await flow.input({ authentication: 'secondary_totp', code })
    const [session] = await listSessions(world.auth, (await userOf(world, done)).id)
    expect(session?.amr).toEqual(['mfa', 'otp', 'pwd', 'x_primary_password', 'x_secondary_totp'])
  })

  it('refuses a user who may not sign in', async () => {
    const world = await linkingHouse()
    await disableUser(world.auth, world.id, { reason: 'fraud review' })
    const flow = await atChoice(world)
    await flow.input({ index: 0 })
    expect(errorOf(await flow.input(showing))).toMatchObject({
      reason: 'DisabledUser',
      info: { FlowType: 'login', reason: 'fraud review' },
    })
    expect((await getUser(world.auth, world.id)).identities).toHaveLength(1)
  })
})

describe('a sign-up with an address that an account has from a provider', () => {
  const login_id = [{ key: 'email', user_profile: { pointer: '/email' }, action: 'login_and_link' }]

  it('signs in by the provider, verifies the address and sets a password', async () => {
    const world = oauthHouse({ account_linking: { login_id } })
    const first = await comeBy(world, await startFlow(world, 'signup'), mayaThere)
    const { id } = await userOf(world, first)
    world.clock.advance(1_000)
    const flow = await startFlow(world, 'signup')
    const asked = stateOf(await flow.input({ identification: 'email', login_id: email }))
    expect(asked.action).toMatchObject({
      type: 'identify',
      identification: 'email',
      data: {
        options: [{ identification: 'oauth', alias: 'google', masked_display_name: masked }],
      },
    })
    const url = urlOf(await flow.input({ index: 0, redirect_uri: callback }))
    const next = stateOf(await flow.input({ query: world.oauth.signIn(url, mayaThere) }))
    // The provider has vouched for the address already, so no code is sent to it.
    expect(next).toMatchObject({ type: 'signup', action: { type: 'create_authenticator' } })
    const done = await flow.input({ authentication: 'primary_password', new_password: password })
    const user = await userOf(world, done)
    expect(user.id).toBe(id)
    expect(user.identities.map(({ type }) => type)).toEqual(['oauth', 'login_id'])
    expect(user.authenticators.map(({ type }) => type)).toEqual(['password'])
    const login = await startFlow(world, 'login')
    await login.input({ identification: 'email', login_id: email })
    expect((await userOf(world, await login.input(showing))).id).toBe(id)
  })

  it('is refused by default', async () => {
    const world = oauthHouse()
    stateOf(await comeBy(world, await startFlow(world, 'signup'), mayaThere))
    const flow = await startFlow(world, 'signup')
    expect(errorOf(await flow.input({ identification: 'email', login_id: email }))).toMatchObject({
      ...duplicated,
      info: {
        IdentityTypeIncoming: 'login_id',
        LoginIDTypeIncoming: 'email',
        IdentityTypeExisting: 'oauth',
        OAuthProviderTypeExisting: 'google',
        ExistingIdentities: [{ IdentityType: 'oauth', OAuthProviderType: 'google' }],
      },
    })
  })

  it('reveals nothing if a code decides who owns the address', async () => {
    const authentication = { enumeration_protection: 'strict' }
    const world = oauthHouse({ account_linking: { login_id }, authentication })
    stateOf(await comeBy(world, await startFlow(world, 'signup'), mayaThere))
    const answers: unknown[] = []
    for (const login_id of [email, 'nina@harborlight.example']) {
      const flow = await startFlow(world, 'signup')
      const { action } = stateOf(await flow.input({ identification: 'email', login_id }))
      answers.push({ ...action, data: { ...action.data, masked_claim_value: '' } })
    }
    expect(answers[0]).toEqual(answers[1])
    expect(world.outbox.messages.map(({ kind }) => kind)).toEqual(['signup_taken', 'verification'])
  })
})
