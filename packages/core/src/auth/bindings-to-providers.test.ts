import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { createManualClock } from '../testing/manual-clock.ts'
import { describeProofs, type Proof } from './bindings.fixture.ts'
import type { FlowType } from './config/flow-definition.ts'
import { createExternalJwtVerifier } from './external-jwt/create-external-jwt-verifier.ts'
import type { FlowInput } from './flow/view.ts'
import { advanceFlow } from './flows/advance-flow.ts'
import { approveLink } from './flows/approve-link.ts'
import { callback, leaveFor, oauthHouse, urlOf } from './kinds/oauth/oauth-house.fixture.ts'
import type { LdapClient } from './ldap-client/ldap.ts'
import { type Person, sessionOf, signedIn, tom } from './own-account/account.fixture.ts'
import { beginAccountFlow } from './own-account/begin-account-flow.ts'
import { createAnonymousUser } from './people/create-anonymous-user.ts'
import { createUser } from './people/create-user.ts'
import {
  startFlow,
  startOfTests,
  stateOf,
  type TestAuth,
  type TestFlow,
  testAuth,
} from './service.fixture.ts'
import { resolveSessionToken } from './sessions/resolve-session.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const byPassword = { authentication: 'primary_password', password }
const maya = { subject: 'maya-1', email }

const given = (flow: TestFlow, input: FlowInput, from?: string) => () => flow.input(input, from)

const oauthCode: Proof = {
  name: "a provider's code",
  outcomes: {
    'a login in another browser': 'OAuthError',
    'its own flow, after that': 'OAuthError',
    'a sign-up': 'OAuthError',
    'a change of another account': 'OAuthError',
    'a flow at another provider': 'OAuthProtocolError',
    'a flow before its redirect': 'OAuthError',
    'its own flow': 'finished',
    'its own flow again': 'AuthenticationFlowNotFound',
  },
  async show() {
    const world = oauthHouse()
    const person = await signedIn(world, tom)
    const change = await person.begin({ add_identity: 'oauth' })
    const [own, second, signUp, cloudy, early] = [
      await startFlow(world, 'signup_login'),
      await startFlow(world, 'login'),
      await startFlow(world, 'signup'),
      await startFlow(world, 'login'),
      await startFlow(world, 'login'),
    ]
    const url = await leaveFor(own)
    for (const flow of [second, signUp, change]) await leaveFor(flow)
    await leaveFor(cloudy, 'cloud')
    const state = own.token
    const returned = (): FlowInput => ({ query: world.oauth.signIn(url, maya) })
    const stolen = returned()
    const option = { identification: 'oauth', alias: 'google', redirect_uri: callback }
    return {
      'a login in another browser': given(second, stolen),
      'its own flow, after that': given(own, stolen),
      'a sign-up': given(signUp, returned()),
      'a change of another account': given(change, returned()),
      'a flow at another provider': given(cloudy, returned()),
      'a flow before its redirect': given(early, { ...option, ...returned() }),
      'its own flow': given(own, returned()),
      'its own flow again': given(own, returned(), state),
    }
  },
}

/** What is sent to a provider belongs to one redirect, also within a flow. */
const redirect: Proof = {
  name: 'the nonce and the challenge of a redirect',
  outcomes: {
    'the next redirect of its own flow': 'OAuthError',
    'its own redirect': 'finished',
  },
  async show() {
    const world = oauthHouse()
    const flow = await startFlow(world, 'signup_login')
    const start = flow.token
    const url = await leaveFor(flow)
    const state = flow.token
    const option = { identification: 'oauth', alias: 'google', redirect_uri: callback }
    const again = await flow.input(option, start)
    if (urlOf(again) === url) throw new Error('both redirects are the same')
    const query = (): FlowInput => ({ query: world.oauth.signIn(url, maya) })
    return {
      'the next redirect of its own flow': given(flow, query()),
      'its own redirect': given(flow, query(), state),
    }
  },
}

/** Maya signed in, in a service in which ID tokens are the ids of their users. */
async function houseOfTokens() {
  const world = testAuth({}, { idTokenVerifier: async (token) => token })
  const stranger = await signedIn(world, tom)
  const person = await signedIn(world, { email, email_verified: true, password })
  const other = await sessionOf(world, person.id)
  return { world, stranger, person, other }
}

const tokenOf = (id_token: string): FlowInput => ({ identification: 'id_token', id_token })

const idToken: Proof = {
  name: 'an ID token',
  outcomes: {
    'the session of another account': 'SelectAccountSessionChanged',
    'no session': 'SelectAccountSessionChanged',
    'a generated login': 'ValidationFailed',
    'a sign-up': 'ValidationFailed',
    'a recovery': 'ValidationFailed',
    'a change of the account': 'ValidationFailed',
    // It is no proof, and may be sent again: something else must be shown.
    'the session of its user': 'authenticate',
    'that session again': 'authenticate',
  },
  async show() {
    const { world, stranger, person } = await houseOfTokens()
    const input = tokenOf(person.id)
    const change = await person.begin({ add_identity: 'email' })
    const reauth = (cookie?: string) => async () =>
      (await startFlow(world, 'reauth', cookie === undefined ? {} : { cookie })).input(input)
    const flow = (type: 'login' | 'signup' | 'account_recovery') => async () =>
      (await startFlow(world, type, person.request)).input(input)
    return {
      'the session of another account': reauth(stranger.request.cookie),
      'no session': reauth(),
      'a generated login': flow('login'),
      'a sign-up': flow('signup'),
      'a recovery': flow('account_recovery'),
      'a change of the account': given(change, input),
      'the session of its user': reauth(person.request.cookie),
      'that session again': reauth(person.request.cookie),
    }
  },
}

const reauthentication: Proof = {
  name: 'a reauthentication',
  outcomes: {
    'no session': 'SelectAccountSessionChanged',
    'the session of another account': 'SelectAccountSessionChanged',
    'another session of its user': 'SelectAccountSessionChanged',
    'a change in another session': 'ReauthenticationRequired',
    'its own session': 'finished',
    'its own session again': 'AuthenticationFlowNotFound',
    'a change in another session, afterwards': 'ReauthenticationRequired',
    'a change in its own session': 'identify',
  },
  async show() {
    const { world, stranger, person, other } = await houseOfTokens()
    world.clock.advance(600_001)
    const { cookie } = person.request
    const context: { cookie: string } = { cookie }
    const flow = await startFlow(world, 'reauth', context)
    await flow.input(tokenOf(person.id))
    const state = flow.token
    const from = (said: string) => () => {
      context.cookie = said
      return flow.input(byPassword, state)
    }
    const change = { add_identity: 'email' } as const
    const renewed = async () => {
      const session = await resolveSessionToken(world.auth, cookie.replace('session=', ''))
      if (session === undefined) throw new Error('there is no session')
      return beginAccountFlow(world.auth, session, change, person.request)
    }
    return {
      'no session': from(''),
      'the session of another account': from(stranger.request.cookie),
      'another session of its user': from(other.request.cookie),
      'a change in another session': () => other.tryTo(change),
      'its own session': from(cookie),
      'its own session again': from(cookie),
      'a change in another session, afterwards': () => other.tryTo(change),
      'a change in its own session': renewed,
    }
  },
}

/** A reauthentication by link waits beside a login of the same user by link. */
const reauthenticationLink: Proof = {
  name: 'the link of a reauthentication',
  outcomes: {
    'a recovery, as its code': 'PasswordResetFailed',
    'its page': 'accepted',
    'a login of its user': 'InvalidCredentials',
    'another reauthentication': 'InvalidCredentials',
    'its own flow': 'finished',
    'its page again': 'InvalidOTPCode',
  },
  async show() {
    const delta = {
      authentication: {
        primary_authenticators: ['oob_otp_email'],
        secondary_authentication_mode: 'disabled',
      },
      authenticator: { oob_otp: { email: { email_otp_mode: 'login_link' } } },
    }
    const world = testAuth(delta, { idTokenVerifier: async (token) => token })
    const person = await signedIn(world, { email, email_verified: true })
    const other = await sessionOf(world, person.id)
    const byLink = { authentication: 'primary_oob_otp_email', index: 0 }
    const begin = async ({ request }: Person): Promise<TestFlow> => {
      const flow = await startFlow(world, 'reauth', request)
      stateOf(await flow.input(tokenOf(person.id)))
      stateOf(await flow.input(byLink))
      return flow
    }
    const own = await begin(person)
    const code = world.codeTo(email)
    const second = await begin(other)
    const login = await startFlow(world, 'login')
    await login.input({ identification: 'email', login_id: email })
    stateOf(await login.input(byLink))
    return {
      'a recovery, as its code': () =>
        advanceFlow(world.auth, { input: { account_recovery_code: code } }),
      'its page': () => approveLink(world.auth, code),
      'a login of its user': given(login, { check: true }),
      'another reauthentication': given(second, { check: true }),
      'its own flow': given(own, { check: true }),
      'its page again': () => approveLink(world.auth, code),
    }
  },
}

const externalJwt: Proof = {
  name: 'a token of another issuer',
  outcomes: {
    'a login': 'ValidationFailed',
    'a combined sign-up and login': 'ValidationFailed',
    'a recovery': 'ValidationFailed',
    'a change of another account': 'ValidationFailed',
    'a reauthentication': 'Invalid',
    'a login as an ID token': 'ValidationFailed',
    'its own sign-up': 'finished',
    'its own sign-up again': 'AuthenticationFlowNotFound',
    'a sign-up that began before': 'InvariantViolated',
    'a sign-up that begins afterwards': 'InvariantViolated',
    'the promotion of another account': 'InvariantViolated',
  },
  async show() {
    const clock = createManualClock(startOfTests)
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const iss = 'https://id.harborlight.example'
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k' }] }
    const steps = [
      {
        type: 'identify',
        name: 'id',
        one_of: [{ identification: 'email', steps: [{ type: 'verify', target_step: 'id' }] }],
      },
      { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
    ]
    const flows = [{ name: 'default', steps }]
    const world = testAuth(
      {
        external_jwt: { issuers: [{ iss, aud: 'app', jwks }] },
        authentication: { identities: ['login_id', 'anonymous'] },
        authentication_flow: { signup_flows: flows, promote_flows: flows },
      },
      {
        clock,
        externalJwt: createExternalJwtVerifier({ clock }),
        idTokenVerifier: async () => undefined,
      },
    )
    const now = Math.floor(startOfTests / 1_000)
    const external_jwt = await new SignJWT({ iss, aud: 'app', email, email_verified: true })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setIssuedAt(now)
      .setExpirationTime(now + 300)
      .setJti('once')
      .sign(privateKey)
    const input = { identification: 'email', external_jwt }
    const person = await signedIn({ ...world, clock }, tom)
    const change = await person.begin({ add_identity: 'email' })
    const { cookies } = await createAnonymousUser(world.auth)
    const guest = { cookie: `session=${cookies[0]?.value}` }
    const password = { authentication: 'primary_password', new_password: 'tidal-lantern-42' }
    const [own, earlier] = [await startFlow(world, 'signup'), await startFlow(world, 'signup')]
    for (const flow of [own, earlier]) stateOf(await flow.input(input))
    const state = own.token
    const begin =
      (type: FlowType, said: FlowInput = input, request = {}) =>
      async () =>
        (await startFlow(world, type, request)).input(said)
    return {
      'a login': begin('login'),
      'a combined sign-up and login': begin('signup_login'),
      'a recovery': begin('account_recovery'),
      'a change of another account': given(change, input),
      'a reauthentication': begin('reauth', tokenOf(external_jwt), person.request),
      'a login as an ID token': begin('login', tokenOf(external_jwt)),
      'its own sign-up': given(own, password),
      'its own sign-up again': given(own, password, state),
      'a sign-up that began before': given(earlier, password),
      'a sign-up that begins afterwards': begin('signup'),
      'the promotion of another account': begin('promote', input, guest),
    }
  },
}

const bind: Proof = {
  name: 'a bind to a directory',
  outcomes: {
    'another directory': 'InvalidCredentials',
    'another name': 'InvalidCredentials',
    'another sign-up': 'ValidationFailed',
    'a login': 'ValidationFailed',
    'its own flow': 'finished',
    'its own flow again': 'AuthenticationFlowNotFound',
    'a change of another account': 'InvariantViolated',
  },
  async show() {
    const asked: string[] = []
    const ldap: LdapClient = {
      async authenticate({ name }, { username }) {
        asked.push(`${name}:${username}`)
        if (name !== 'harbor' || username !== 'maya') return undefined
        return { user_id: '1', dn: 'uid=maya', claims: {} }
      },
    }
    const server = (name: string): object => ({
      name,
      url: `ldaps://${name}.example`,
      search_base_dn: 'dc=example',
      search_filter_template: '(uid={{ $.Username }})',
      user_id_attribute_name: 'uid',
    })
    const steps = [
      { type: 'identify', one_of: [{ identification: 'ldap' }] },
      { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
    ]
    const world = testAuth(
      {
        authentication: { identities: ['ldap', 'login_id'] },
        identity: { ldap: { servers: [server('harbor'), server('island')] } },
        authentication_flow: { signup_flows: [{ name: 'default', steps }] },
      },
      { ldap },
    )
    const as = (server_name: string, username: string): FlowInput => ({
      identification: 'ldap',
      server_name,
      username,
      password,
    })
    const person = await signedIn(world, tom)
    const change = await person.begin({ add_identity: 'ldap' })
    const [own, second] = [await startFlow(world, 'signup'), await startFlow(world, 'signup')]
    stateOf(await own.input(as('harbor', 'maya')))
    const next = { authentication: 'primary_password', new_password: password }
    const state = own.token
    const elsewhere = await startFlow(world, 'signup')
    return {
      'another directory': given(elsewhere, as('island', 'maya')),
      'another name': given(elsewhere, as('harbor', 'lena')),
      'another sign-up': given(second, next),
      'a login': given(await startFlow(world, 'login'), next),
      'its own flow': given(own, next),
      'its own flow again': given(own, next, state),
      'a change of another account': given(change, as('harbor', 'maya')),
    }
  },
}

/** A name of a channel opens no flow: a listener learns that a link was approved, and nothing else. */
const channel: Proof = {
  name: 'the name of a channel',
  outcomes: {
    'a state token': 'AuthenticationFlowNotFound',
    'the code of a link': 'InvalidOTPCode',
    'the code of a recovery': 'PasswordResetFailed',
    'the channel of another flow': 'hears 0',
    'the channel of another account': 'hears 0',
    'its own channel': 'hears 1',
    'its own channel, once the flow has ended': 'hears 1',
  },
  async show() {
    const delta = {
      authentication: {
        primary_authenticators: ['oob_otp_email'],
        secondary_authentication_mode: 'disabled',
      },
      authenticator: { oob_otp: { email: { email_otp_mode: 'login_link' } } },
    }
    const world = testAuth(delta)
    const lena = 'lena@harborlight.example'
    for (const one of [email, lena]) {
      await createUser(world.auth, { email: one, email_verified: true })
    }
    const begin = async (login_id: string) => {
      const flow = await startFlow(world, 'login')
      await flow.input({ identification: 'email', login_id })
      const at = stateOf(await flow.input({ authentication: 'primary_oob_otp_email', index: 0 }))
      const url = new URL(String(at.action.data.websocket_url))
      const name = url.searchParams.get('channel') ?? ''
      return { flow, name, heard: listen(world, name) }
    }
    const own = await begin(email)
    const code = world.codeTo(email)
    const [second, other] = [await begin(email), await begin(lena)]
    const hears = (one: { heard: { count: number } }) => async () => {
      await world.auth.listeners.look()
      return `hears ${one.heard.count}`
    }
    return {
      'a state token': () =>
        advanceFlow(world.auth, { state_token: own.name, input: { check: true } }),
      'the code of a link': () => approveLink(world.auth, own.name),
      'the code of a recovery': () =>
        advanceFlow(world.auth, { input: { account_recovery_code: own.name } }),
      'the channel of another flow': async () => {
        await approveLink(world.auth, code)
        return hears(second)()
      },
      'the channel of another account': hears(other),
      'its own channel': hears(own),
      'its own channel, once the flow has ended': async () => {
        stateOf(await own.flow.input({ check: true }))
        return hears(own)()
      },
    }
  },
}

/** Counts what a listener hears. */
function listen({ auth, clock }: TestAuth, name: string): { count: number } {
  const heard = { count: 0 }
  const listener = { refresh: () => heard.count++, ping() {}, end() {} }
  const place = { channel: name, address: '192.0.2.9', until: clock.now() + 600_000 }
  auth.listeners.add(listener, place)
  return heard
}

describeProofs([
  oauthCode,
  redirect,
  idToken,
  reauthentication,
  reauthenticationLink,
  externalJwt,
  bind,
  channel,
])
