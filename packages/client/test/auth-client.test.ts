import { createUser } from '@gatehouse/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AuthClient, createAuthClient, type Flow, isClientError } from '../src/index.ts'
import { createCookieFetch, email, password, useServer } from './server.fixture.ts'

const server = useServer({
  verification: { claims: { email: { otp_form: 'link' } } },
})

const open = (): AuthClient => createAuthClient({ url: server.url, fetch: createCookieFetch() })

/** The flow at this prompt. */
function at<Name extends Flow['prompt']>(
  flow: Flow,
  prompt: Name,
): Extract<Flow, { readonly prompt: Name }> {
  if (flow.prompt !== prompt) throw new Error(`the flow is at ${flow.prompt}, not at ${prompt}`)
  return flow as Extract<Flow, { readonly prompt: Name }>
}

async function signIn(client: AuthClient): Promise<Flow> {
  const begun = at(await client.login(), 'identification_data')
  const known = at(
    await begun.submit({ identification: 'email', login_id: email }),
    'authentication_data',
  )
  return known.submit({ authentication: 'primary_password', password })
}

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  )
}

beforeAll(async () => {
  await createUser(server.auth, { email, password })
})

describe('the client of the sign-in service', () => {
  it('signs in, and narrows each prompt to its data and inputs', async () => {
    const client = open()
    expect(await client.session()).toBeUndefined()
    const begun = await client.login()
    if (begun.prompt !== 'identification_data') throw new Error(begun.prompt)
    expect(begun.action.data.options).toEqual([{ identification: 'email' }])
    const known = await begun.submit({ identification: 'email', login_id: email })
    if (known.prompt !== 'authentication_data') throw new Error(known.prompt)
    const [option] = known.action.data.options
    if (option?.authentication !== 'primary_password') throw new Error(option?.authentication)
    expect(option.password_policy.minimum_length).toBe(8)
    const done = await known.submit({ authentication: 'primary_password', password })
    expect([done.prompt, done.action.type, done.type]).toEqual(['finished', 'finished', 'login'])
    const session = await client.session()
    expect(session).toMatchObject({ is_current: true, user: { standard_attributes: { email } } })
    await client.signOut()
    expect(await client.session()).toBeUndefined()
  })

  it('reports a refusal by its reason, and the flow takes another input', async () => {
    const client = open()
    const begun = at(await client.login(), 'identification_data')
    const input = { identification: 'email', login_id: email } as const
    const known = at(await begun.submit(input), 'authentication_data')
    const wrong = { authentication: 'primary_password', password: 'wrong' } as const
    const error = await failureOf(known.submit(wrong))
    if (!isClientError(error, 'InvalidCredentials')) throw error
    expect([error.status, error.info.AuthenticationType]).toEqual([401, 'password'])
    expect(client.refused(error)?.prompt).toBe('authentication_data')
    expect(isClientError(error, 'UserNotFound')).toBe(false)
    expect((await known.submit({ ...wrong, password })).prompt).toBe('finished')
  })

  it('names what is wrong with an input', async () => {
    const begun = at(await open().login(), 'identification_data')
    const error = await failureOf(begun.submit({ identification: 'email', login_id: 'maya' }))
    if (!isClientError(error, 'ValidationFailed')) throw error
    expect(error.info.causes).toMatchObject([{ location: '/login_id', kind: 'format' }])
  })

  it('resumes a flow by its token, until it has ended', async () => {
    const client = open()
    const begun = at(await client.login(), 'identification_data')
    const known = await begun.submit({ identification: 'email', login_id: email })
    const resumed = at(await open().resume(known.token), 'authentication_data')
    await resumed.submit({ authentication: 'primary_password', password })
    const error = await failureOf(client.resume(known.token))
    expect(isClientError(error, 'AuthenticationFlowNotFound')).toBe(true)
  })

  it('sends several inputs in one request', async () => {
    const done = await open().login({
      inputs: [
        { identification: 'email', login_id: email },
        { authentication: 'primary_password', password },
      ],
    })
    expect(done.prompt).toBe('finished')
  })

  it('signs up, and waits by server-sent events until the link is approved on another device', async () => {
    const client = open()
    const address = 'lena@harborlight.example'
    const begun = at(await client.signup(), 'identification_data')
    const input = { identification: 'email', login_id: address } as const
    const sent = at(await begun.submit(input), 'verify_oob_otp_data')
    expect(sent.action.data).toMatchObject({ otp_form: 'link', can_check: false })
    const waiting = sent.approved({ via: 'events' })
    await open().approveLink(server.outbox.codeTo(address))
    const approved = await waiting
    expect(approved.action.data.can_check).toBe(true)
    const verified = at(await approved.submit({ check: true }), 'create_authenticator_data')
    const done = await verified.submit({
      authentication: 'primary_password',
      new_password: password,
    })
    expect(done.prompt).toBe('finished')
  })

  it('stops waiting when it is told to', async () => {
    const begun = at(await open().signup(), 'identification_data')
    const input = { identification: 'email', login_id: 'ada@harborlight.example' } as const
    const sent = at(await begun.submit(input), 'verify_oob_otp_data')
    const controller = new AbortController()
    const waiting = sent.approved({ via: 'events', signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })

  it('recovers an account', async () => {
    const address = 'noah@harborlight.example'
    await createUser(server.auth, { email: address, password })
    const client = open()
    const begun = at(await client.recover(), 'account_recovery_identification_data')
    const chosen = at(
      await begun.submit({ identification: 'email', login_id: address }),
      'account_recovery_select_destination_data',
    )
    const [destination] = chosen.action.data.options
    expect(destination?.masked_display_name).toBe('no**@harborlight.example')
    await chosen.submit({ index: 0 })
    // The code of a link is valid in any browser.
    const code = server.outbox.codeTo(address)
    const recovered = at(await open().recover({ code }), 'new_password_data')
    expect((await recovered.submit({ new_password: 'copper-meadow-7' })).prompt).toBe('finished')
  })

  it('shows and changes the account', async () => {
    const client = open()
    expect(isClientError(await failureOf(client.account.get()), 'NotAuthenticated')).toBe(true)
    await signIn(client)
    await signIn(open())
    const { identities, sessions } = await client.account.get()
    expect(identities).toMatchObject([{ type: 'login_id', email }])
    expect(sessions.length).toBeGreaterThan(1)
    const profile = await client.account.updateProfile([{ pointer: '/name', value: 'Maya' }])
    expect(profile.standard_attributes.name).toBe('Maya')
    expect(await client.account.revokeOtherSessions()).toBe(sessions.length - 1)
    expect(await client.account.revokeDeviceTokens()).toBe(0)
    const activity = await client.account.activity({ limit: 1 })
    expect(activity.items.length).toBeLessThanOrEqual(1)
    expect((await client.account.export()).user.standard_attributes.name).toBe('Maya')
    const kept = await failureOf(client.account.scheduleDeletion())
    expect(isClientError(kept, 'AccountDeletionDisabled')).toBe(true)
    const flow = await client.account.change({ change_password: 'primary' })
    expect([flow.type, flow.prompt]).toEqual(['account', 'authentication_data'])
    const error = await failureOf(client.account.removeIdentity('no such id'))
    expect(isClientError(error, 'IdentityNotFound')).toBe(true)
  })

  it('manages users', async () => {
    const { users } = createAuthClient({ url: server.url })
    const id = await users.create({ email: 'tom@harborlight.example' })
    const outcomes = await users.import([{ email: 'ida@harborlight.example' }, { email: 'ida' }])
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['inserted', 'failed'])
    expect((await users.list({ search: 'tom@' })).items).toMatchObject([{ id }])
    const page = await users.list({ limit: 1 })
    expect([page.items.length, page.next]).toEqual([1, expect.any(String)])
    await users.disable(id, 'away')
    expect((await users.get(id)).user).toMatchObject({ isDisabled: true, disableReason: 'away' })
    await users.enable(id)
    await users.resetLockout(id)
    expect(await users.revokeSessions(id)).toBe(0)
    const missing = await failureOf(users.revokeSession(id, 'a session/..'))
    expect(isClientError(missing, 'SessionNotFound')).toBe(true)
    expect(await users.events(id)).toEqual({ items: [] })
    await users.delete(id)
    expect(isClientError(await failureOf(users.get(id)), 'UserNotFound')).toBe(true)
  })

  it('says that nothing answers', async () => {
    const error = await failureOf(createAuthClient({ url: 'http://127.0.0.1:1' }).login())
    expect(isClientError(error, 'Unreachable') && error.status).toBe(0)
  })

  it('says that something else answers', async () => {
    const fetch = async (): Promise<Response> =>
      new Response('<p>{', { status: 200, headers: { 'content-type': 'application/json' } })
    const error = await failureOf(createAuthClient({ url: server.url, fetch }).login())
    expect(isClientError(error, 'UnexpectedAnswer')).toBe(true)
  })

  it('needs a URL outside of a browser', () => {
    expect(() => createAuthClient()).toThrow(new TypeError('url is needed outside of a browser'))
  })
})
