import { describe, expect, it } from 'vitest'
import { toResponse } from '../../http/answer.ts'
import { type AdmitTokenOptions, admitToken } from './admit-token.ts'
import { protectedResourceRoutes } from './protected-resource-routes.ts'
import type { TokenVerifier } from './token-verifier.ts'
import { audience, requestWith, signBoundToken, signToken, testVerifier } from './tokens.fixture.ts'

const resource = `${audience}/mcp`

async function refusal(headers: Record<string, string>, options: AdmitTokenOptions = {}) {
  const { verifier } = testVerifier()
  const { refusal: found } = await admitToken(verifier, requestWith(headers), options)
  if (found === undefined) throw new Error('it was admitted')
  const response = toResponse(found.answer)
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    caching: response.headers.get('cache-control'),
    body: await response.json(),
  }
}

describe('a request', () => {
  it('is admitted with the claims of its token', async () => {
    const request = requestWith({ authorization: `Bearer ${await signToken()}` })
    const { token } = await admitToken(testVerifier().verifier, request, { scope: 'orders:read' })
    expect(token).toMatchObject({ sub: 'user-1', client_id: 'client-1' })
  })

  it('without a token is told how to get one, and of no error', async () => {
    const options = { audience: resource, scope: ['a', 'b c'], resourceMetadata: true }
    const { status, challenge, body } = await refusal({}, options)
    const metadata = `${audience}/.well-known/oauth-protected-resource/mcp`
    expect(status).toBe(401)
    expect(challenge).toMatch(
      `Bearer scope="a b c", resource_metadata="${metadata}", DPoP scope="a b c", resource_metadata="${metadata}", algs="RS256 `,
    )
    expect(body).toEqual({ error: 'unauthorized', error_description: 'send an access token' })
  })

  it('with a wrong token is told what is wrong', async () => {
    expect(await refusal({ authorization: 'Bearer x' })).toEqual({
      status: 401,
      challenge:
        'Bearer error="invalid_token", error_description="the access token is not a signed JWT"',
      caching: 'no-store',
      body: { error: 'invalid_token', error_description: 'the access token is not a signed JWT' },
    })
  })

  it('whose token lacks a scope is told which are needed', async () => {
    const headers = { authorization: `Bearer ${await signToken()}` }
    const { status, challenge } = await refusal(headers, { scope: 'orders:delete orders:read' })
    expect(status).toBe(403)
    expect(challenge).toBe(
      'Bearer error="insufficient_scope", error_description="the access token lacks a scope", scope="orders:delete orders:read"',
    )
  })

  it('with the scheme DPoP is answered in it', async () => {
    const { status, challenge } = await refusal({ authorization: `DPoP ${await signBoundToken()}` })
    expect(status).toBe(401)
    expect(challenge).toMatch(/^DPoP error="invalid_dpop_proof", error_description="[^"]+", algs="/)
  })

  it('is asked to come again if the keys are not there', async () => {
    const { verifier } = testVerifier({ keys: () => Promise.reject(new Error('no database')) })
    const request = requestWith({ authorization: `Bearer ${await signToken()}` })
    const answer = (await admitToken(verifier, request)).refusal?.answer
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    expect(answer?.headers).not.toHaveProperty('www-authenticate')
    expect(String(answer?.body)).not.toContain('database')
  })

  it('meets the fault of a verifier, which is none of its own', async () => {
    const broken: TokenVerifier = { verifyToken: () => Promise.reject(new Error('a fault')) }
    await expect(admitToken(broken, requestWith({}))).rejects.toThrow('a fault')
  })
})

describe('the metadata of an API', () => {
  const ask = async (method: string, given = {}) => {
    const [route] = protectedResourceRoutes({
      resource,
      authorizationServers: ['https://auth.example.com'],
      scopes: ['mcp'],
      ...given,
    })
    if (route === undefined) throw new Error('there is no route')
    const request = new Request(`https://inner.example${route.path}`, { method })
    const { path } = route
    const info = { params: {}, path, mountPath: '', query: '', secure: true }
    return { path, response: toResponse(await route.answer(request, info)) }
  }

  it('name its authorization servers to pages of all origins', async () => {
    const { path, response } = await ask('GET')
    expect(path).toBe('/.well-known/oauth-protected-resource/mcp')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await response.json()).toEqual({
      resource,
      authorization_servers: ['https://auth.example.com'],
      scopes_supported: ['mcp'],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: expect.arrayContaining(['ES256', 'RS256', 'EdDSA']),
    })
    const named = await ask('GET', { name: 'Orders', documentation: 'https://docs.example/' })
    expect(await named.response.json()).toMatchObject({
      resource_name: 'Orders',
      resource_documentation: 'https://docs.example/',
    })
  })

  it('are only read', async () => {
    const head = (await ask('HEAD')).response
    expect([head.status, await head.text()]).toEqual([200, ''])
    const preflight = (await ask('OPTIONS')).response
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      '*',
    ])
    const refused = (await ask('POST')).response
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('of an API without a path are at the root', async () => {
    for (const root of ['https://api.example.com', 'https://api.example.com/']) {
      expect((await ask('GET', { resource: root })).path).toBe(
        '/.well-known/oauth-protected-resource',
      )
    }
  })

  it.each([
    'orders',
    'https://api.example.com/?x=1',
    'https://api.example.com/#x',
    'https://api.example.com/:id',
    'ftp://a.example',
  ])('are none of %s', async (odd) => {
    await expect(ask('GET', { resource: odd })).rejects.toMatchObject({ reason: 'InvalidInput' })
    const asked = admitToken(testVerifier().verifier, requestWith({}), {
      audience: odd,
      resourceMetadata: true,
    })
    await expect(asked).rejects.toThrow('the URL of the API, for resourceMetadata')
  })
})
