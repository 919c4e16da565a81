import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import { authorize, callback, email, startWorld } from './world.fixture.ts'

describe('the authorization code flow', () => {
  it('signs a person in through a flow, and gives the app an ID token and the claims', async () => {
    const world = await startWorld()
    const configuration = await world.configuration('web')
    const { url, verifier, state } = await authorize(configuration)
    const browser = world.browser()
    const page = await browser.open(url)
    expect(page.url.pathname).toBe('/login')
    expect(page.url.searchParams.get('client_id')).toBe('web')
    const back = await browser.signIn(page)
    expect(back.url.href.split('?')[0]).toBe(callback)
    const tokens = await client.authorizationCodeGrant(configuration, back.url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      idTokenExpected: true,
    })
    expect(tokens.claims()).toMatchObject({ sub: world.userId, acr: 'aal1', amr: ['pwd'] })
    const claims = await client.fetchUserInfo(configuration, tokens.access_token, world.userId)
    expect(claims).toEqual({ sub: world.userId, email, email_verified: true })
    expect(world.logged).toEqual([])
  })
})
