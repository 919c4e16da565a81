import { describe, expect, it } from 'vitest'
import { createUser } from '../people/create-user.ts'
import { type ConfigDelta, testAuth } from '../service.fixture.ts'
import { createSession } from '../sessions/create-session.ts'
import { admitRequest } from './admit-request.ts'
import { createRouteClient } from './routes.fixture.ts'

const path = '/api/v1/tokens'

async function createWorld(delta: ConfigDelta = { tokens: {} }) {
  const world = testAuth(delta)
  const user = await createUser(world.auth, { email: 'maya@harborlight.example' })
  const opened = await createSession(world.auth, user)
  return { ...world, ...opened, ...createRouteClient(world.auth) }
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

describe('the routes of tokens', () => {
  it('give tokens for a session, take them, renew them, and end them', async () => {
    const { auth, post, session, token } = await createWorld()
    const first = await post(path, { session_token: token })
    expect(first).toMatchObject({
      status: 200,
      body: {
        result: {
          token_type: 'Bearer',
          expires_in: 600,
          refresh_token_expires_in: 2_592_000,
          session_id: session.id,
        },
      },
    })
    expect(first.headers.get('cache-control')).toBe('no-store')
    const { refresh_token } = first.body.result as unknown as Tokens
    const second = await post(path, { refresh_token })
    const { access_token, ...renewed } = second.body.result as unknown as Tokens
    const asked = () =>
      admitRequest(auth, {
        method: 'GET',
        url: 'https://app.example/orders',
        headers: new Headers({ authorization: `bearer ${access_token}` }),
      })
    expect((await asked()).session?.id).toBe(session.id)
    const ended = await post(`${path}/revoke`, { refresh_token: renewed.refresh_token })
    expect(ended).toMatchObject({ status: 200, body: { result: {} } })
    expect((await asked()).refusal?.answer.status).toBe(401)
    expect(await post(path, { session_token: token })).toMatchObject({
      status: 401,
      body: { error: { reason: 'InvalidToken' } },
    })
  })

  it('publish keys that pages of any origin may read and keep', async () => {
    const { post, send, token } = await createWorld()
    await post(path, { session_token: token })
    const answer = await send('/.well-known/jwks.json', { method: 'GET' })
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const key = { kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256' }
    const { keys } = (await answer.json()) as { keys: readonly Readonly<Record<string, string>>[] }
    expect(keys).toMatchObject([key])
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })

  it.each([
    [{}],
    [{ session_token: 'x', refresh_token: 'x' }],
    [{ session_token: 1 }],
    [{ refresh_token: 'x'.repeat(1_025) }],
    [[]],
    [null],
  ])('refuse %j', async (body) => {
    const { post } = await createWorld()
    expect(await post(path, body)).toMatchObject({
      status: 400,
      body: { error: { reason: 'ValidationFailed' } },
    })
  })

  it('refuse a body that is not JSON, or too long, and any request above the limit of its address', async () => {
    const limits = { rate_limits: { per_ip: { enabled: true, period: '1m', burst: 3 } } }
    const { post } = await createWorld({ tokens: {}, authentication_flow: limits })
    expect(await post(path, '{"a"')).toMatchObject({
      status: 400,
      body: { error: { reason: 'BadRequest' } },
    })
    const long = JSON.stringify({ refresh_token: 'x'.repeat(1_100_000) })
    expect((await post(path, long)).status).toBe(413)
    expect((await post(`${path}/revoke`, '')).status).toBe(400)
    expect((await post(path, {})).status).toBe(429)
  })

  it('do not take the cookie of a page for a token', async () => {
    const { post, token } = await createWorld()
    const headers = { cookie: `session=${token}`, authorization: `Bearer ${token}` }
    expect(await post(path, {}, { headers })).toMatchObject({ status: 400 })
  })

  it('are not there without the section, whatever is sent', async () => {
    const { post, send, token } = await createWorld({})
    const missing = { status: 404, body: { error: { reason: 'TokensDisabled' } } }
    expect(await post(path, { session_token: token })).toMatchObject(missing)
    expect(await post(path, {})).toMatchObject(missing)
    expect(await post(`${path}/revoke`, { refresh_token: 'x' })).toMatchObject(missing)
    expect((await send('/.well-known/jwks.json', { method: 'GET' })).status).toBe(404)
  })
})
