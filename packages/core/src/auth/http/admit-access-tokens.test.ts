import { describe, expect, it } from 'vitest'
import { createTokenVerifier } from '../access-tokens/create-token-verifier.ts'
import {
  audience,
  issuer,
  jkt,
  key,
  signProof,
  signToken,
} from '../access-tokens/tokens.fixture.ts'
import { createUser } from '../people/create-user.ts'
import { disableUser, updateUser } from '../people/update-user.ts'
import { testAuth } from '../service.fixture.ts'
import { createSession } from '../sessions/create-session.ts'
import { resolveSession } from '../sessions/resolve-session.ts'
import { createApiKey } from '../tokens/create-api-key.ts'
import { issueTokens } from '../tokens/issue-tokens.ts'
import { type AdmitAccessTokenOptions, admitRequest } from './admit-request.ts'

const scope = 'orders:read'

/** A service with a user, and what a route answers that takes access tokens. */
async function world(config: Parameters<typeof testAuth>[0] = {}) {
  const { auth, clock } = testAuth(config)
  const verifier = createTokenVerifier({ issuer, audience, clock, keys: () => [key.jwk] })
  const userId = await createUser(auth, { preferred_username: 'maya' })
  const { token: cookie } = await createSession(auth, userId, { amr: ['pwd'] })
  const sign = (claims: object = {}) =>
    signToken({ claims: { sub: userId, exp: Math.floor(clock.now() / 1_000) + 300, ...claims } })
  const ask = (
    given: Record<string, string>,
    options: Partial<AdmitAccessTokenOptions> & { scope?: string } = {},
  ) => {
    const { scope: needed = scope, ...others } = options
    const request = { method: 'GET', url: '/orders', headers: new Headers(given) }
    const accessTokens = { verifier, scope: needed }
    return admitRequest(auth, request, { accessTokens, ...others })
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  return { auth, clock, userId, cookie: `session=${cookie}`, sign, ask, bearer }
}

describe('a route that takes sessions and access tokens', () => {
  it('admits either, and says which it was', async () => {
    const { ask, sign, bearer, cookie, userId } = await world()
    expect((await ask({ cookie })).session).toMatchObject({ user_id: userId, amr: ['pwd'] })
    const token = await sign()
    const { session } = await ask(bearer(token), { maxAgeMs: 1, aal: 2 })
    expect(session).toEqual({
      kind: 'access_token',
      user_id: userId,
      client_id: 'client-1',
      scopes: ['orders:read', 'orders:write'],
      claims: expect.objectContaining({ sub: userId, iss: issuer }),
    })
  })

  it('knows a client that asks on its own', async () => {
    const { ask, sign, bearer } = await world()
    const token = await sign({ sub: 'client-1' })
    expect((await ask(bearer(token))).session).toMatchObject({
      user_id: null,
      client_id: 'client-1',
    })
    expect((await ask(bearer(token), { roles: ['admin'] })).refusal?.reason).toBe(
      'AccessControlViolated',
    )
  })

  it('asks for the roles of the user', async () => {
    const { auth, ask, sign, bearer, userId } = await world({
      user_profile: {
        custom_attributes: { attributes: [{ id: '1', pointer: '/x_role', type: 'string' }] },
      },
    })
    const token = await sign()
    expect((await ask(bearer(token), { roles: ['admin'] })).refusal?.reason).toBe(
      'AccessControlViolated',
    )
    await updateUser(auth, userId, { custom_attributes: { x_role: 'admin' } })
    expect((await ask(bearer(token), { roles: ['admin'] })).session).toMatchObject({
      user_id: userId,
    })
  })

  it('refuses a token with the challenge that clients expect, also if a cookie comes with it', async () => {
    const { ask, sign, bearer, cookie } = await world()
    const refusals: readonly [Record<string, string>, string, string, number][] = [
      [{}, 'NotAuthenticated', 'Bearer scope="orders:read"', 401],
      [{ ...bearer('x'), cookie }, 'InvalidToken', 'Bearer error="invalid_token"', 401],
      [{ authorization: 'DPoP x', cookie }, 'InvalidToken', 'DPoP error="invalid_token"', 401],
      [
        { ...bearer(await sign({ scope: 'x' })), cookie },
        'InsufficientScope',
        'Bearer error="insufficient_scope"',
        403,
      ],
    ]
    for (const [headers, reason, challenge, status] of refusals) {
      const { refusal } = await ask(headers)
      expect(refusal).toMatchObject({ reason, answer: { status } })
      expect([refusal?.answer.headers['www-authenticate']].flat()[0]).toMatch(challenge)
      expect(JSON.parse(String(refusal?.answer.body))).toMatchObject({ error: { reason } })
    }
  })

  it('refuses a token whose user is gone or disabled', async () => {
    const { auth, ask, sign, bearer, userId } = await world()
    for (const sub of ['nobody', '\u0000']) {
      expect((await ask(bearer(await sign({ sub })))).refusal?.reason).toBe('InvalidToken')
    }
    const token = await sign()
    await disableUser(auth, userId)
    expect((await ask(bearer(token))).refusal?.reason).toBe('InvalidToken')
  })

  it('admits a token that is bound to a key by its proof', async () => {
    const { ask, sign, clock } = await world()
    const token = await sign({ cnf: { jkt } })
    const iat = Math.floor(clock.now() / 1_000)
    const dpop = await signProof(token, { claims: { iat } })
    expect((await ask({ authorization: `DPoP ${token}`, dpop })).session).toMatchObject({
      kind: 'access_token',
    })
    expect((await ask({ authorization: `DPoP ${token}`, dpop })).refusal?.reason).toBe(
      'InvalidDpopProof',
    )
  })

  it('admits the tokens of sessions and API keys as well, where the service has them', async () => {
    const { auth, ask, sign, bearer, cookie, userId } = await world({
      tokens: { audience: ['https://own.example'] },
      api_keys: { scopes: [scope] },
    })
    const session = await resolveSession(auth, { headers: new Headers({ cookie }) })
    if (session === undefined) throw new Error('there is no session')
    const { access_token } = await issueTokens(auth, session)
    expect((await ask(bearer(access_token))).session).toMatchObject({ id: session.id })
    expect((await ask(bearer(await sign()))).session).toMatchObject({ kind: 'access_token' })
    const { key: apiKey } = await createApiKey(auth, {
      user_id: userId,
      name: 'a',
      scopes: [scope],
    })
    expect((await ask(bearer(apiKey))).refusal?.reason).toBe('InvalidToken')
    expect((await ask(bearer(apiKey), { apiKeyScopes: [scope] })).session).toMatchObject({
      kind: 'api_key',
    })
    expect((await ask({ ...bearer('x'), cookie })).refusal?.reason).toBe('InvalidToken')
  })

  it('does not send programs with a token to the sign-in page', async () => {
    const { ask, bearer } = await world()
    const accept = 'text/html'
    expect((await ask({ accept })).refusal?.answer.status).toBe(302)
    expect((await ask({ ...bearer('x'), accept })).refusal?.answer.status).toBe(401)
    expect((await ask({ authorization: 'DPoP x', accept })).refusal?.answer.status).toBe(401)
  })
})

it('a route that does not say so takes no access tokens', async () => {
  const { auth, sign, bearer } = await world()
  const headers = new Headers(bearer(await sign()))
  const { refusal } = await admitRequest(auth, { method: 'GET', url: '/', headers })
  expect(refusal?.reason).toBe('NotAuthenticated')
  expect(refusal?.answer.headers).not.toHaveProperty('www-authenticate')
})
