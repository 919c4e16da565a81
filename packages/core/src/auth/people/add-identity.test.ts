import { describe, expect, it } from 'vitest'
import { createBadgeIdentification } from '../kinds/badge.fixture.ts'
import { comeBy, oauthHouse, userOf } from '../kinds/oauth/oauth-house.fixture.ts'
import { eventsOf } from '../own-account/account.fixture.ts'
import { startFlow, stateOf, testAuth } from '../service.fixture.ts'
import { addIdentity } from './add-identity.ts'
import { createUser } from './create-user.ts'
import { getUser } from './get-user.ts'
import { listIdentities } from './list-identities.ts'
import type { NewIdentity } from './read-identity.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const cause = (kind: string) => ({ reason: 'InvariantViolated', info: { cause: { kind } } })

describe('an identity that the host adds to a user', () => {
  it('can be used to sign in', async () => {
    const world = testAuth()
    const { auth } = world
    const id = await createUser(auth, { preferred_username: 'maya', password })
    const added = await addIdentity(auth, id, {
      type: 'email',
      value: ` ${email} `,
      verified: true,
    })
    const listed = await listIdentities(auth, id)
    expect(listed.find((one) => one.id === added)).toMatchObject({
      type: 'login_id',
      login_id_type: 'email',
      original: email,
      is_verified: true,
    })
    expect(JSON.stringify(listed)).not.toContain('unique_key')
    expect((await getUser(auth, id)).standard_attributes).toEqual({
      email,
      preferred_username: 'maya',
    })
    const login = await startFlow(world, 'login')
    stateOf(await login.input({ identification: 'email', login_id: email }))
    stateOf(await login.input({ authentication: 'primary_password', password }))
    const events = (await eventsOf(world)).filter(({ type }) => type.startsWith('identity.'))
    expect(events).toMatchObject([
      {
        type: 'identity.email.added',
        payload: { user: { id }, identity: { original: email } },
        context: { triggered_by: 'admin_api', authentication_flow: null, ip_address: null },
      },
      { type: 'identity.email.verified' },
    ])
  })

  it('can be an account of a provider', async () => {
    const world = oauthHouse()
    const { auth } = world
    const id = await createUser(auth, { email })
    await addIdentity(auth, id, {
      type: 'oauth',
      alias: 'google',
      subject: '1',
      claims: { email: 'maya.l@gmail.com', name: 'Maya' },
    })
    const login = await startFlow(world, 'login')
    const ended = await comeBy(world, login, { subject: '1', email: 'maya.l@gmail.com' })
    expect((await userOf(world, ended)).id).toBe(id)
    expect(await getUser(auth, id)).toMatchObject({
      verified_claims: [{ name: 'email', value: 'maya.l@gmail.com' }],
    })
    const unknown = addIdentity(auth, id, { type: 'oauth', alias: 'other', subject: '1' })
    await expect(unknown).rejects.toMatchObject({ reason: 'OAuthProviderNotFound' })
    const nameless = addIdentity(auth, id, { type: 'oauth', alias: 'google', subject: '2' })
    await expect(nameless).rejects.toMatchObject({ reason: 'OAuthError' })
  })

  it('can be of a custom kind, whose data is not listed', async () => {
    const { auth } = testAuth({}, { identifications: [createBadgeIdentification(new Map())] })
    const id = await createUser(auth, { email })
    const badge = { type: 'custom', identification: 'badge', unique_key: 'b-17' } as const
    const added = await addIdentity(auth, id, { ...badge, data: { pin: '4711' } })
    const listed = (await listIdentities(auth, id)).find((one) => one.id === added)
    expect(listed).toMatchObject({ type: 'custom', identification: 'badge' })
    expect(JSON.stringify(listed)).not.toContain('"4711"')
    const other = await createUser(auth, { email: 'tom@harborlight.example' })
    await expect(addIdentity(auth, other, badge)).rejects.toMatchObject(cause('DuplicatedIdentity'))
    for (const wrong of [
      { ...badge, identification: 'hat' },
      { ...badge, unique_key: '' },
      { ...badge, unique_key: 'x'.repeat(257) },
    ]) {
      await expect(addIdentity(auth, id, wrong)).rejects.toMatchObject({
        reason: 'ValidationFailed',
      })
    }
  })

  it('must be free', async () => {
    const world = oauthHouse()
    const { auth } = world
    const tom = await createUser(auth, { email: 'tom@harborlight.example' })
    const id = await createUser(auth, { email })
    const taken: readonly NewIdentity[] = [
      { type: 'email', value: 'Tom@harborlight.example' },
      { type: 'email', value: email },
      {
        type: 'oauth',
        alias: 'google',
        subject: '1',
        claims: { email: 'tom@harborlight.example' },
      },
    ]
    for (const given of taken) {
      await expect(addIdentity(auth, id, given)).rejects.toMatchObject(cause('DuplicatedIdentity'))
    }
    const free = { type: 'email', value: 'spare@harborlight.example' } as const
    const results = await Promise.allSettled([
      addIdentity(auth, id, free),
      addIdentity(auth, tom, free),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('may be of an address that another user has, if forced', async () => {
    const { auth } = oauthHouse()
    const claims = { email: 'tom@harborlight.example', email_verified: true }
    const account = { type: 'oauth', alias: 'google', subject: '1', claims } as const
    await createUser(auth, { email: claims.email, email_verified: true })
    const id = await createUser(auth, { email })
    await expect(addIdentity(auth, id, account)).rejects.toMatchObject(cause('DuplicatedIdentity'))
    await addIdentity(auth, id, account, { force: true })
    const again = addIdentity(auth, id, account, { force: true })
    await expect(again).rejects.toMatchObject(cause('DuplicatedIdentity'))
  })

  it('must be allowed by the configuration, unless forced', async () => {
    const keys = [{ type: 'email' }, { type: 'username', create_disabled: true }]
    const types = { email: { block_plus_sign: true } }
    const { auth } = testAuth({ identity: { login_id: { keys, types } } })
    const id = await createUser(auth, { email })
    const name = { type: 'username', value: 'maya' } as const
    const plus = { type: 'email', value: 'maya+spare@harborlight.example' } as const
    await expect(addIdentity(auth, id, name)).rejects.toMatchObject(cause('IdentityModifyDisabled'))
    await expect(addIdentity(auth, id, plus)).rejects.toMatchObject({
      reason: 'ValidationFailed',
      info: { causes: [{ location: '/value', kind: 'blocked' }] },
    })
    await addIdentity(auth, id, name, { force: true })
    await addIdentity(auth, id, plus, { force: true })
    expect(await listIdentities(auth, id)).toHaveLength(3)
  })

  it('cannot be anonymous for a user with other identities', async () => {
    const { auth } = testAuth({ authentication: { identities: ['login_id', 'anonymous'] } })
    const id = await createUser(auth, { email })
    const anonymous = addIdentity(auth, id, { type: 'anonymous' })
    await expect(anonymous).rejects.toMatchObject(cause('AnonymousUserDisallowed'))
    await expect(
      addIdentity(auth, 'nobody', { type: 'email', value: email }),
    ).rejects.toMatchObject({ reason: 'UserNotFound' })
    await expect(listIdentities(auth, 'nobody')).rejects.toMatchObject({ reason: 'UserNotFound' })
  })
})
