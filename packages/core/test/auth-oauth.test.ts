import { createManualClock } from '@gatehouse/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { advanceFlow } from '../src/auth/flows/advance-flow.ts'
import { getFlowState } from '../src/auth/flows/get-flow-state.ts'
import { urlOf, userOf } from '../src/auth/kinds/oauth/oauth-house.fixture.ts'
import { rule } from '../src/auth/linking/linking-house.fixture.ts'
import { createOAuthClient } from '../src/auth/oauth-client/create-oauth-client.ts'
import {
  type OidcAccount,
  type OidcProvider,
  startOidcProvider,
} from '../src/auth/oauth-client/oidc-provider.fixture.ts'
import { createUser } from '../src/auth/people/create-user.ts'
import {
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
  type TestFlow,
  testAuth,
} from '../src/auth/service.fixture.ts'

const callback = 'https://app.example.com/callback'
const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const maya: OidcAccount = {
  sub: 'maya-7',
  email,
  email_verified: true,
  name: 'Maya Quill',
  locale: 'en-GB',
}

let one: OidcProvider
let two: OidcProvider
beforeAll(async () => {
  one = await startOidcProvider()
  two = await startOidcProvider({ clientAuthentication: 'client_secret_post' })
})
afterAll(async () => {
  await one.close()
  await two.close()
})

/** A service with both providers. Its clock is ahead of theirs by `skewMs`. */
function house(skewMs = 0): TestAuth {
  const providers = [
    ['one', one],
    ['two', two],
  ] as const
  const oauth = createOAuthClient({
    allowPrivateAddresses: true,
    clock: createManualClock(Date.now() + skewMs),
    credentials: Object.fromEntries(
      providers.map(([alias, { clientSecret }]) => [alias, { clientSecret }]),
    ),
  })
  return testAuth(
    {
      http: { public_origin: 'https://auth.example.com', allow_insecure: true },
      identity: {
        oauth: {
          providers: providers.map(([alias, { clientId, discoveryUrl }]) => ({
            alias,
            type: 'oidc',
            client_id: clientId,
            discovery_document_endpoint: discoveryUrl,
          })),
        },
      },
      account_linking: { oauth: [rule('one'), rule('two')] },
    },
    { oauth },
  )
}

async function leaveFor(flow: TestFlow, alias: string): Promise<string> {
  return urlOf(await flow.input({ identification: 'oauth', alias, redirect_uri: callback }))
}

/** Signs in at a provider as a browser does. Returns the query of the redirect back. */
async function signIn(provider: OidcProvider, url: string, account = maya): Promise<string> {
  const { origin, pathname, search } = await provider.signIn(`${url}&state=of-the-page`, account)
  expect(origin + pathname).toBe(callback)
  return search
}

async function away(world: TestAuth) {
  const flow = await startFlow(world, 'signup_login')
  return { flow, url: await leaveFor(flow, 'one') }
}

describe('an OpenID Connect provider', () => {
  it('signs a user up, later in, and provides their profile', async () => {
    const world = house()
    const first = await away(world)
    const signedUp = await first.flow.input({ query: await signIn(one, first.url) })
    expect(stateOf(signedUp)).toMatchObject({ type: 'signup', action: { type: 'finished' } })
    expect(await userOf(world, signedUp)).toMatchObject({
      standard_attributes: { email, name: 'Maya Quill', locale: 'en-GB' },
      identities: [{ provider_type: 'oidc', provider_alias: 'one', subject: 'maya-7', email }],
      verified_claims: [{ name: 'email', value: email }],
    })
    const second = await away(world)
    const renamed = { ...maya, name: 'Maya Vale' }
    const query = await signIn(one, second.url, renamed)
    const code = new URLSearchParams(query).get('code') ?? ''
    const signedIn = await second.flow.input({ code, query })
    expect(stateOf(signedIn)).toMatchObject({ type: 'login', action: { type: 'finished' } })
    expect((await userOf(world, signedIn)).identities).toMatchObject([
      { claims: { name: 'Maya Vale' } },
    ])
    const login = await startFlow(world, 'login')
    const elsewhere = await signIn(two, await leaveFor(login, 'two'))
    expect(errorOf(await login.input({ query: elsewhere }))).toMatchObject({
      reason: 'UserNotFound',
      info: { OAuthProviderTypeIncoming: 'oidc', OAuthProviderTypeExisting: 'oidc' },
    })
  })

  it('is linked to an account by its user', async () => {
    const world = house()
    const id = await createUser(world.auth, { email, password })
    world.clock.advance(1_000)
    const flow = await startFlow(world, 'signup')
    const chosen = await flow.input({ query: await signIn(one, await leaveFor(flow, 'one')) })
    expect(stateOf(chosen).action.data.type).toBe('account_linking_identification_data')
    await flow.input({ index: 0 })
    const linked = await flow.input({ authentication: 'primary_password', password })
    expect((await userOf(world, linked)).identities).toHaveLength(2)
    world.clock.advance(1_000)
    const further = await startFlow(world, 'signup')
    await further.input({ query: await signIn(two, await leaveFor(further, 'two')) })
    const url = urlOf(await further.input({ index: 1, redirect_uri: callback }))
    const other = await signIn(one, url, { ...maya, sub: 'nobody' })
    expect(errorOf(await further.input({ query: other })).reason).toBe('UserNotFound')
    const done = await further.input({ query: await signIn(one, url) })
    expect(await userOf(world, done)).toMatchObject({
      id,
      identities: [{}, { provider_alias: 'one' }, { provider_alias: 'two' }],
    })
  })
})

describe('a response that does not belong to a state is refused, and the state stays valid', () => {
  const changed = (url: string, name: string, value: string): string => {
    const other = new URL(url)
    other.searchParams.set(name, value)
    return other.href
  }

  it.each<readonly [string, string, (world: TestAuth, url: string) => Promise<string>]>([
    [
      'a code for another nonce',
      'OAuthProtocolError',
      (_, url) => signIn(one, changed(url, 'nonce', 'another')),
    ],
    [
      'the code of another flow',
      'OAuthError',
      async (world) => signIn(one, (await away(world)).url),
    ],
    [
      'the code of another provider',
      'OAuthProtocolError',
      async (world) => signIn(two, await leaveFor(await startFlow(world, 'login'), 'two')),
    ],
    [
      'a code that was made up',
      'OAuthError',
      async () => `?code=made-up&iss=${encodeURIComponent(one.issuer)}`,
    ],
    [
      'a code without the issuer that the provider always sends',
      'OAuthProtocolError',
      async () => '?code=made-up',
    ],
    [
      'a code that names another issuer',
      'OAuthProtocolError',
      async () => `?code=made-up&iss=${encodeURIComponent(two.issuer)}`,
    ],
    ['a refusal', 'OAuthError', async () => `?error=access_denied&iss=${one.issuer}`],
  ])('%s', async (_what, reason, queryOf) => {
    const world = house()
    const { flow, url } = await away(world)
    const waiting = stateOf(flow.last)
    const refused = await flow.input({ query: await queryOf(world, url) })
    expect(errorOf(refused)).toMatchObject({ code: 400, reason })
    expect(refused.ok ? undefined : refused.result).toEqual(waiting)
    const done = await flow.input({ query: await signIn(one, url) })
    expect(stateOf(done).action.type).toBe('finished')
  })

  it('a code that is sent again, in its state or an older one', async () => {
    const world = house()
    await createUser(world.auth, { email, password })
    const flow = await startFlow(world, 'signup')
    const start = flow.token
    const url = await leaveFor(flow, 'one')
    const waiting = flow.token
    const query = await signIn(one, url)
    expect(stateOf(await flow.input({ query })).action.data.options).toHaveLength(1)
    const refused = {
      reason: 'OAuthError',
      info: { error: 'invalid_grant', provider_type: 'oidc' },
    }
    expect(errorOf(await flow.input({ query }, waiting))).toMatchObject(refused)
    const input = { identification: 'oauth', alias: 'one', redirect_uri: callback }
    const again = urlOf(await flow.input(input, start))
    expect(errorOf(await flow.input({ query }))).toMatchObject(refused)
    // A provider revokes the tokens of a code that arrives twice. The user who has signed in stays signed in.
    const fresh = await flow.input({ query: await signIn(one, again) })
    expect(stateOf(fresh).action.data.options).toHaveLength(1)
  })

  it('a token that has expired', async () => {
    const world = house(3_600_000)
    const { flow, url } = await away(world)
    const refused = await flow.input({ query: await signIn(one, url) })
    expect(errorOf(refused)).toMatchObject({ code: 400, reason: 'OAuthProtocolError' })
    const read = await getFlowState(world.auth, { state_token: flow.token })
    expect(stateOf(read).action.data.oauth_authorization_url).toBe(url)
  })

  it('a code that arrives after the flow has ended', async () => {
    const world = house()
    const { flow, url } = await away(world)
    const query = await signIn(one, url)
    world.clock.advance(20 * 60_000)
    const late = await advanceFlow(world.auth, { state_token: flow.token, input: { query } })
    expect(errorOf(late).reason).toBe('AuthenticationFlowNotFound')
  })
})

it('a provider that does not answer is reported as such', async () => {
  const world = house()
  const gone = await startOidcProvider()
  const oauth = createOAuthClient({
    allowPrivateAddresses: true,
    credentials: { gone: { clientSecret: gone.clientSecret } },
  })
  const { discoveryUrl, clientId } = gone
  const provider = { alias: 'gone', type: 'oidc', client_id: clientId }
  const lonely = testAuth(
    {
      http: { public_origin: 'https://auth.example.com', allow_insecure: true },
      identity: {
        oauth: { providers: [{ ...provider, discovery_document_endpoint: discoveryUrl }] },
      },
    },
    { oauth, storage: world.storage },
  )
  const flow = await startFlow(lonely, 'login')
  const start = flow.token
  const url = await leaveFor(flow, 'gone')
  const query = await signIn(gone, url)
  await gone.close()
  expect(errorOf(await flow.input({ query }))).toMatchObject({
    reason: 'OAuthProtocolError',
    code: 400,
  })
  const input = { identification: 'oauth', alias: 'gone', redirect_uri: callback }
  expect(urlOf(await flow.input(input, start))).not.toBe(url)
})
