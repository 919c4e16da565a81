import { describe, expect, it } from 'vitest'
import { identityCollection, identityKeyCollection } from '../accounts/identity-record.ts'
import { comeBy, oauthHouse } from '../kinds/oauth/oauth-house.fixture.ts'
import { createAnonymousUser } from '../people/create-anonymous-user.ts'
import { createUser } from '../people/create-user.ts'
import { errorOf, startFlow, stateOf, testAuth } from '../service.fixture.ts'
import { changesOf, maya, sessionOf, signedIn, tom } from './account.fixture.ts'

const address = 'm.lindqvist@harborlight.example'
const loginIds = {
  identity: { login_id: { keys: [{ type: 'email' }, { type: 'phone' }, { type: 'username' }] } },
}

describe('a signed-in user', () => {
  it('gets a further address once it is verified', async () => {
    const world = testAuth()
    const person = await signedIn(world)
    const flow = await person.begin({ add_identity: 'email' })
    expect(stateOf(flow.last)).toMatchObject({
      type: 'account',
      name: 'add_identity',
      action: {
        type: 'identify',
        data: { type: 'identification_data', options: [{ identification: 'email' }] },
      },
    })
    const asked = stateOf(await flow.input({ identification: 'email', login_id: address }))
    expect(asked.action).toMatchObject({ type: 'verify', data: { type: 'verify_oob_otp_data' } })
    expect((await person.details()).identities).toHaveLength(1)
    const ended = await flow.input({ code: world.codeTo(address) })
    expect(stateOf(ended).action).toEqual({ type: 'finished', data: {} })
    expect(ended.cookies).toEqual([])

    const { identities, verified_claims } = await person.details()
    expect(identities.map(({ email }) => email)).toEqual([maya.email, address])
    expect(verified_claims.map(({ value }) => value).sort()).toEqual([address, maya.email])
    const [added, verified, ...others] = await changesOf(world)
    expect(added).toMatchObject({
      type: 'identity.email.added',
      payload: { user: { id: person.id }, identity: { original: address } },
      context: {
        user_id: person.id,
        triggered_by: 'user',
        ip_address: '192.0.2.7',
        authentication_flow: { type: 'account', name: 'add_identity' },
      },
    })
    expect(verified?.type).toBe('identity.email.verified')
    expect(others).toEqual([])
    const login = await startFlow(world, 'login')
    stateOf(await login.input({ identification: 'email', login_id: address }))
    const { password } = maya
    const signedInBy = await login.input({ authentication: 'primary_password', password })
    expect(stateOf(signedInBy).action.type).toBe('finished')
  })

  it('gets a phone number and a username, which fill empty attributes of the profile', async () => {
    const world = testAuth(loginIds)
    const person = await signedIn(world)
    const phone = await person.begin({ add_identity: 'phone' })
    stateOf(await phone.input({ identification: 'phone', login_id: '+14155552671' }))
    stateOf(await phone.input({ channel: 'sms' }))
    stateOf(await phone.input({ code: world.codeTo('+14155552671') }))
    const name = await person.begin({ add_identity: 'username' })
    const ended = await name.input({ identification: 'username', login_id: 'Maya.L' })
    expect(stateOf(ended).action.type).toBe('finished')
    expect(await person.details()).toMatchObject({
      standard_attributes: {
        email: maya.email,
        phone_number: '+14155552671',
        preferred_username: 'maya.l',
      },
    })
  })

  it('is refused an identity that another user has, or that they have already', async () => {
    const world = testAuth()
    await createUser(world.auth, tom)
    const person = await signedIn(world)
    const flow = await person.begin({ add_identity: 'email' })
    for (const login_id of [tom.email, maya.email]) {
      const refused = errorOf(await flow.input({ identification: 'email', login_id }))
      expect(refused).toMatchObject({
        reason: 'InvariantViolated',
        info: {
          FlowType: 'account',
          IdentityTypeIncoming: 'login_id',
          cause: { kind: 'DuplicatedIdentity' },
        },
      })
    }
    expect(world.outbox.messages).toEqual([])
  })

  it('does not learn who has an address if that is hidden, and gets no code for it', async () => {
    const world = testAuth({ authentication: { enumeration_protection: 'strict' } })
    const owner = await signedIn(world, tom)
    const person = await signedIn(world)
    const shapes = []
    for (const login_id of [tom.email, address]) {
      const flow = await person.begin({ add_identity: 'email' })
      const { type, name, action } = stateOf(
        await flow.input({ identification: 'email', login_id }),
      )
      shapes.push({ type, name, action: action.type, members: Object.keys(action.data) })
      if (login_id !== tom.email) continue
      const [notice] = world.outbox.messages
      expect(notice).toMatchObject({ kind: 'signup_taken', target: tom.email })
      expect(notice?.code).toBeUndefined()
      for (let code = 0; code < 3; code++) {
        const refused = errorOf(await flow.input({ code: String(code).padStart(6, '0') }))
        expect(refused.reason).toBe('InvalidVerificationCode')
      }
    }
    expect(shapes[0]).toEqual(shapes[1])
    expect((await person.details()).identities).toHaveLength(1)
    expect((await owner.details()).identities).toHaveLength(1)
    const own = await person.begin({ add_identity: 'email' })
    const refused = errorOf(await own.input({ identification: 'email', login_id: maya.email }))
    expect(refused.info).toMatchObject({ cause: { kind: 'DuplicatedIdentity' } })
  })

  it('gets an address that another user adds at the same time only if the other does not', async () => {
    const world = testAuth({ verification: { claims: { email: { enabled: false } } } })
    const people = [await signedIn(world), await signedIn(world, tom)]
    const flows = await Promise.all(people.map((one) => one.begin({ add_identity: 'email' })))
    const [first, second] = await Promise.all(
      flows.map((flow) => flow.input({ identification: 'email', login_id: address })),
    )
    const results = [first, second].filter((one) => one?.ok)
    expect(results).toHaveLength(1)
    const key = await identityKeyCollection.get(world.storage, `login_id:email:${address}`)
    expect(people.map(({ id }) => id)).toContain(key?.value.user_id)
  })

  it('cannot add an identity that the configuration does not allow', async () => {
    const keys = [{ type: 'email', create_disabled: true }]
    const world = testAuth({ identity: { login_id: { keys } } })
    const person = await signedIn(world)
    for (const add_identity of [
      'email',
      'phone',
      'oauth',
      'passkey',
      'select_account',
      'nothing',
    ]) {
      expect(errorOf(await person.tryTo({ add_identity }))).toMatchObject({
        reason: 'InvariantViolated',
        info: { FlowType: 'account', cause: { kind: 'IdentityModifyDisabled' } },
      })
    }
  })
})

describe("an identity provider's account", () => {
  it('is added for a signed-in user who returns from the provider', async () => {
    const world = oauthHouse()
    const person = await signedIn(world)
    const flow = await person.begin({ add_identity: 'oauth' })
    expect(stateOf(flow.last).action.data.options).toMatchObject([
      { identification: 'oauth', alias: 'google' },
      { identification: 'oauth', alias: 'cloud' },
    ])
    const ended = await comeBy(world, flow, { subject: '1', email: maya.email })
    expect(stateOf(ended).action.type).toBe('finished')
    expect((await person.details()).identities).toMatchObject([
      { type: 'login_id' },
      { type: 'oauth', provider_alias: 'google', subject: '1' },
    ])
    expect((await changesOf(world)).map(({ type }) => type)).toEqual([
      'identity.oauth.connected',
      'identity.email.verified',
    ])
  })

  it('that another user has stays theirs, even if a sign-up would link accounts', async () => {
    const rule = { alias: 'google', oauth_claim: { pointer: '/email' } }
    const oauth = [{ ...rule, user_profile: { pointer: '/email' }, action: 'login_and_link' }]
    const world = oauthHouse({ account_linking: { oauth } })
    const other = await signedIn(world, tom)
    const mine = await other.begin({ add_identity: 'oauth' })
    stateOf(await comeBy(world, mine, { subject: '1', email: tom.email }))

    const person = await signedIn(world)
    for (const subject of ['1', '2']) {
      const flow = await person.begin({ add_identity: 'oauth' })
      const refused = await comeBy(world, flow, { subject, email: tom.email })
      expect(errorOf(refused)).toMatchObject({
        reason: 'InvariantViolated',
        info: { FlowType: 'account', cause: { kind: 'DuplicatedIdentity' } },
      })
    }
    expect((await person.details()).identities).toHaveLength(1)
  })
})

describe('a replaced login ID', () => {
  it('is removed with its dependents in the same commit', async () => {
    const world = testAuth({
      authentication: { primary_authenticators: ['password', 'oob_otp_email'] },
    })
    const person = await signedIn(world)
    const login = await startFlow(world, 'login')
    stateOf(await login.input({ identification: 'email', login_id: maya.email }))
    stateOf(await login.input({ authentication: 'primary_oob_otp_email', index: 1 }))
    stateOf(await login.input({ code: world.codeTo(maya.email) }))
    expect((await person.details()).authenticators).toHaveLength(2)

    const [old] = (await person.details()).identities
    const flow = await person.begin({ replace_identity: old?.id ?? '' })
    expect(stateOf(flow.last).action.data.options).toEqual([{ identification: 'email' }])
    stateOf(await flow.input({ identification: 'email', login_id: address }))
    expect((await person.details()).identities).toMatchObject([{ email: maya.email }])
    stateOf(await flow.input({ code: world.codeTo(address) }))

    expect(await person.details()).toMatchObject({
      identities: [{ email: address }],
      authenticators: [{ type: 'password' }],
      verified_claims: [{ name: 'email', value: address }],
      standard_attributes: { email: address },
    })
    const [updated] = (await changesOf(world)).filter(({ type }) => type.endsWith('.updated'))
    expect(updated).toMatchObject({
      type: 'identity.email.updated',
      payload: { identity: { original: address }, old_identity: { original: maya.email } },
    })
    // The old one is free.
    await createUser(world.auth, { email: maya.email })
  })

  it('cannot be replaced if update_disabled is set, but can if only create_disabled is', async () => {
    const keys = [
      { type: 'email', update_disabled: true },
      { type: 'username', create_disabled: true },
    ]
    const world = testAuth({ identity: { login_id: { keys } } })
    const person = await signedIn(world, { ...maya, preferred_username: 'maya' })
    const { identities } = await person.details()
    const email = identities.find((one) => one.email !== undefined)
    const name = identities.find((one) => one.preferred_username !== undefined)
    const refused = errorOf(await person.tryTo({ replace_identity: email?.id ?? '' }))
    expect(refused.info).toMatchObject({ cause: { kind: 'IdentityModifyDisabled' } })
    const flow = await person.begin({ replace_identity: name?.id ?? '' })
    world.clock.advance(1_000)
    stateOf(await flow.input({ identification: 'username', login_id: 'maya.l' }))
    expect((await person.details()).identities).toMatchObject([
      { email: maya.email },
      { preferred_username: 'maya.l' },
    ])
  })

  it('is replaced by one of two concurrent flows', async () => {
    const world = testAuth({ verification: { claims: { email: { enabled: false } } } })
    const person = await signedIn(world)
    const [old] = (await person.details()).identities
    const change = { replace_identity: old?.id ?? '' }
    const flows = [await person.begin(change), await person.begin(change)]
    const results = []
    for (const [index, flow] of flows.entries()) {
      const login_id = `maya${index}@harborlight.example`
      results.push(await flow.input({ identification: 'email', login_id }))
    }
    expect(results.map((one) => (one.ok ? 'finished' : one.error.reason))).toEqual([
      'finished',
      'IdentityNotFound',
    ])
    expect(await identityCollection.find(world.storage, { by: 'id', limit: 10 })).toHaveLength(1)
  })
})

describe('an unverified address', () => {
  const { email_verified: _, ...unproven } = maya

  it('is verified by a code', async () => {
    const world = testAuth()
    const person = await signedIn(world, unproven)
    const [identity] = (await person.details()).identities
    const flow = await person.begin({ verify_identity: identity?.id ?? '' })
    expect(stateOf(flow.last).action).toMatchObject({
      type: 'verify',
      data: { masked_claim_value: 'ma**@harborlight.example' },
    })
    stateOf(await flow.input({ code: world.codeTo(maya.email) }))
    expect((await person.details()).verified_claims).toMatchObject([{ value: maya.email }])
    expect((await changesOf(world)).map(({ type }) => type)).toEqual(['identity.email.verified'])
  })

  it('is not verified for a user who has lost it meanwhile', async () => {
    const world = testAuth(loginIds)
    const person = await signedIn(world, { ...unproven, preferred_username: 'maya' })
    const { identities } = await person.details()
    const id = identities.find((one) => one.email !== undefined)?.id ?? ''
    const proving = await person.begin({ verify_identity: id })
    const code = world.codeTo(maya.email)
    const replacing = await person.begin({ replace_identity: id })
    stateOf(await replacing.input({ identification: 'email', login_id: address }))
    stateOf(await replacing.input({ code: world.codeTo(address) }))
    expect(errorOf(await proving.input({ code })).reason).toBe('IdentityNotFound')
    expect((await person.details()).verified_claims).toMatchObject([{ value: address }])
  })

  it('is not a username, not verified already, and not one of another user', async () => {
    const world = testAuth(loginIds)
    const other = await signedIn(world, { ...unproven, email: tom.email })
    const person = await signedIn(world, { ...maya, preferred_username: 'maya' })
    for (const { id } of (await person.details()).identities) {
      const refused = errorOf(await person.tryTo({ verify_identity: id }))
      expect(refused.info).toMatchObject({ cause: { kind: 'ClaimNotVerifiable' } })
    }
    const [theirs] = (await other.details()).identities
    for (const id of [theirs?.id ?? '', 'nothing', '']) {
      expect(errorOf(await person.tryTo({ verify_identity: id }))).toMatchObject({
        reason: 'IdentityNotFound',
        code: 404,
      })
      expect(errorOf(await person.tryTo({ replace_identity: id })).reason).toBe('IdentityNotFound')
    }
  })
})

describe('an anonymous user', () => {
  it('must be promoted, and cannot change how they sign in', async () => {
    const world = testAuth({ authentication: { identities: ['login_id', 'anonymous'] } })
    const made = await createAnonymousUser(world.auth)
    const person = await sessionOf(world, made.user_id)
    const refused = errorOf(await person.tryTo({ add_identity: 'email' }))
    expect(refused.info).toMatchObject({ cause: { kind: 'AnonymousUserDisallowed' } })
  })
})
