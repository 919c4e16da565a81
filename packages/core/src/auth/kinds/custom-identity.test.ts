import { describe, expect, it } from 'vitest'
import { identityKeyCollection } from '../accounts/identity-record.ts'
import type { OwnLinkingRule } from '../flow/identification.ts'
import type { FlowResult } from '../flows/flow-result.ts'
import { createAnonymousUser } from '../people/create-anonymous-user.ts'
import { createUser } from '../people/create-user.ts'
import { deleteUser } from '../people/delete-user.ts'
import { getUser, type UserDetails } from '../people/get-user.ts'
import { type ConfigDelta, errorOf, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import {
  openBrowser,
  type TestBrowser,
  waitingEvents,
  waitingEventTypes,
} from '../sessions/browser.fixture.ts'
import { resolveSessionToken } from '../sessions/resolve-session.ts'
import { type CardHolder, createCardIdentification } from './card.fixture.ts'
import { createFakeOAuthClient } from './oauth/oauth.fixture.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

const byCard = { identification: 'card' }
const createPassword = {
  type: 'create_authenticator',
  one_of: [{ authentication: 'primary_password' }],
}
const showPassword = { type: 'authenticate', one_of: [{ authentication: 'primary_password' }] }
const both = { signup_flow: 'default', login_flow: 'default' }

const document: ConfigDelta = {
  authentication: { identities: ['login_id', 'oauth', 'anonymous'] },
  identity: {
    oauth: { providers: [{ alias: 'google', type: 'google', client_id: 'g-1' }] },
  },
  account_linking: {
    oauth: [
      {
        alias: 'google',
        oauth_claim: { pointer: '/email' },
        user_profile: { pointer: '/email' },
        action: 'login_and_link',
      },
    ],
  },
  authentication_flow: {
    signup_flows: [
      {
        name: 'default',
        steps: [
          {
            type: 'identify',
            name: 'who',
            one_of: [
              { ...byCard, steps: [{ type: 'verify', target_step: 'who' }, createPassword] },
              { identification: 'oauth' },
            ],
          },
        ],
      },
      { name: 'twice', steps: [1, 2].map(() => ({ type: 'identify', one_of: [byCard] })) },
    ],
    promote_flows: [{ name: 'default', steps: [{ type: 'identify', one_of: [byCard] }] }],
    login_flows: [
      {
        name: 'default',
        steps: [
          {
            type: 'identify',
            one_of: [
              byCard,
              { identification: 'oauth' },
              { identification: 'email', steps: [showPassword] },
            ],
          },
          { type: 'check_account_status' },
        ],
      },
    ],
    signup_login_flows: [
      { name: 'default', steps: [{ type: 'identify', one_of: [{ ...byCard, ...both }] }] },
    ],
    reauth_flows: [
      { name: 'default', steps: [{ type: 'identify', one_of: [byCard] }, showPassword] },
    ],
    account_recovery_flows: [
      {
        name: 'default',
        steps: [
          { type: 'identify', one_of: [byCard] },
          {
            type: 'select_destination',
            allowed_channels: [{ channel: 'email', otp_form: 'code' }],
          },
          { type: 'verify_account_recovery_code' },
          { type: 'reset_password' },
        ],
      },
    ],
  },
}

const maya = { name: 'Maya', email, email_verified: true } as const
const cards: Readonly<Record<string, CardHolder>> = {
  'c-17': maya,
  'c-18': { name: 'Lena' },
  'c-19': { ...maya, email_verified: false },
}

/** A service that accepts library cards. The text on the back of a card is `back of` and its number. */
interface House extends TestAuth {
  readonly oauth: ReturnType<typeof createFakeOAuthClient>
  /** How often the library was called. */
  readonly asked: () => number
  /** Makes the library fail. */
  close(): void
}

function house(linking?: readonly OwnLinkingRule[]): House {
  let asked = 0
  let isOpen = true
  const library = {
    async holderOf(card: string, back: string) {
      asked++
      if (!isOpen) throw new Error('the library is closed')
      return back === `back of ${card}` ? (cards[card] ?? { name: 'Nina' }) : null
    },
  }
  const oauth = createFakeOAuthClient()
  const card = createCardIdentification({ library, ...(linking === undefined ? {} : { linking }) })
  const world = testAuth(document, { identifications: [card], oauth })
  return {
    ...world,
    oauth,
    asked: () => asked,
    close() {
      isOpen = false
    },
  }
}

/** Identifies with a card. */
async function show(browser: TestBrowser, card: string): Promise<FlowResult> {
  const prompt = await browser.input({ ...byCard, card })
  return prompt.ok ? browser.input({ back: `back of ${card}` }) : prompt
}

const newPassword = { authentication: 'primary_password', new_password: password }

/** Signs up with a card. */
async function signUp(world: House, card: string): Promise<UserDetails> {
  const browser = openBrowser(world)
  stateOf(await browser.begin('signup'))
  const shown = stateOf(await show(browser, card))
  if (shown.action.type === 'verify') {
    await browser.input({ code: world.codeTo(cards[card]?.email ?? '') })
  }
  stateOf(await browser.input(newPassword))
  return userOf(world, browser)
}

async function userOf({ auth }: TestAuth, { token }: TestBrowser): Promise<UserDetails> {
  const session = await resolveSessionToken(auth, token)
  return getUser(auth, session?.user_id ?? 'nobody')
}

const linksByEmail: OwnLinkingRule = {
  claim: 'email',
  user_claim: 'email',
  action: 'login_and_link',
}

describe('a custom identity', () => {
  it('is created by a sign-up, with a single call of the host', async () => {
    const world = house()
    const browser = openBrowser(world)
    await browser.begin('signup')
    expect(browser.options[0]).toEqual({ identification: 'card', library: 'Harbor Street' })
    const prompt = stateOf(await browser.input({ ...byCard, card: 'c-17' }))
    expect(prompt.action).toEqual({
      type: 'identify',
      identification: 'card',
      data: { type: 'card_back_data', card: 'c-17' },
    })
    const next = stateOf(await browser.input({ back: 'back of c-17' }))
    // The library has verified the address, so the flow does not.
    expect(next.action.type).toBe('create_authenticator')
    expect(stateOf(await browser.input(newPassword)).action.type).toBe('finished')
    expect(world.asked()).toBe(1)
    expect(await userOf(world, browser)).toMatchObject({
      standard_attributes: { email },
      identities: [{ type: 'custom', identification: 'card', unique_key: 'c-17', email }],
      authenticators: [{ type: 'password' }],
      verified_claims: [{ name: 'email', value: email }],
    })
    const [created] = (await waitingEvents(world)).filter(({ type }) => type === 'user.created')
    expect(created?.payload.identities).toMatchObject([{ type: 'custom', identification: 'card' }])
    expect(JSON.stringify(created)).not.toContain('"data"')
  })

  it('has its address verified if the kind has not, and skips that without an address', async () => {
    const world = house()
    for (const [card, type] of [
      ['c-19', 'verify'],
      ['c-18', 'create_authenticator'],
    ] as const) {
      const browser = openBrowser(world)
      await browser.begin('signup')
      expect(stateOf(await show(browser, card)).action.type).toBe(type)
    }
    const { verified_claims } = await signUp(world, 'c-18')
    expect(verified_claims).toEqual([])
  })

  it('signs its user in, and has no other account', async () => {
    const world = house()
    const { id } = await signUp(world, 'c-17')
    const browser = openBrowser(world)
    await browser.begin('login')
    expect(errorOf(await show(browser, 'c-18'))).toMatchObject({
      code: 404,
      reason: 'UserNotFound',
      info: { FlowType: 'login', IdentityTypeIncoming: 'card' },
    })
    await browser.begin('login')
    stateOf(await show(browser, 'c-17'))
    expect((await userOf(world, browser)).id).toBe(id)
  })

  it('is refused if its prompt fails, as often as the kind allows', async () => {
    const world = house()
    await signUp(world, 'c-17')
    const browser = openBrowser(world)
    await browser.begin('login')
    stateOf(await browser.input({ ...byCard, card: 'c-17' }))
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(errorOf(await browser.input({ back: 'of another one' }))).toMatchObject({
        reason: 'InvalidCredentials',
        info: { AuthenticationType: 'card', FlowType: 'login' },
      })
    }
    expect(errorOf(await browser.input({ back: 'back of c-17' }))).toMatchObject({
      reason: 'RateLimited',
      info: { bucket_name: 'CardPerIP' },
    })
    world.clock.advance(6_000)
    stateOf(await browser.input({ back: 'back of c-17' }))
    expect(await waitingEventTypes(world)).toContain('authentication.identity.card.failed')
  })

  it('is unique, also within one sign-up', async () => {
    const world = house()
    const browser = openBrowser(world)
    await browser.begin('signup', { name: 'twice' })
    stateOf(await show(browser, 'c-18'))
    expect(errorOf(await show(browser, 'c-18'))).toMatchObject({
      reason: 'InvariantViolated',
      info: {
        IdentityTypeIncoming: 'card',
        IdentityTypeExisting: 'card',
        cause: { kind: 'DuplicatedIdentity' },
      },
    })
    await signUp(world, 'c-18')
    await browser.begin('signup')
    expect(errorOf(await show(browser, 'c-18'))).toMatchObject({
      info: { cause: { kind: 'DuplicatedIdentity' } },
    })
  })

  it('decides between a sign-up and a login with one question', async () => {
    const world = house()
    const browser = openBrowser(world)
    await browser.begin('signup_login')
    const signup = stateOf(await show(browser, 'c-17'))
    expect(signup).toMatchObject({ type: 'signup', action: { type: 'create_authenticator' } })
    expect(world.asked()).toBe(1)
    stateOf(await browser.input(newPassword))
    const { id } = await userOf(world, browser)
    const other = openBrowser(world)
    await other.begin('signup_login')
    expect(stateOf(await show(other, 'c-17'))).toMatchObject({
      type: 'login',
      action: { type: 'finished' },
    })
    expect((await userOf(world, other)).id).toBe(id)
    expect(world.asked()).toBe(2)
  })

  it('renews a session of its user, and of no other user', async () => {
    const world = house()
    const browser = openBrowser(world)
    await browser.begin('signup')
    await show(browser, 'c-17')
    await browser.input(newPassword)
    await signUp(world, 'c-18')
    world.clock.advance(60_000)
    const shown = { authentication: 'primary_password', password }
    await browser.begin('reauth')
    stateOf(await show(browser, 'c-17'))
    stateOf(await browser.input(shown))
    const session = await resolveSessionToken(world.auth, browser.token)
    expect(session?.authenticated_at).toBe(world.clock.now())
    await browser.begin('reauth')
    stateOf(await show(browser, 'c-18'))
    expect(errorOf(await browser.input(shown))).toMatchObject({
      code: 401,
      reason: 'SelectAccountSessionChanged',
    })
  })

  it('becomes the way to sign in for an anonymous user', async () => {
    const world = house()
    const { user_id: guest, cookies } = await createAnonymousUser(world.auth)
    const browser = openBrowser(world)
    browser.keep(cookies)
    await browser.begin('promote')
    stateOf(await show(browser, 'c-18'))
    expect(await getUser(world.auth, guest)).toMatchObject({
      identities: [{ type: 'custom', unique_key: 'c-18' }],
    })
  })

  it('is deleted with its user, and is free again', async () => {
    const world = house()
    const { id } = await signUp(world, 'c-18')
    await deleteUser(world.auth, id)
    expect(await identityKeyCollection.find(world.storage, { by: 'id', limit: 9 })).toEqual([])
    expect((await signUp(world, 'c-18')).id).not.toBe(id)
  })

  it('recovers an account only by a verified address, which is not shown', async () => {
    const world = house()
    await signUp(world, 'c-17')
    await signUp(world, 'c-18')
    const recover = async (card: string): Promise<TestBrowser> => {
      const browser = openBrowser(world)
      await browser.begin('account_recovery')
      expect(stateOf(await show(browser, card)).action.data.options).toEqual([
        { masked_display_name: card, channel: 'email', otp_form: 'code' },
      ])
      stateOf(await browser.input({ index: 0 }))
      await Promise.all(world.auth.sending)
      return browser
    }
    await recover('c-18')
    expect(world.outbox.messages).toEqual([])
    const browser = await recover('c-17')
    const code = { account_recovery_code: world.codeTo(email) }
    expect(stateOf(await browser.input(code)).action.type).toBe('reset_password')
  })

  it.each([
    ['is too long', 'x'.repeat(100_000)],
    ['holds NUL', 'x\0y'],
    ['has malformed Unicode', 'x\ud800y'],
  ])('is refused if no storage accepts its name: one that %s', async (_what, card) => {
    const world = house()
    for (const [type, code] of [
      ['signup', 400],
      ['signup_login', 400],
      ['login', 404],
    ] as const) {
      const browser = openBrowser(world)
      await browser.begin(type)
      expect(errorOf(await show(browser, card)).code).toBe(code)
    }
    const browser = openBrowser(world)
    await browser.begin('account_recovery')
    expect(stateOf(await show(browser, card)).action.type).toBe('select_destination')
    expect(stateOf(await browser.input({ index: 0 })).action.data.masked_display_name).toBe(card)
  })

  it('is refused while the host fails, and the flow keeps its state', async () => {
    const world = house()
    const browser = openBrowser(world)
    await browser.begin('signup')
    await browser.input({ ...byCard, card: 'c-17' })
    world.close()
    const refused = await browser.input({ back: 'back of c-17' })
    expect(errorOf(refused)).toMatchObject({ code: 500, reason: 'UnexpectedError' })
    expect((await browser.read()).action.data).toMatchObject({ type: 'card_back_data' })
  })
})

describe('a custom identity with the address of an account', () => {
  const withMaya = async (linking?: readonly OwnLinkingRule[]) => {
    const world = house(linking)
    const id = await createUser(world.auth, { email, password })
    const browser = openBrowser(world)
    await browser.begin('signup')
    return { ...world, id, browser }
  }

  it('is refused by default', async () => {
    const { browser } = await withMaya()
    expect(errorOf(await show(browser, 'c-17'))).toMatchObject({
      reason: 'InvariantViolated',
      info: {
        IdentityTypeIncoming: 'card',
        IdentityTypeExisting: 'login_id',
        LoginIDTypeExisting: 'email',
        cause: { kind: 'DuplicatedIdentity' },
      },
    })
  })

  it('is linked to the user who signs in, if the kind allows it', async () => {
    const world = await withMaya([linksByEmail])
    const { browser } = world
    const prompt = stateOf(await show(browser, 'c-17'))
    expect(prompt.action).toMatchObject({
      type: 'identify',
      identification: 'card',
      data: {
        type: 'account_linking_identification_data',
        options: [{ identification: 'email', action: 'login_and_link' }],
      },
    })
    expect(stateOf(await browser.input({ index: 0 }))).toMatchObject({ type: 'login' })
    stateOf(await browser.input({ authentication: 'primary_password', password }))
    expect(world.asked()).toBe(1)
    const { id, identities } = await userOf(world, browser)
    expect(id).toBe(world.id)
    expect(identities.map(({ type }) => type).sort()).toEqual(['custom', 'login_id'])
    expect(await waitingEventTypes(world)).toContain('identity.card.added')
  })

  it('is not linked if its address is not verified', async () => {
    const { browser } = await withMaya([linksByEmail])
    expect(errorOf(await show(browser, 'c-19'))).toMatchObject({
      info: { cause: { kind: 'DuplicatedIdentity' } },
    })
  })

  it('is a way to sign in when linking another identity', async () => {
    const world = house()
    const { id } = await signUp(world, 'c-17')
    const browser = openBrowser(world)
    await browser.begin('signup')
    const away = await browser.input({
      identification: 'oauth',
      alias: 'google',
      redirect_uri: 'https://app.example.com/cb',
    })
    const url = String(stateOf(away).action.data.oauth_authorization_url)
    const query = world.oauth.signIn(url, { subject: 'maya-1', email })
    expect(stateOf(await browser.input({ query })).action.data.options).toEqual([
      { identification: 'card', action: 'login_and_link', masked_display_name: 'c-…' },
    ])
    const prompt = stateOf(await browser.input({ index: 0 }))
    expect(prompt).toMatchObject({
      type: 'login',
      action: { identification: 'card', data: { type: 'card_back_data', card: 'c-17' } },
    })
    stateOf(await browser.input({ back: 'back of c-17' }))
    const { id: linked, identities } = await userOf(world, browser)
    expect(linked).toBe(id)
    expect(identities.map(({ type }) => type).sort()).toEqual(['custom', 'oauth'])
  })
})

describe('two custom kinds', () => {
  it('cannot have prompts or ports with the same name', () => {
    const library = { holderOf: async () => null }
    const one = createCardIdentification({ library })
    const other = { ...createCardIdentification({ library }), identification: 'other' }
    expect(() => testAuth({}, { identifications: [one, other] })).toThrow(
      'options: expected one port with the name "card_holder", got two',
    )
    const prompts = one.prompts?.map((prompt) => ({ ...prompt })) ?? []
    expect(() => testAuth({}, { identifications: [one, { ...other, prompts }] })).toThrow(
      'options: expected one prompt with the name "card_back", got two',
    )
  })
})
