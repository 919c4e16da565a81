import { describe, expect, it } from 'vitest'
import type { FlowInput } from '../../flow/view.ts'
import { advanceFlow } from '../../flows/advance-flow.ts'
import type { FlowResult } from '../../flows/flow-result.ts'
import { getFlowState } from '../../flows/get-flow-state.ts'
import { errorOf, startFlow, stateOf, type TestFlow } from '../../service.fixture.ts'
import { callback, comeBy, leaveFor, type OAuthHouse, oauthHouse } from './oauth-house.fixture.ts'

const maya = { subject: 'maya-1', email: 'maya@harborlight.example' }
const lena = { subject: 'lena-1', email: 'lena@harborlight.example' }

/** A user who is at a provider. */
async function away(world: OAuthHouse = oauthHouse()): Promise<{
  readonly world: OAuthHouse
  readonly flow: TestFlow
  readonly url: string
}> {
  const flow = await startFlow(world, 'signup_login')
  return { world, flow, url: await leaveFor(flow) }
}

const outcomeOf = (result: FlowResult): string =>
  result.ok ? result.result.action.type : result.error.reason

const codeIn = (query: string): string => new URLSearchParams(query).get('code') ?? ''

describe('a code', () => {
  it.each<readonly [string, (query: string) => FlowInput]>([
    ['in a query', (query) => ({ query })],
    ['in a query with its question mark', (query) => ({ query: `?${query}` })],
    ['by itself', (query) => ({ code: codeIn(query) })],
    ['beside its query', (query) => ({ code: codeIn(query), query })],
    ['in a query beside another code', (query) => ({ code: 'another', query })],
    ['with unknown members', (query) => ({ query, state: 's', index: 0 })],
  ])('is accepted %s', async (_how, inputOf) => {
    const { world, flow, url } = await away()
    const done = await flow.input(inputOf(world.oauth.signIn(url, maya)))
    expect(stateOf(done).action.type).toBe('finished')
  })

  it('is accepted once: not again in the same state or another one', async () => {
    const login_flows = [
      {
        name: 'default',
        steps: [
          { type: 'identify', one_of: [{ identification: 'oauth' }] },
          { type: 'authenticate', one_of: [{ authentication: 'primary_password' }] },
        ],
      },
    ]
    const world = oauthHouse({ authentication_flow: { login_flows } })
    stateOf(await comeBy(world, await startFlow(world, 'signup'), maya))
    const flow = await startFlow(world, 'login')
    const start = flow.token
    const url = await leaveFor(flow)
    const waiting = flow.token
    const query = world.oauth.signIn(url, maya)
    expect(stateOf(await flow.input({ query })).action.type).toBe('authenticate')
    const refused = {
      code: 400,
      reason: 'OAuthError',
      info: { FlowType: 'login', error: 'invalid_grant', provider_type: 'google' },
    }
    expect(errorOf(await flow.input({ query }, waiting))).toMatchObject(refused)
    await flow.input({ identification: 'oauth', alias: 'google', redirect_uri: callback }, start)
    expect(errorOf(await flow.input({ query }))).toMatchObject(refused)
    const fresh = world.oauth.signIn(url, maya)
    expect(stateOf(await flow.input({ query: fresh }, waiting)).action.type).toBe('authenticate')
  })

  it('is accepted once if it is sent several times concurrently', async () => {
    const { world, flow, url } = await away()
    const input = { query: world.oauth.signIn(url, maya) }
    const results = await Promise.all(
      Array.from({ length: 5 }, () => advanceFlow(world.auth, { state_token: flow.token, input })),
    )
    expect(results.map(outcomeOf).sort()).toEqual([
      ...Array.from({ length: 4 }, () => 'OAuthError'),
      'finished',
    ])
  })

  it('is not redeemed if its flow has ended', async () => {
    const { world, flow, url } = await away()
    const waiting = flow.token
    stateOf(await flow.input({ query: world.oauth.signIn(url, maya) }))
    const late = world.oauth.signIn(url, maya)
    expect(errorOf(await flow.input({ query: late }, waiting)).reason).toBe(
      'AuthenticationFlowNotFound',
    )
    expect(world.oauth.redemptions).toBe(1)
  })

  it('cannot be used in another flow, which has another verifier', async () => {
    const { world, flow, url } = await away()
    const attacker = await away(world)
    const stolen = world.oauth.signIn(url, maya)
    expect(errorOf(await attacker.flow.input({ query: stolen }))).toMatchObject({
      reason: 'OAuthError',
      info: { error: 'invalid_grant' },
    })
    const planted = world.oauth.signIn(attacker.url, lena)
    expect(errorOf(await flow.input({ query: planted })).reason).toBe('OAuthError')
    const own = world.oauth.signIn(url, maya)
    expect(stateOf(await flow.input({ query: own })).action.type).toBe('finished')
  })
})

describe('an invalid callback is refused, and the state can go on', () => {
  const changed = (url: string, name: string, value: string): string => {
    const other = new URL(url)
    other.searchParams.set(name, value)
    return other.href
  }

  it.each<readonly [string, string, (house: OAuthHouse, url: string) => FlowInput]>([
    [
      'another nonce',
      'OAuthProtocolError',
      ({ oauth }, url) => ({
        query: oauth.signIn(changed(url, 'nonce', 'n'.repeat(43)), maya),
      }),
    ],
    [
      'another secret',
      'OAuthError',
      ({ oauth }, url) => ({
        query: oauth.signIn(changed(url, 'code_challenge', 'c'.repeat(43)), maya),
      }),
    ],
    [
      'another page',
      'OAuthError',
      ({ oauth }, url) => ({
        query: oauth.signIn(changed(url, 'redirect_uri', 'https://evil.example/cb'), maya),
      }),
    ],
    [
      'another issuer',
      'OAuthProtocolError',
      ({ oauth }, url) => ({
        query: oauth.signIn(url, maya).replace('google.example.com', 'cloud.example.com'),
      }),
    ],
    [
      'a code of another provider',
      'OAuthError',
      ({ oauth }, url) => ({
        code: codeIn(oauth.signIn(url.replace('google.', 'cloud.'), maya)),
      }),
    ],
    [
      'an altered code',
      'OAuthError',
      ({ oauth }, url) => ({
        code: `${codeIn(oauth.signIn(url, maya))}x`,
      }),
    ],
    [
      'an expired code',
      'OAuthError',
      ({ oauth }, url) => {
        const query = oauth.signIn(url, maya)
        oauth.expireCodes()
        return { query }
      },
    ],
    ['a refusal', 'OAuthError', () => ({ error: 'access_denied' })],
    ['a refusal in the query', 'OAuthError', () => ({ query: '?error=access_denied&state=s' })],
    ['an empty query', 'OAuthProtocolError', () => ({ query: '' })],
    ['two codes', 'OAuthProtocolError', () => ({ query: 'code=a&code=b' })],
    ['nothing', 'ValidationFailed', () => ({})],
    ['no text', 'ValidationFailed', () => ({ query: { code: 'a' } })],
  ])('%s: %s', async (_what, reason, inputOf) => {
    const { world, flow, url } = await away()
    const waiting = stateOf(flow.last)
    const refused = await flow.input(inputOf(world, url))
    expect(errorOf(refused)).toMatchObject({
      code: 400,
      reason,
      info: { FlowType: 'signup_login' },
    })
    expect(refused.ok ? undefined : refused.result).toEqual(waiting)
    expect(stateOf(await getFlowState(world.auth, { state_token: flow.token }))).toEqual(waiting)
    const done = await flow.input({ query: world.oauth.signIn(url, maya) })
    expect(stateOf(done).action.type).toBe('finished')
  })

  it('reports why the provider refuses, without secrets', async () => {
    const { flow } = await away()
    const said = {
      error: 'access_denied',
      error_description: 'not today',
      error_uri: 'https://google.example.com/why',
    }
    expect(errorOf(await flow.input(said)).info).toEqual({
      FlowType: 'signup_login',
      ...said,
      provider_type: 'google',
    })
    const wrong = await flow.input({ code: 'a-secret-code' })
    expect(JSON.stringify(wrong)).not.toContain('a-secret-code')
  })

  it('is logged without secrets if the provider fails', async () => {
    const lines: unknown[] = []
    const note = (...line: readonly unknown[]): void => void lines.push(line)
    const logger = { debug: note, info: note, warn: note, error: note }
    const { world, flow, url } = await away(oauthHouse({}, undefined, { logger }))
    lines.length = 0
    await flow.input({ error: 'access_denied' })
    await flow.input({ query: 'code=made-up' })
    const nonce = changed(url, 'nonce', 'another')
    await flow.input({ query: world.oauth.signIn(nonce, maya) })
    const fields = { provider: 'google', error: 'the nonce is another one' }
    expect(lines).toEqual([[fields, 'an identity provider failed']])
  })

  it('refuses a code that comes before its state', async () => {
    const { world, url } = await away()
    const flow = await startFlow(world, 'login')
    const query = world.oauth.signIn(url, maya)
    const inOne = { identification: 'oauth', alias: 'google', redirect_uri: callback, query }
    expect(errorOf(await flow.input(inOne)).reason).toBe('OAuthError')
  })
})
