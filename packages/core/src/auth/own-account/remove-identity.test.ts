import { describe, expect, it } from 'vitest'
import { identityKeyCollection } from '../accounts/identity-record.ts'
import { google, oauthHouse } from '../kinds/oauth/oauth-house.fixture.ts'
import { addIdentity } from '../people/add-identity.ts'
import { createUser } from '../people/create-user.ts'
import { startFlow, stateOf, testAuth } from '../service.fixture.ts'
import { changesOf, maya, type Person, signedIn, tom } from './account.fixture.ts'
import { removeIdentity } from './remove-identity.ts'

const work = 'm.lindqvist@harborlight.example'
const cause = (kind: string) => ({ reason: 'InvariantViolated', info: { cause: { kind } } })

const idOf = async (person: Person, email: string): Promise<string> =>
  (await person.details()).identities.find((one) => one.email === email)?.id ?? ''

describe('a removed identity', () => {
  it('takes its dependents with it, and becomes free', async () => {
    const world = testAuth({
      authentication: { primary_authenticators: ['password', 'oob_otp_email'] },
    })
    const { auth } = world
    const person = await signedIn(world)
    await addIdentity(auth, person.id, { type: 'email', value: work, verified: true })
    const login = await startFlow(world, 'login')
    stateOf(await login.input({ identification: 'email', login_id: maya.email }))
    stateOf(await login.input({ authentication: 'primary_oob_otp_email', index: 1 }))
    stateOf(await login.input({ code: world.codeTo(maya.email) }))
    expect((await person.details()).authenticators).toHaveLength(2)

    await removeIdentity(auth, person.session, await idOf(person, maya.email), person.request)
    expect(await person.details()).toMatchObject({
      identities: [{ email: work }],
      authenticators: [{ type: 'password' }],
      verified_claims: [{ value: work }],
      standard_attributes: { email: work },
    })
    const removed = (await changesOf(world)).at(-1)
    expect(removed).toMatchObject({
      type: 'identity.email.removed',
      payload: { user: { id: person.id }, identity: { original: maya.email } },
      context: { triggered_by: 'user', ip_address: '192.0.2.7', user_agent: 'a browser' },
    })
    await createUser(auth, { email: maya.email })
  })

  it('keeps claims that another identity asserts too', async () => {
    const world = oauthHouse()
    const person = await signedIn(world)
    const oauth = await addIdentity(world.auth, person.id, {
      type: 'oauth',
      alias: 'google',
      subject: '1',
      claims: { email: maya.email },
    })
    await removeIdentity(world.auth, person.session, oauth)
    expect(await person.details()).toMatchObject({
      identities: [{ type: 'login_id' }],
      verified_claims: [{ value: maya.email }],
      standard_attributes: { email: maya.email },
    })
    expect((await changesOf(world)).at(-1)?.type).toBe('identity.oauth.disconnected')
  })

  it('must not be the last one, nor the last that can sign in', async () => {
    const world = oauthHouse()
    const { auth } = world
    const alone = await signedIn(world, tom)
    const [own] = (await alone.details()).identities
    await expect(removeIdentity(auth, alone.session, own?.id ?? '')).rejects.toMatchObject(
      cause('RemoveLastIdentity'),
    )
    // An address alone cannot sign in without a password.
    const person = await signedIn(world, { email: maya.email })
    const oauth = await addIdentity(auth, person.id, {
      type: 'oauth',
      alias: 'google',
      subject: '1',
      claims: { email: maya.email },
    })
    for (const holder of [person.session, person.id]) {
      await expect(removeIdentity(auth, holder, oauth)).rejects.toMatchObject(
        cause('RemoveLastIdentity'),
      )
    }
    await removeIdentity(auth, person.session, await idOf(person, maya.email))
    expect((await person.details()).identities).toMatchObject([{ id: oauth }])
  })

  it('must not have delete_disabled', async () => {
    const keys = [{ type: 'email', delete_disabled: true }, { type: 'username' }]
    const oauth = { providers: [{ ...google, delete_disabled: true }] }
    const world = oauthHouse({ identity: { login_id: { keys } } }, oauth.providers)
    const { auth } = world
    const person = await signedIn(world, { ...maya, preferred_username: 'maya' })
    const claims = { email: maya.email }
    const given = { type: 'oauth', alias: 'google', subject: '1', claims } as const
    await addIdentity(auth, person.id, given)
    const { identities } = await person.details()
    for (const { id, preferred_username: name } of identities) {
      if (name !== undefined) continue
      await expect(removeIdentity(auth, person.session, id)).rejects.toMatchObject(
        cause('IdentityModifyDisabled'),
      )
      await expect(removeIdentity(auth, person.id, id)).rejects.toMatchObject(
        cause('IdentityModifyDisabled'),
      )
    }
    for (const { id } of identities) await removeIdentity(auth, person.id, id, { force: true })
    expect((await person.details()).identities).toEqual([])
    const keysLeft = await identityKeyCollection.find(world.storage, { by: 'id', limit: 10 })
    expect(keysLeft).toEqual([])
    expect((await changesOf(world)).at(-1)?.context).toMatchObject({ triggered_by: 'admin_api' })
  })

  it("must be the user's own, and needs a recent authentication", async () => {
    const world = testAuth()
    const { auth } = world
    const other = await signedIn(world, tom)
    const person = await signedIn(world)
    const theirs = await idOf(other, tom.email)
    for (const id of [theirs, 'nothing', '', '\0', 'x'.repeat(10_000)]) {
      await expect(removeIdentity(auth, person.session, id)).rejects.toMatchObject({
        reason: 'IdentityNotFound',
        kind: 'NotFound',
      })
    }
    expect((await other.details()).identities).toHaveLength(1)
    world.clock.advance(600_001)
    const late = removeIdentity(auth, person.session, await idOf(person, maya.email))
    await expect(late).rejects.toMatchObject({ reason: 'ReauthenticationRequired' })
    await expect(removeIdentity(auth, 'nobody', theirs)).rejects.toMatchObject({
      reason: 'UserNotFound',
    })
  })
})
