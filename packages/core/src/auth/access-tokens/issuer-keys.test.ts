import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { type FakeServer, startFakeServer } from '../oauth-client/fake-server.fixture.ts'
import { createTokenVerifier, type TokenVerifierOptions } from './create-token-verifier.ts'
import {
  audience,
  createTestKey,
  key,
  signToken,
  startedAt,
  type TestKey,
} from './tokens.fixture.ts'

const documentPath = '/.well-known/openid-configuration'

/** A server that publishes keys, and a verifier for its tokens. */
async function world(options: Partial<TokenVerifierOptions> & { path?: string } = {}) {
  const { path = '', ...given } = options
  const server = await startFakeServer()
  const issuer = `${server.origin}${path}`
  publish(server, issuer, [key])
  const clock = createManualClock(startedAt * 1_000)
  const logged: object[] = []
  const logger = {
    debug() {},
    info() {},
    warn: (fields: object) => void logged.push(fields),
    error() {},
  }
  const verifier = createTokenVerifier({ issuer, audience, clock, logger, ...given })
  const ask = async (by?: TestKey): Promise<string> => {
    const claims = { iss: issuer, exp: clock.now() / 1_000 + 300 }
    const token = await signToken({ claims, ...(by === undefined ? {} : { by }) })
    return verifier.verifyToken({ token }).then(
      ({ sub }) => sub,
      ({ kind, reason }) => `${kind} ${reason}`,
    )
  }
  const count = (of = '/jwks') => server.requests.filter((one) => one.path === of).length
  return { server, issuer, clock, verifier, ask, count, logged }
}

function publish(server: FakeServer, issuer: string, keys: readonly TestKey[]): void {
  server.answer(`${new URL(issuer).pathname.replace(/\/$/, '')}${documentPath}`, {
    json: { issuer, jwks_uri: `${server.origin}/jwks` },
  })
  server.answer('/jwks', { json: { keys: keys.map(({ jwk }) => jwk) } })
}

const refused = 'Unauthorized InvalidToken'
const unavailable = 'ServiceUnavailable TokenVerifierUnavailable'

describe('the keys of an issuer', () => {
  it('are fetched once for all tokens of five minutes, and their address for an hour', async () => {
    const { ask, count, clock } = await world()
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['user-1', 'user-1', 'user-1'])
    clock.advance(299_999)
    expect(await ask()).toBe('user-1')
    expect([count(documentPath), count()]).toEqual([1, 1])
    clock.advance(1)
    expect(await Promise.all([ask(), ask()])).toEqual(['user-1', 'user-1'])
    expect([count(documentPath), count()]).toEqual([1, 2])
    clock.advance(3_600_000)
    expect(await ask()).toBe('user-1')
    expect([count(documentPath), count()]).toEqual([2, 3])
  })

  it('are found by the metadata of OAuth, which has the path of the issuer at its end', async () => {
    const { server, issuer, ask } = await world({ path: '/tenants/a' })
    expect(await ask()).toBe('user-1')
    const other = await world({ path: '/b' })
    other.server.answer(`/b${documentPath}`, { text: 'none', status: 404 })
    other.server.answer('/.well-known/oauth-authorization-server/b', {
      json: { issuer: other.issuer, jwks_uri: `${other.server.origin}/jwks` },
    })
    expect(await other.ask()).toBe('user-1')
    expect(server.requests[0]?.path).toBe(`/tenants/a${documentPath}`)
    expect(issuer).toContain('/tenants/a')
  })

  it('are fetched from jwksUri, without metadata', async () => {
    const server = await startFakeServer()
    server.answer('/keys', { json: { keys: [key.jwk] } })
    const { ask, count } = await world({ jwksUri: `${server.origin}/keys` })
    expect(await ask()).toBe('user-1')
    expect([count(documentPath), count()]).toEqual([0, 0])
  })

  it('that are new are found when a token names one, and an old one is gone with them', async () => {
    const { server, issuer, ask, clock, count } = await world()
    const next = await createTestKey('k2')
    expect(await ask()).toBe('user-1')
    publish(server, issuer, [next])
    expect(await ask(next)).toBe(refused)
    clock.advance(60_000)
    expect(await Promise.all([ask(next), ask(next), ask(next)])).toEqual([
      'user-1',
      'user-1',
      'user-1',
    ])
    expect(count()).toBe(2)
    expect(await ask()).toBe(refused)
  })

  it('are not fetched for every token that names an unknown one', async () => {
    const { ask, clock, count } = await world()
    const forged = await createTestKey('forged')
    await ask()
    for (let minute = 1; minute <= 4; minute++) {
      clock.advance(60_000)
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask(forged)))
      expect(new Set(answers)).toEqual(new Set([refused]))
      expect(count()).toBe(1 + minute)
    }
  })

  it('are not needed for a token that is wrong anyway', async () => {
    const { verifier, server } = await world()
    const token = await signToken({ claims: { iss: 'https://evil.example' } })
    await expect(verifier.verifyToken({ token })).rejects.toMatchObject({ reason: 'InvalidToken' })
    expect(server.requests).toEqual([])
  })
})

describe('without the keys of its issuer', () => {
  it('no token is accepted or called invalid, and the issuer is asked every five seconds', async () => {
    const { server, issuer, ask, clock, count, logged } = await world()
    server.answer('/jwks', { text: 'down', status: 500 })
    const storm = () => Promise.all(Array.from({ length: 50 }, () => ask()))
    expect(new Set(await storm())).toEqual(new Set([unavailable]))
    clock.advance(4_999)
    expect(new Set(await storm())).toEqual(new Set([unavailable]))
    expect(count()).toBe(1)
    expect(logged).toEqual([{ issuer, error: 'the key set answered 500, without JSON' }])
    publish(server, issuer, [key])
    clock.advance(1)
    expect(await ask()).toBe('user-1')
    expect(count()).toBe(2)
  })

  it('those in the cache serve until they are five minutes old', async () => {
    const { server, ask, clock } = await world()
    const next = await createTestKey('k2')
    expect(await ask()).toBe('user-1')
    server.answer('/jwks', { text: 'down', status: 500 })
    clock.advance(60_000)
    expect(await ask(next)).toBe(unavailable)
    expect(await ask()).toBe('user-1')
    clock.advance(239_999)
    expect(await ask()).toBe('user-1')
    clock.advance(1)
    expect(await ask()).toBe(unavailable)
  })

  it.each<[string, (issuer: string) => object]>([
    [
      'another issuer',
      () => ({ issuer: 'https://evil.example', jwks_uri: 'https://evil.example/' }),
    ],
    ['no keys', (issuer) => ({ issuer })],
    ['an address that is not HTTP', (issuer) => ({ issuer, jwks_uri: 'file:///etc/passwd' })],
  ])('because the metadata name %s', async (_, documentOf) => {
    const { server, issuer, ask, count } = await world()
    server.answer(documentPath, { json: documentOf(issuer) })
    expect(await ask()).toBe(unavailable)
    expect(count()).toBe(0)
  })

  it.each<[string, string]>([
    ['is no JSON', 'keys'],
    ['is no object', '[]'],
    ['has no list', '{"keys": {}}'],
    ['is too large', `{"keys": ["${'x'.repeat(1_100_000)}"]}`],
    ['is too deep', `{"keys": ${'['.repeat(100)}${']'.repeat(100)}}`],
  ])('because the set %s', async (_, text) => {
    const { server, ask } = await world()
    server.answer('/jwks', { text })
    expect(await ask()).toBe(unavailable)
  })

  it('because they are at a private address, although the issuer is not on this machine', async () => {
    const { server, verifier } = await world({
      allowPrivateAddresses: false,
      issuer: 'https://auth.example.com',
      jwksUri: 'https://127.0.0.1:1/jwks',
    })
    const token = await signToken()
    await expect(verifier.verifyToken({ token })).rejects.toMatchObject({
      reason: 'TokenVerifierUnavailable',
      cause: { message: expect.stringContaining('not public') },
    })
    expect(server.requests).toEqual([])
  })

  it('because the issuer does not answer in time', async () => {
    const { server, ask, clock } = await world({ timeoutMs: 1_000 })
    let arrived = (): void => {}
    const asked = new Promise<void>((resolve) => {
      arrived = resolve
    })
    server.answer('/jwks', { write: () => arrived() })
    const answer = ask()
    await asked
    clock.advance(1_000)
    expect(await answer).toBe(unavailable)
  })
})

it('a set with keys of other kinds, and members that are no keys, does no harm', async () => {
  const { server, ask } = await world()
  const odd = [null, 5, { kty: 'oct', k: 'AAAA' }, { kty: 'EC', crv: 'P-256', kid: 'k1', x: 'AA' }]
  server.answer('/jwks', { json: { keys: [...odd, key.jwk] } })
  expect(await ask()).toBe('user-1')
})
