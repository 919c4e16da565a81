import { fetchHandler } from '@gatehouse/core'
import { toResponse } from '@gatehouse/core/adapter'
import {
  admitToken,
  createTokenVerifier,
  disableUser,
  type TokenVerifier,
} from '@gatehouse/core/auth'
import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import { authorize, clients, origin, startWorld, type World } from './world.fixture.ts'

const api = 'https://api.example.com'
const resources = [{ identifier: api, scopes: ['orders:read', 'orders:write'] }]

const start = (): Promise<World> =>
  startWorld({
    oidc: {
      resources,
      clients: [
        { ...clients.web, resources: [api] },
        { ...clients.service, resources: [api] },
      ],
    },
  })

/** The access token that a machine gets for the API. */
async function machineToken(world: World, options?: client.DPoPOptions): Promise<string> {
  const configuration = await world.configuration('service')
  const parameters = { resource: api, scope: 'orders:read' }
  const tokens = await client.clientCredentialsGrant(configuration, parameters, options)
  return tokens.access_token
}

/** The access token that an app gets for the API on behalf of the user. */
async function userToken(world: World): Promise<string> {
  const configuration = await world.configuration('web')
  const begun = await authorize(configuration, { scope: 'openid orders:read', resource: api })
  const browser = world.browser()
  const back = await browser.signIn(await browser.open(begun.url))
  const tokens = await client.authorizationCodeGrant(
    configuration,
    back.url,
    { pkceCodeVerifier: begun.verifier, expectedState: begun.state, idTokenExpected: true },
    { resource: api },
  )
  expect(tokens.id_token).toBeDefined()
  // An ID token says who has signed in, and opens no API.
  const check = { token: tokens.id_token, audience: [api, 'web'] }
  await expect(world.oidc.verifyToken(check)).rejects.toMatchObject({ reason: 'InvalidToken' })
  return tokens.access_token
}

/** Another program, which knows only the address of the server. */
const remote = ({ fetch }: World): TokenVerifier =>
  createTokenVerifier({
    issuer: origin,
    audience: api,
    allowPrivateAddresses: true,
    fetch: (url, init) => fetch(url, { method: init.method, headers: init.headers }),
  })

describe('the access tokens of the server', () => {
  it('are verified in the same process and in others, for a user and for a machine', async () => {
    const world = await start()
    const [ofUser, ofMachine] = [await userToken(world), await machineToken(world)]
    for (const verifier of [world.oidc, remote(world)]) {
      const check = { audience: api, scope: 'orders:read' }
      expect(await verifier.verifyToken({ ...check, token: ofUser })).toMatchObject({
        iss: origin,
        sub: world.userId,
        aud: api,
        client_id: 'web',
      })
      expect(await verifier.verifyToken({ ...check, token: ofMachine })).toMatchObject({
        sub: 'service',
        client_id: 'service',
      })
      await expect(
        verifier.verifyToken({ token: ofUser, audience: api, scope: 'orders:write' }),
      ).rejects.toMatchObject({ reason: 'InsufficientScope' })
      await expect(
        verifier.verifyToken({ token: ofUser, audience: 'https://other.example' }),
      ).rejects.toMatchObject({ reason: 'InvalidToken' })
    }
    await expect(world.oidc.verifyToken({ token: ofUser })).rejects.toMatchObject({
      info: { path: 'check.audience' },
    })
  })

  it('end at once here when their user is disabled or all keys are replaced', async () => {
    const world = await start()
    const token = await userToken(world)
    const machine = await machineToken(world)
    await disableUser(world.auth, world.userId)
    const check = { audience: api }
    await expect(world.oidc.verifyToken({ ...check, token })).rejects.toThrow('was revoked')
    await world.oidc.verifyToken({ ...check, token: machine })
    await world.oidc.rotateKeys({ revoke: true })
    await expect(world.oidc.verifyToken({ ...check, token: machine })).rejects.toMatchObject({
      reason: 'InvalidToken',
    })
    const next = await machineToken(world)
    expect(await world.oidc.verifyToken({ ...check, token: next })).toMatchObject({
      sub: 'service',
    })
    expect(await remote(world).verifyToken({ token: next })).toMatchObject({ sub: 'service' })
  })

  it('are bound to a key, whose proofs count once', async () => {
    const world = await start()
    const configuration = await world.configuration('service')
    const pair = await client.randomDPoPKeyPair('ES256')
    const DPoP = client.getDPoPHandle(configuration, pair)
    const token = await machineToken(world, { DPoP })
    const sent: Request[] = []
    const handle = fetchHandler([
      {
        method: 'GET',
        path: '/orders',
        async answer({ method, url, headers }) {
          const request = { method, url, headers }
          const { refusal } = await admitToken(world.oidc, request, { audience: api })
          return refusal?.answer ?? { status: 204, headers: {}, body: null, byteLength: 0 }
        },
      },
    ])
    configuration[client.customFetch] = (url, init) => {
      const request = new Request(url, init as RequestInit)
      sent.push(request.clone())
      return handle(request)
    }
    const url = new URL(`${api}/orders?page=2`)
    const options = { DPoP }
    const headers = new Headers()
    const answer = await client.fetchProtectedResource(
      configuration,
      token,
      url,
      'GET',
      null,
      headers,
      options,
    )
    expect(answer.status).toBe(204)
    const [request] = sent
    if (request === undefined) throw new Error('nothing was sent')
    const again = await handle(request)
    expect([again.status, again.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('DPoP error="invalid_dpop_proof"'),
    ])
    const { refusal } = await admitToken(
      world.oidc,
      { method: 'GET', url: url.href, headers: new Headers({ authorization: `Bearer ${token}` }) },
      { audience: api },
    )
    expect(refusal && toResponse(refusal.answer).status).toBe(401)
  })
})
