import { describe, expect, it } from 'vitest'
import { advanceFlow } from '../flows/advance-flow.ts'
import { createFlow } from '../flows/create-flow.ts'
import { createUser } from '../people/create-user.ts'
import { findUsers } from '../people/find-users.ts'
import { getUser } from '../people/get-user.ts'
import { type ConfigDelta, errorOf, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { resolveSessionToken } from '../sessions/resolve-session.ts'
import { resendInvitation, revokeInvitation } from './change-invitation.ts'
import { createInvitation, type NewInvitation } from './create-invitation.ts'
import { invitationCollection } from './invitation-record.ts'
import { listInvitations } from './list-invitations.ts'

const email = 'maya@harborlight.example'
const day = 86_400_000

const invitationLinks = {
  links: { invitation: 'https://app.example.com/signup?x_invitation={code}' },
}
const closed = { authentication: { public_signup_disabled: true } }

function house(delta: ConfigDelta = {}, options: Parameters<typeof testAuth>[1] = {}) {
  const world = testAuth({ ...invitationLinks, ...closed, ...delta }, options)
  const invite = (given: Partial<NewInvitation> = {}) =>
    createInvitation(world.auth, { email, ...given })
  return { ...world, invite }
}

/** Begins the sign-up that a link leads to. */
const follow = ({ auth }: TestAuth, link: string) =>
  createFlow(auth, { type: 'signup', name: 'default', url_query: new URL(link).search.slice(1) })

async function accept(world: TestAuth, link: string) {
  const begun = await follow(world, link)
  if (!begun.ok) return begun
  return setPassword(world, begun.result.state_token)
}

const setPassword = ({ auth }: TestAuth, state_token: string) =>
  advanceFlow(auth, {
    state_token,
    input: { authentication: 'primary_password', new_password: 'tidal-lantern-42' },
  })

describe('an invitation', () => {
  it('begins a sign-up with the address proven, where sign-up is closed otherwise', async () => {
    const world = house()
    const { link, invitation } = await world.invite({
      standard_attributes: { name: 'Maya' },
      custom_attributes: { x_role: 'editor' },
    })
    const shut = await createFlow(world.auth, { type: 'signup', name: 'default' })
    expect(errorOf(shut).reason).toBe('AuthenticationFlowNoPublicSignup')
    const begun = stateOf(await follow(world, link))
    expect(begun.action.type).toBe('create_authenticator')
    const done = await accept(world, link)
    expect(stateOf(done).action.type).toBe('finished')
    expect(done.cookies.map(({ name }) => name)).toContain('session')
    const [user, ...others] = await findUsers(world.auth, { login_id: email })
    expect(others).toEqual([])
    expect(user?.standard_attributes).toMatchObject({ name: 'Maya', email })
    expect(user?.custom_attributes).toEqual({ x_role: 'editor' })
    expect(await listInvitations(world.auth)).toEqual({ items: [] })
    expect(invitation).toMatchObject({ email, invited_by: null, sent_count: 1 })
    expect(world.outbox.messages.map(({ kind }) => kind)).toEqual(['invitation'])
  })

  it('sends a mail in the language that is asked for, until when it is good', async () => {
    const world = house()
    await world.invite({ locale: 'de' })
    const [mail] = world.outbox.messages
    expect(mail).toMatchObject({ target: email, subject: 'Sie sind eingeladen', locale: 'de' })
    expect(mail?.text).toContain('Die Einladung gilt bis 11. März 2026 um 10:00 UTC.')
    expect(mail?.html).toContain('https://app.example.com/signup?x_invitation=')
  })

  it('is used once: of two sign-ups with it, one ends', async () => {
    const world = house()
    const { link } = await world.invite()
    const [a, b] = [stateOf(await follow(world, link)), stateOf(await follow(world, link))]
    stateOf(await setPassword(world, a.state_token))
    expect(errorOf(await setPassword(world, b.state_token)).reason).toBe('InvariantViolated')
    expect(errorOf(await follow(world, link)).reason).toBe('InvitationNotFound')
  })

  it('ends once it expires or is revoked, also for a sign-up that has begun', async () => {
    const world = house()
    const { link, invitation } = await world.invite()
    const begun = stateOf(await follow(world, link))
    await revokeInvitation(world.auth, invitation.id)
    const refused = await setPassword(world, begun.state_token)
    expect(errorOf(refused)).toMatchObject({ code: 404, reason: 'InvitationNotFound' })
    await expect(revokeInvitation(world.auth, invitation.id)).rejects.toThrow('or has expired')
    const again = await world.invite()
    // The address has an invitation again, but not for the old link.
    expect(errorOf(await follow(world, link)).reason).toBe('InvitationNotFound')
    world.clock.advance(7 * day)
    expect(errorOf(await follow(world, again.link)).reason).toBe('InvitationNotFound')
    expect(await listInvitations(world.auth)).toEqual({ items: [] })
  })

  it('is only for sign-ups, and not for a code of another kind', async () => {
    const world = house()
    const { link } = await world.invite()
    const query = new URL(link).search.slice(1)
    const login = await createFlow(world.auth, { type: 'login', name: 'default', url_query: query })
    expect(stateOf(login).action.type).toBe('identify')
    for (const code of [
      '',
      'x',
      world.auth.secrets.seal({ id: 'x', nonce: 'y' }, 'keep-account'),
    ]) {
      const url_query = `x_invitation=${encodeURIComponent(code)}`
      const refused = await createFlow(world.auth, { type: 'signup', name: 'default', url_query })
      expect(errorOf(refused).reason).toBe('InvitationNotFound')
    }
  })

  it('is refused for an address that a user has proven, or that is invited', async () => {
    const world = house()
    await createUser(world.auth, { email: 'omar@harborlight.example', email_verified: true })
    await expect(world.invite({ email: 'OMAR@harborlight.example' })).rejects.toMatchObject({
      reason: 'InvariantViolated',
      info: { cause: { kind: 'DuplicatedIdentity' } },
    })
    await world.invite()
    await expect(world.invite()).rejects.toMatchObject({ reason: 'InvitationExists' })
    await expect(world.invite({ email: 'nobody' })).rejects.toMatchObject({
      reason: 'ValidationFailed',
    })
  })

  it('says so if the address has got a user meanwhile', async () => {
    const world = house()
    const { link } = await world.invite()
    await createUser(world.auth, { email, email_verified: true })
    expect(errorOf(await follow(world, link))).toMatchObject({
      reason: 'InvariantViolated',
      info: { cause: { kind: 'DuplicatedIdentity' } },
    })
  })

  it('is sent again once a minute, and ten times in all', async () => {
    const world = house()
    const { invitation } = await world.invite()
    const again = () => resendInvitation(world.auth, invitation.id)
    await expect(again()).rejects.toMatchObject({
      reason: 'RateLimited',
      info: { retryAfterSeconds: 60 },
    })
    for (let sent = 2; sent <= 10; sent++) {
      world.clock.advance(60_000)
      expect(await again()).toMatchObject({ sent_count: sent })
    }
    world.clock.advance(day / 24)
    await expect(again()).rejects.toMatchObject({ reason: 'RateLimited' })
    expect(world.outbox.messages).toHaveLength(10)
    const links = world.outbox.messages.map(({ link }) => link ?? '')
    expect(new Set(links).size).toBe(10)
    // All of them are good.
    stateOf(await follow(world, links[0] ?? ''))
    stateOf(await accept(world, links[5] ?? ''))
  })

  it('stays if its mail cannot be sent, and the error has no address and no code', async () => {
    let code = ''
    const sendEmail = async ({ link = '' }: { link?: string }) => {
      code = new URL(link).searchParams.get('x_invitation') ?? ''
      throw new Error(`no route to ${email}: ${code}`)
    }
    const world = house({}, { senders: { sendEmail } })
    const failure = await world.invite().catch((error: unknown) => error)
    expect(failure).toMatchObject({ reason: 'InvitationNotSent' })
    expect(code.length).toBeGreaterThan(20)
    for (const secret of [email, code])
      expect(String((failure as Error).cause)).not.toContain(secret)
    expect((await listInvitations(world.auth)).items).toHaveLength(1)
  })

  it('counts against the limit of its address, however that is written', async () => {
    const limited = {
      messaging: { rate_limits: { email_per_target: { enabled: true, burst: 1, period: '24h' } } },
    }
    for (const address of ['tom@b.example', 'Maya@B.Example']) {
      const world = house(limited)
      const { invitation } = await world.invite({ email: address })
      world.clock.advance(61_000)
      await expect(resendInvitation(world.auth, invitation.id)).rejects.toMatchObject({
        reason: 'RateLimited',
      })
    }
  })

  it('needs a sign-up that begins with an email address, and asks something', async () => {
    const signUpBy = (...steps: object[]): ConfigDelta => ({
      identity: { login_id: { keys: [{ type: 'email' }, { type: 'username' }] } },
      authentication_flow: { signup_flows: [{ name: 'default', steps }] },
    })
    const by = (identification: string) => ({
      type: 'identify',
      name: `by_${identification}`,
      one_of: [{ identification }],
    })
    await expect(house(signUpBy(by('username'), by('email'))).invite()).rejects.toMatchObject({
      reason: 'InvitationsDisabled',
    })
    const verified = { type: 'verify', target_step: 'by_email' }
    const world = house(signUpBy(by('email'), verified))
    const { link } = await world.invite()
    expect(errorOf(await follow(world, link)).reason).toBe('InvitationsDisabled')
  })

  it('needs a page to lead to, and a sender unless the app sends the link', async () => {
    await expect(house({ links: {} }).invite()).rejects.toMatchObject({
      reason: 'InvitationsDisabled',
    })
    const world = house({}, { senders: {} })
    await expect(world.invite()).rejects.toMatchObject({ reason: 'InvitationsDisabled' })
    expect((await listInvitations(world.auth)).items).toEqual([])
    const { link, invitation } = await world.invite({ send: false })
    expect(invitation).toMatchObject({ sent_at: null, sent_count: 0 })
    stateOf(await accept(world, link))
  })

  it('takes an address from an account that never proved it', async () => {
    const open = { authentication: { public_signup_disabled: false } }
    const unproven = { verification: { claims: { email: { required: false } } } }
    const world = house({ ...open, ...unproven })
    const stranger = await createFlow(world.auth, {
      type: 'signup',
      name: 'default',
      batch_input: [
        { identification: 'email', login_id: email },
        { authentication: 'primary_password', new_password: 'mine-mine-42' },
      ],
    })
    stateOf(stranger)
    const { link } = await world.invite()
    stateOf(await accept(world, link))
    expect(await findUsers(world.auth, { login_id: email })).toHaveLength(1)
  })

  it('beats a stranger whose sign-up with the address is not finished, or not proven', async () => {
    const open = { authentication: { public_signup_disabled: false } }
    const world = house({
      ...open,
      verification: { claims: { email: { required: false } } },
      api_keys: { scopes: ['a'], own_scopes: ['a'] },
    })
    const begin = () =>
      createFlow(world.auth, {
        type: 'signup',
        name: 'default',
        input: { identification: 'email', login_id: email },
      })
    const pending = stateOf(await begin())
    const stranger = await setPassword(world, stateOf(await begin()).state_token)
    const theirs = stranger.cookies.find(({ name }) => name === 'session')?.value ?? ''
    const { link } = await world.invite({ custom_attributes: { x_role: 'editor' } })
    stateOf(await accept(world, link))
    expect(errorOf(await setPassword(world, pending.state_token)).reason).toBe('InvariantViolated')
    const [user, ...others] = await findUsers(world.auth, { login_id: email })
    expect([user?.custom_attributes, others]).toEqual([{ x_role: 'editor' }, []])
    // The account of the stranger is another one, without the address.
    const session = await resolveSessionToken(world.auth, theirs)
    expect(session?.user_id).not.toBe(user?.id)
    const left = await getUser(world.auth, session?.user_id ?? '')
    expect([left.identities, left.standard_attributes, left.custom_attributes]).toEqual([
      [],
      {},
      {},
    ])
  })

  it.each([
    `${email}\r\nBcc: eve@evil.example`,
    `${email}\nSubject: x`,
    `a@b.example, ${email}`,
    `Maya <${email}>`,
    `"a\r\nBcc: x"@b.example`,
    `a@b.example>`,
    `${email}\u2028x`,
  ])('goes to one address, and no text of a mail comes from the operator: %j', async (address) => {
    const world = house()
    await expect(world.invite({ email: address })).rejects.toMatchObject({
      reason: 'ValidationFailed',
    })
    const inviter = 'Olga\r\nBcc: eve@evil.example'
    await world.invite({ invited_by: inviter, standard_attributes: { name: inviter } })
    const [mail, ...more] = world.outbox.messages
    expect([mail?.target, more]).toEqual([email, []])
    expect(JSON.stringify(mail)).not.toContain('eve@')
  })

  it('is listed by page, and its record has no link', async () => {
    const world = house()
    for (const name of ['a', 'b', 'c']) {
      await world.invite({ email: `${name}@harborlight.example`, invited_by: 'olga' })
      world.clock.advance(1)
    }
    const first = await listInvitations(world.auth, { limit: 2 })
    expect(first.items.map((one) => one.email[0])).toEqual(['c', 'b'])
    const rest = await listInvitations(world.auth, { limit: 2, after: first.next ?? '' })
    expect(rest.items.map((one) => one.email[0])).toEqual(['a'])
    const stored = await invitationCollection.get(world.storage, rest.items[0]?.id ?? '')
    expect(stored?.value).toMatchObject({ invited_by: 'olga' })
    expect(rest.items[0]).not.toHaveProperty('nonce')
  })
})
