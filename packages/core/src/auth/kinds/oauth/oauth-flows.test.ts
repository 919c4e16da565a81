import { describe, expect, it } from 'vitest'
import type { Json } from '../../../storage/storage.ts'
import { identityKey } from '../../accounts/identities.ts'
import { identityCollection, identityKeyCollection } from '../../accounts/identity-record.ts'
import { getFlowState } from '../../flows/get-flow-state.ts'
import { createUser } from '../../people/create-user.ts'
import { getUser } from '../../people/get-user.ts'
import { disableUser } from '../../people/update-user.ts'
import { errorOf, startFlow, stateOf } from '../../service.fixture.ts'
import { updateAuthConfig } from '../../update-auth-config.ts'
import type { FakeAccount } from './oauth.fixture.ts'
import {
  callback,
  cloud,
  comeBy,
  google,
  leaveFor,
  type OAuthHouse,
  oauthHouse,
  urlOf,
  userOf,
} from './oauth-house.fixture.ts'

const email = 'maya@harborlight.example'
const maya: FakeAccount = { subject: 'maya-1', email, name: 'Maya Sole', locale: 'pt-PT' }

const choose = (alias: string, more: { readonly [name: string]: Json } = {}) => ({
  identification: 'oauth',
  alias,
  redirect_uri: callback,
  ...more,
})

async function optionsOf(world: OAuthHouse, type: 'signup' | 'login'): Promise<unknown> {
  const flow = await startFlow(world, type)
  return stateOf(flow.last).action.data.options
}

describe('the provider options', () => {
  it('are in configuration order, with their status', async () => {
    const wechat = { alias: 'wx', type: 'wechat', app_type: 'mobile' }
    const demo = { alias: 'demo', type: 'github', credentials_behavior: 'use_demo_credentials' }
    const world = oauthHouse({}, [google, wechat, demo])
    const shown = (alias: string, type: string, provider_status: string, more: object = {}) => ({
      identification: 'oauth',
      oauth_provider_type: type,
      oauth_provider_alias: alias,
      provider_type: type,
      alias,
      provider_status,
      ...more,
    })
    expect(await optionsOf(world, 'login')).toEqual([
      shown('google', 'google', 'active'),
      shown('wx', 'wechat', 'missing_credentials', { wechat_app_type: 'mobile' }),
      shown('demo', 'github', 'using_demo_credentials'),
      { identification: 'email' },
    ])
  })

  it('are in sign-ups only if they may create accounts', async () => {
    const world = oauthHouse({}, [{ ...google, create_disabled: true }, cloud])
    expect(await optionsOf(world, 'signup')).toMatchObject([{ alias: 'cloud' }, {}])
    expect(await optionsOf(world, 'login')).toMatchObject([
      { alias: 'google' },
      { alias: 'cloud' },
      {},
    ])
    const flow = await startFlow(world, 'signup_login')
    expect(errorOf(await comeBy(world, flow, maya))).toMatchObject({
      reason: 'UserNotFound',
      info: { IdentityTypeIncoming: 'oauth', OAuthProviderTypeIncoming: 'google' },
    })
  })

  it('are missing if provider accounts are not an identity', async () => {
    const world = oauthHouse({ authentication: { identities: ['login_id'] } })
    expect(await optionsOf(world, 'signup')).toEqual([{ identification: 'email' }])
  })
})

describe('an authorization URL', () => {
  it('is the same at each read, and bound to its state', async () => {
    const world = oauthHouse()
    const flow = await startFlow(world, 'login')
    const start = flow.token
    const away = stateOf(await flow.input(choose('google', { response_mode: 'form_post' })))
    const url = String(away.action.data.oauth_authorization_url)
    expect(away.action).toEqual({
      type: 'identify',
      identification: 'oauth',
      data: {
        type: 'oauth_data',
        oauth_provider_type: 'google',
        oauth_provider_alias: 'google',
        alias: 'google',
        provider_status: 'active',
        oauth_authorization_url: url,
      },
    })
    const { searchParams } = new URL(url)
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(searchParams.get('nonce')).toMatch(/^[\w-]{43}$/)
    expect(searchParams.get('response_mode')).toBe('form_post')
    expect(searchParams.get('state')).toBeNull()
    const read = await getFlowState(world.auth, { state_token: away.state_token })
    expect(stateOf(read)).toEqual(away)
    const sibling = new URL(urlOf(await flow.input(choose('google'), start)))
    for (const name of ['nonce', 'code_challenge']) {
      expect(sibling.searchParams.get(name)).not.toBe(searchParams.get(name))
    }
  })

  it('has the parameters of the authorization request', async () => {
    const world = oauthHouse({}, [google], {
      authorizationBridge: {
        resolve: async () => ({ id: 'r1', prompt: ['login', 'consent'], redirect_uri: callback }),
        finish: async () => callback,
      },
    })
    const flow = await startFlow(world, 'login', { query: 'x_ref=r1' })
    const { searchParams } = new URL(await leaveFor(flow))
    expect(searchParams.get('prompt')).toBe('login consent')
  })

  it('needs a redirect URI', async () => {
    const flow = await startFlow(oauthHouse(), 'login')
    const causes = async (more: { readonly [name: string]: Json }) =>
      (errorOf(await flow.input(choose('google', more))).info as { causes: unknown }).causes
    const details = { error: 'the scheme javascript: is not allowed', format: 'uri' }
    expect(await causes({ redirect_uri: 'javascript:alert(1)' })).toEqual([
      { location: '/redirect_uri', kind: 'format', details },
    ])
    expect(await causes({ redirect_uri: '/cb' })).toContainEqual({
      location: '/redirect_uri',
      kind: 'format',
      details: { format: 'uri' },
    })
    expect(await causes({ redirect_uri: `${callback}?${'x'.repeat(2_000)}` })).toContainEqual(
      expect.objectContaining({ location: '/redirect_uri', kind: 'maxLength' }),
    )
    expect(await causes({ response_mode: 'fragment' })).toContainEqual(
      expect.objectContaining({ location: '/response_mode', kind: 'enum' }),
    )
    expect(await causes({ alias: 'nobody' })).toContainEqual(
      expect.objectContaining({ location: '/alias', kind: 'const' }),
    )
  })

  it('accepts only the redirect URIs of the list, if there is one', async () => {
    const oauth = { providers: [google], allowed_redirect_uris: ['https://app.example.com/other'] }
    const world = oauthHouse()
    const flow = await startFlow(world, 'login')
    updateAuthConfig(world.auth, { ...world.document, identity: { oauth } })
    expect(errorOf(await flow.input(choose('google')))).toMatchObject({
      reason: 'ValidationFailed',
      info: {
        causes: [
          {
            location: '/redirect_uri',
            kind: 'blocked',
            details: { reason: 'RedirectURIAllowlist' },
          },
        ],
      },
    })
  })

  it('needs credentials', async () => {
    const flow = await startFlow(oauthHouse({}, [{ alias: 'gh', type: 'github' }]), 'login')
    expect(errorOf(await flow.input(choose('gh')))).toMatchObject({
      code: 400,
      reason: 'OAuthProviderMissingCredentials',
      info: { FlowType: 'login', OAuthProviderAlias: 'gh', OAuthProviderType: 'github' },
    })
  })

  it('is not available if the provider was removed', async () => {
    const world = oauthHouse()
    const flow = await startFlow(world, 'signup')
    const start = flow.token
    const query = world.oauth.signIn(await leaveFor(flow), maya)
    updateAuthConfig(world.auth, { ...world.document, identity: { oauth: { providers: [cloud] } } })
    const notFound = { reason: 'OAuthProviderNotFound', code: 404 }
    expect(errorOf(await flow.input({ query }))).toMatchObject(notFound)
    expect(errorOf(await flow.input(choose('google'), start))).toMatchObject(notFound)
    expect(
      stateOf(await getFlowState(world.auth, { state_token: flow.token })).action.data.alias,
    ).toBe('google')
    expect(world.oauth.redemptions).toBe(0)
  })
})

describe('a user who returns from a provider', () => {
  it('signs up the first time, with the provider’s claims', async () => {
    const world = oauthHouse()
    const flow = await startFlow(world, 'signup_login')
    const done = await comeBy(world, flow, maya)
    expect(stateOf(done)).toMatchObject({ type: 'signup', action: { type: 'finished' } })
    expect(await userOf(world, done)).toMatchObject({
      last_login_at: world.clock.now(),
      standard_attributes: { email, name: 'Maya Sole', locale: 'pt-PT' },
      identities: [
        { type: 'oauth', provider_alias: 'google', subject: 'maya-1', email, claims: { email } },
      ],
      verified_claims: [{ name: 'email', value: email }],
    })
    expect(world.oauth.redemptions).toBe(1)
  })

  it('signs in later, with updated claims', async () => {
    const world = oauthHouse()
    await comeBy(world, await startFlow(world, 'signup_login'), maya)
    world.clock.advance(60_000)
    const renamed = { ...maya, email: 'maya@new.example', name: 'Maya Vale' }
    const done = await comeBy(world, await startFlow(world, 'signup_login'), renamed)
    expect(stateOf(done)).toMatchObject({ type: 'login', action: { type: 'finished' } })
    const user = await userOf(world, done)
    expect(user.last_login_at).toBe(world.clock.now())
    expect(user.standard_attributes.name).toBe('Maya Sole')
    expect(user.identities).toMatchObject([
      { created_at: user.created_at, email: 'maya@new.example', claims: { name: 'Maya Vale' } },
    ])
    const proven = user.verified_claims.map(({ value }) => value)
    expect(proven.sort()).toEqual([email, 'maya@new.example'])
  })

  it('keeps the identity unchanged if no claim has changed', async () => {
    const world = oauthHouse()
    const versions = async () =>
      (await identityCollection.find(world.storage, { by: 'id', limit: 2 })).map(
        ({ version }) => version,
      )
    await comeBy(world, await startFlow(world, 'signup_login'), maya)
    const before = await versions()
    const { subject, ...claims } = maya
    const reordered = { subject, ...Object.fromEntries(Object.entries(claims).reverse()) }
    stateOf(await comeBy(world, await startFlow(world, 'login'), reordered))
    expect(await versions()).toEqual(before)
  })

  it('is identified by the subject, whatever the address is', async () => {
    const world = oauthHouse()
    const done = await comeBy(world, await startFlow(world, 'signup'), maya)
    const other = { ...maya, email: 'elsewhere@harborlight.example' }
    const again = await comeBy(world, await startFlow(world, 'login'), other)
    expect((await userOf(world, again)).id).toBe((await userOf(world, done)).id)
    const impostor = { ...maya, subject: 'maya-2' }
    expect(errorOf(await comeBy(world, await startFlow(world, 'login'), impostor)).reason).toBe(
      'UserNotFound',
    )
  })

  it('without an account gets an error that lists other identities', async () => {
    const world = oauthHouse()
    await createUser(world.auth, { email })
    const flow = await startFlow(world, 'login')
    expect(errorOf(await comeBy(world, flow, maya))).toMatchObject({
      code: 404,
      reason: 'UserNotFound',
      info: {
        FlowType: 'login',
        IdentityTypeIncoming: 'oauth',
        OAuthProviderTypeIncoming: 'google',
        IdentityTypeExisting: 'login_id',
        LoginIDTypeExisting: 'email',
        ExistingIdentities: [{ IdentityType: 'login_id', LoginIDType: 'email' }],
      },
    })
  })

  it('gets no such list if enumeration protection is on', async () => {
    for (const enumeration_protection of ['login', 'strict']) {
      const world = oauthHouse({ authentication: { enumeration_protection } })
      await createUser(world.auth, { email })
      const flow = await startFlow(world, 'login')
      expect(errorOf(await comeBy(world, flow, maya)).info).toEqual({
        FlowType: 'login',
        IdentityTypeIncoming: 'oauth',
        OAuthProviderTypeIncoming: 'google',
      })
    }
  })

  it('without an account spends the enumeration limit', async () => {
    const limits = { account_enumeration: { per_ip: { enabled: true, period: '1m', burst: 2 } } }
    const world = oauthHouse({ authentication: { rate_limits: limits } })
    const reasons: string[] = []
    for (let time = 0; time < 3; time++) {
      const flow = await startFlow(world, 'login')
      reasons.push(errorOf(await comeBy(world, flow, maya)).reason)
    }
    expect(reasons).toEqual(['UserNotFound', 'UserNotFound', 'RateLimited'])
  })

  it('cannot sign up twice', async () => {
    const world = oauthHouse()
    stateOf(await comeBy(world, await startFlow(world, 'signup'), maya))
    const flow = await startFlow(world, 'signup')
    expect(errorOf(await comeBy(world, flow, maya)).info).toEqual({
      FlowType: 'signup',
      IdentityTypeIncoming: 'oauth',
      OAuthProviderTypeIncoming: 'google',
      IdentityTypeExisting: 'oauth',
      OAuthProviderTypeExisting: 'google',
      cause: { kind: 'DuplicatedIdentity' },
    })
  })

  it('cannot sign up if public sign-up is off', async () => {
    const world = oauthHouse({ authentication: { public_signup_disabled: true } })
    const flow = await startFlow(world, 'signup_login')
    expect(errorOf(await comeBy(world, flow, maya)).reason).toBe('AuthenticationFlowNoPublicSignup')
  })

  it('is refused if disabled', async () => {
    const world = oauthHouse()
    const done = await comeBy(world, await startFlow(world, 'signup'), maya)
    await disableUser(world.auth, (await userOf(world, done)).id, { reason: 'fraud review' })
    const flow = await startFlow(world, 'login')
    expect(errorOf(await comeBy(world, flow, maya))).toMatchObject({
      reason: 'DisabledUser',
      info: { FlowType: 'login', reason: 'fraud review' },
    })
  })

  it('stores only the subject if so configured', async () => {
    const secretive = { ...google, do_not_store_identity_attributes: true }
    const world = oauthHouse({}, [secretive])
    const done = await comeBy(world, await startFlow(world, 'signup'), maya)
    const user = await userOf(world, done)
    expect(user).toMatchObject({ standard_attributes: {}, verified_claims: [] })
    expect(JSON.stringify(user)).not.toMatch(/harborlight|sole/i)
    expect(stateOf(await comeBy(world, await startFlow(world, 'login'), maya)).type).toBe('login')
    expect(JSON.stringify(await getUser(world.auth, user.id))).not.toMatch(/harborlight|sole/i)
  })

  it('starts with no attributes if so configured', async () => {
    const population = { strategy: 'none' }
    const world = oauthHouse({ user_profile: { standard_attributes: { population } } })
    const done = await comeBy(world, await startFlow(world, 'signup'), maya)
    expect((await userOf(world, done)).standard_attributes).toEqual({})
  })

  it('is refused without a required address; other providers may omit it', async () => {
    const world = oauthHouse()
    const flow = await startFlow(world, 'signup')
    const start = flow.token
    expect(errorOf(await comeBy(world, flow, { subject: 's' }))).toMatchObject({
      code: 400,
      reason: 'OAuthError',
      info: { FlowType: 'signup', error: 'email_required', provider_type: 'google' },
    })
    const url = urlOf(await flow.input(choose('cloud'), start))
    const done = await flow.input({ query: world.oauth.signIn(url, { subject: 's' }) })
    expect((await userOf(world, done)).identities).toMatchObject([{ provider_alias: 'cloud' }])
  })
})

describe('an account whose provider sends no address the second time', () => {
  const first = { ...maya, email_verified: true, exp: 1 }
  const without = { subject: maya.subject, locale: 'en', exp: 2 }

  it.each(['login', 'signup_login'] as const)('gets in by a %s', async (type) => {
    const world = oauthHouse()
    const made = await comeBy(world, await startFlow(world, 'signup'), first)
    const before = (await userOf(world, made)).identities
    const flow = await startFlow(world, type)
    const done = await comeBy(world, flow, without)
    expect(stateOf(done).action.type).toBe('finished')
    const { identities, verified_claims } = await getUser(world.auth, String(before[0]?.user_id))
    expect(verified_claims).toMatchObject([{ name: 'email', value: email }])
    expect(identities).toMatchObject([
      {
        email,
        claims: { email, email_verified: true, name: maya.name, locale: 'en' },
        profile: { sub: maya.subject, locale: 'en', exp: 2 },
      },
    ])
  })

  it('may have a new address, which is verified only if the provider says so', async () => {
    const world = oauthHouse()
    await comeBy(world, await startFlow(world, 'signup'), first, 'cloud')
    const next = { ...without, email: 'maya@new.example' }
    const done = await comeBy(world, await startFlow(world, 'login'), next, 'cloud')
    const { identities, verified_claims } = await userOf(world, done)
    expect(identities).toMatchObject([{ email: 'maya@new.example' }])
    expect(identities[0]).not.toHaveProperty('claims.email_verified')
    expect(verified_claims).toMatchObject([{ name: 'email', value: email }])
  })

  it('is known in a sign-up as well', async () => {
    const world = oauthHouse()
    await comeBy(world, await startFlow(world, 'signup'), first)
    const again = await comeBy(world, await startFlow(world, 'signup'), without)
    expect(errorOf(again)).toMatchObject({ info: { cause: { kind: 'DuplicatedIdentity' } } })
    const stranger = { ...without, subject: 'nobody' }
    expect(errorOf(await comeBy(world, await startFlow(world, 'login'), stranger))).toMatchObject({
      reason: 'UserNotFound',
    })
    const signUp = await comeBy(world, await startFlow(world, 'signup_login'), stranger)
    expect(errorOf(signUp)).toMatchObject({ info: { error: 'email_required' } })
  })

  it('loses its claims if the configuration stores none any more', async () => {
    const world = oauthHouse()
    await comeBy(world, await startFlow(world, 'signup'), first)
    updateAuthConfig(world.auth, {
      ...world.document,
      identity: { oauth: { providers: [{ ...google, do_not_store_identity_attributes: true }] } },
    })
    const done = await comeBy(world, await startFlow(world, 'login'), without)
    const { identities } = await userOf(world, done)
    expect(identities[0]).toMatchObject({ claims: {}, profile: {} })
    expect(identities[0]).not.toHaveProperty('email')
  })
})

describe('a flow that verifies the address of a provider', () => {
  const signup_flows = [
    {
      name: 'default',
      steps: [
        {
          type: 'identify',
          name: 'who',
          one_of: [{ identification: 'oauth', steps: [{ type: 'verify', target_step: 'who' }] }],
        },
      ],
    },
  ]
  const verifying = { authentication_flow: { signup_flows } }

  it('sends a code if the provider does not vouch for the address; the code of the provider does not count', async () => {
    const world = oauthHouse(verifying)
    const flow = await startFlow(world, 'signup')
    const query = world.oauth.signIn(await leaveFor(flow, 'cloud'), maya)
    const code = new URLSearchParams(query).get('code') ?? ''
    expect(stateOf(await flow.input({ code, query })).action).toMatchObject({
      type: 'verify',
      data: { type: 'verify_oob_otp_data', masked_claim_value: 'ma**@harborlight.example' },
    })
    const user = await userOf(world, await flow.input({ code: world.codeTo(email) }))
    expect(user.verified_claims).toEqual([{ name: 'email', value: email }])
  })

  it('skips the code if the provider vouches for the address, or there is none', async () => {
    const world = oauthHouse(verifying)
    const vouched = await comeBy(world, await startFlow(world, 'signup'), maya)
    expect((await userOf(world, vouched)).verified_claims).toHaveLength(1)
    const said = { ...maya, subject: 'other', email: 'other@x.io', email_verified: true }
    const done = await comeBy(world, await startFlow(world, 'signup'), said, 'cloud')
    expect((await userOf(world, done)).verified_claims).toHaveLength(1)
    const none = await comeBy(world, await startFlow(world, 'signup'), { subject: 'n' }, 'cloud')
    expect((await userOf(world, none)).verified_claims).toEqual([])
    expect(world.outbox.messages).toEqual([])
  })
})

describe('an identity that is removed during a flow', () => {
  async function onTheWay(account: FakeAccount) {
    const login_flows = [
      {
        name: 'default',
        steps: [
          { type: 'identify', one_of: [{ identification: 'oauth' }] },
          { type: 'authenticate', one_of: [{ authentication: 'primary_password' }] },
        ],
      },
    ]
    const world = oauthHouse({ authentication_flow: { login_flows } })
    const password = 'tidal-lantern-42'
    const id = await createUser(world.auth, { preferred_username: 'maya', password })
    const done = await comeBy(world, await startFlow(world, 'signup'), maya)
    const [identity] = (await userOf(world, done)).identities
    if (identity === undefined) throw new Error('the sign-up has made no identity')
    const { id: identityId, ...record } = { ...identity, user_id: id }
    const key = { user_id: id, identity_id: identityId }
    await world.storage.commit([
      identityCollection.write(identityId, record),
      identityKeyCollection.write(identityKey(record), key),
    ])
    const flow = await startFlow(world, 'login')
    stateOf(await comeBy(world, flow, account))
    await world.storage.commit([
      identityCollection.remove(identityId),
      identityKeyCollection.remove(identityKey(record)),
    ])
    const last = await flow.input({ authentication: 'primary_password', password })
    return { world, last }
  }

  it.each([
    ['unchanged', maya],
    ['with a new profile', { ...maya, name: 'Maya Vale' }],
  ])('does not let its user in, and stays removed: %s', async (_what, account) => {
    const { world, last } = await onTheWay(account)
    expect(errorOf(last)).toMatchObject({ reason: 'UserNotFound', info: { FlowType: 'login' } })
    const left = await identityCollection.find(world.storage, {
      by: 'email',
      equals: email,
      limit: 9,
    })
    expect(left).toEqual([])
  })
})
