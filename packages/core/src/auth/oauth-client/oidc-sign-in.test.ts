import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { testClient } from './client.fixture.ts'
import { createOAuthClient } from './create-oauth-client.ts'
import type { OAuthClient } from './oauth-client.ts'
import type { OAuthProviderConfig } from './oauth-provider.ts'
import {
  type OidcProvider,
  type OidcProviderOptions,
  startOidcProvider,
} from './oidc-provider.fixture.ts'
import { authorizationOf, pkce, providerOf, redemptionOf } from './provider.fixture.ts'

interface Pair {
  readonly remote: OidcProvider
  readonly client: OAuthClient
  readonly provider: OAuthProviderConfig
}

async function startPair(options?: OidcProviderOptions): Promise<Pair> {
  const remote = await startOidcProvider(options)
  const { clientId, clientSecret, discoveryUrl } = remote
  const client = createOAuthClient({
    credentials: { work: { clientSecret } },
    allowPrivateAddresses: true,
  })
  const settings = { alias: 'work', client_id: clientId, discovery_document_endpoint: discoveryUrl }
  return { remote, client, provider: providerOf('oidc', settings) }
}

/** The code at the end of a sign-in. */
async function getCode({ remote, client, provider }: Pair): Promise<string> {
  const back = await remote.signIn(await client.authorizationUrl(provider, authorizationOf()))
  return back.searchParams.get('code') ?? ''
}

const mayaClaims = {
  email: 'maya@harborlight.example',
  email_verified: true,
  name: 'Maya Quill',
  given_name: 'Maya',
  family_name: 'Quill',
  locale: 'en-GB',
  picture: 'https://pictures.example/maya.png',
}

describe('a sign-in with oidc-provider', () => {
  let pair: Pair
  beforeAll(async () => {
    pair = await startPair()
  })
  afterAll(() => pair.remote.close())

  it('returns the user with the claims of the user-info endpoint', async () => {
    const { client, provider, remote } = pair
    const profile = await client.redeem(provider, redemptionOf(await getCode(pair)))
    expect(profile.subject).toBe('maya-7')
    expect(profile.claims).toEqual(mayaClaims)
    expect(profile.raw).toMatchObject({ ...mayaClaims, sub: 'maya-7', iss: remote.issuer })
  })

  it('returns few claims for a user with few', async () => {
    const { client, provider, remote } = pair
    const url = await client.authorizationUrl(provider, authorizationOf())
    const account = { sub: 'lee', email: 'lee@harborlight.example', email_verified: false }
    const back = await remote.signIn(url, account)
    const code = back.searchParams.get('code') ?? ''
    expect(await client.redeem(provider, redemptionOf(code))).toMatchObject({
      subject: 'lee',
      claims: { email: 'lee@harborlight.example', email_verified: false },
    })
  })

  it('accepts the code once', async () => {
    const { client, provider } = pair
    const code = await getCode(pair)
    await client.redeem(provider, redemptionOf(code))
    await expect(client.redeem(provider, redemptionOf(code))).rejects.toMatchObject({
      kind: 'BadRequest',
      reason: 'OAuthError',
      message: 'the identity provider refused',
      info: { error: 'invalid_grant', provider_type: 'oidc' },
    })
  })

  it('accepts the code only with the verifier of its challenge', async () => {
    const { client, provider } = pair
    const redemption = redemptionOf(await getCode(pair), { code_verifier: 'x'.repeat(43) })
    await expect(client.redeem(provider, redemption)).rejects.toMatchObject({
      reason: 'OAuthError',
      info: { error: 'invalid_grant' },
    })
  })

  it('accepts the code only for the page that sent the browser', async () => {
    const { client, provider } = pair
    const redemption = redemptionOf(await getCode(pair), { redirect_uri: 'https://evil.example/' })
    await expect(client.redeem(provider, redemption)).rejects.toMatchObject({
      reason: 'OAuthError',
      info: { error: 'invalid_grant' },
    })
  })

  it('accepts the ID token only with the requested nonce', async () => {
    const { client, provider } = pair
    const redemption = redemptionOf(await getCode(pair), { nonce: 'another nonce' })
    await expect(client.redeem(provider, redemption)).rejects.toMatchObject({
      reason: 'OAuthProtocolError',
      message: 'the ID token has the wrong "nonce"',
    })
  })

  it('is refused with a wrong secret, which does not leak', async () => {
    const code = await getCode(pair)
    const client = createOAuthClient({
      credentials: { work: { clientSecret: 'a wrong secret' } },
      allowPrivateAddresses: true,
    })
    const refused = await client.redeem(pair.provider, redemptionOf(code)).catch((error) => error)
    expect(refused).toMatchObject({ reason: 'OAuthError', info: { error: 'invalid_client' } })
    expect(JSON.stringify([refused, refused.info, refused.stack])).not.toMatch(/a wrong secret/)
  })

  it('compares the issuer in the callback, which this provider always sends', async () => {
    const { client, provider, remote } = pair
    const url = await client.authorizationUrl(provider, authorizationOf())
    const back = await remote.signIn(url)
    const code = back.searchParams.get('code') ?? ''
    const withQuery = (query: string) => client.redeem(provider, redemptionOf(code, { query }))
    const otherIssuer = {
      reason: 'OAuthProtocolError',
      message: 'the code belongs to another issuer',
    }
    await expect(withQuery(`code=${code}`)).rejects.toMatchObject(otherIssuer)
    await expect(withQuery(`code=${code}&iss=https://evil.example`)).rejects.toMatchObject(
      otherIssuer,
    )
    expect(await withQuery(back.search)).toMatchObject({ subject: 'maya-7' })
  })

  it('returns a posted form if requested', async () => {
    const { client, provider, remote } = pair
    const request = authorizationOf({ response_mode: 'form_post' })
    const back = await remote.signIn(await client.authorizationUrl(provider, request))
    const code = back.searchParams.get('code') ?? ''
    expect(await client.redeem(provider, redemptionOf(code))).toMatchObject({ subject: 'maya-7' })
  })

  it('gets the same result as openid-client', async () => {
    const { client, provider, remote } = pair
    const { clientId, clientSecret, discoveryUrl, issuer } = remote
    const oracle = await openid.discovery(
      new URL(discoveryUrl),
      clientId,
      undefined,
      openid.ClientSecretBasic(clientSecret),
      { execute: [openid.allowInsecureRequests] },
    )
    const request = authorizationOf()
    const theirs = openid.buildAuthorizationUrl(oracle, {
      redirect_uri: request.redirect_uri,
      scope: 'openid profile email',
      nonce: request.nonce,
      code_challenge: pkce.challenge,
      code_challenge_method: 'S256',
    })
    theirs.searchParams.sort()
    const ours = await client.authorizationUrl(provider, request)
    expect(ours).toBe(theirs.href)

    const back = await remote.signIn(theirs.href)
    const tokens = await openid.authorizationCodeGrant(oracle, back, {
      pkceCodeVerifier: pkce.verifier,
      expectedNonce: request.nonce,
    })
    const user = await openid.fetchUserInfo(oracle, tokens.access_token, 'maya-7')
    const { raw } = await client.redeem(provider, redemptionOf(await getCode(pair)))
    expect({ ...raw, iat: 0, exp: 0 }).toEqual({ ...tokens.claims(), ...user, iat: 0, exp: 0 })
    expect(raw.iss).toBe(issuer)
  })
})

describe('oidc-provider', () => {
  it('may want the secret in the body, and put claims into ID tokens', async () => {
    const pair = await startPair({
      clientAuthentication: 'client_secret_post',
      claimsInIdToken: true,
    })
    onTestFinished(() => pair.remote.close())
    const { client, provider } = pair
    expect(await client.redeem(provider, redemptionOf(await getCode(pair)))).toMatchObject({
      subject: 'maya-7',
      claims: mayaClaims,
    })
    // The user-info endpoint of AD FS is not used.
    const asAdfs = { ...provider, type: 'adfs' } as const
    expect(await client.redeem(asAdfs, redemptionOf(await getCode(pair)))).toMatchObject({
      subject: 'maya-7',
      claims: mayaClaims,
    })
  })

  it('may replace Google', async () => {
    const redirect_uri = 'http://127.0.0.1:4567/callback'
    const remote = await startOidcProvider({ redirectUris: [redirect_uri], claimsInIdToken: true })
    onTestFinished(() => remote.close())
    const { authorize, redeem } = testClient(
      'google',
      { client_id: remote.clientId },
      {
        credentials: { google: { clientSecret: remote.clientSecret } },
        endpoints: { google: { discovery: remote.discoveryUrl } },
      },
    )
    const back = await remote.signIn((await authorize({ redirect_uri })).href)
    const code = back.searchParams.get('code') ?? ''
    expect(await redeem({ code, redirect_uri })).toMatchObject({ claims: mayaClaims })
  })

  it('needs no interaction', async () => {
    const pair = await startPair()
    onTestFinished(() => pair.remote.close())
    const visit = await visitInteraction(pair)
    expect(visit.status).toBe(303)
    expect(visit.headers.get('location')).toMatch(`${pair.remote.issuer}/auth/`)
  })

  it('shows a page with a button if it is interactive', async () => {
    const pair = await startPair({ interactive: true })
    onTestFinished(() => pair.remote.close())
    const page = await visitInteraction(pair)
    expect(page.headers.get('content-type')).toBe('text/html')
    expect(await page.text()).toContain(
      '<form method="post"><button type="submit">Sign in</button></form>',
    )
    const pressed = await visitInteraction(pair, 'POST')
    expect(pressed.headers.get('location')).toMatch(`${pair.remote.issuer}/auth/`)
  })
})

/** The page that a browser gets at the provider. */
async function visitInteraction({ client, provider }: Pair, method = 'GET'): Promise<Response> {
  const url = await client.authorizationUrl(provider, authorizationOf())
  const { headers } = await fetch(url, { redirect: 'manual' })
  const cookie = headers.getSetCookie().map((line) => line.replace(/;.*/, ''))
  const location = new URL(headers.get('location') ?? '', url)
  return fetch(location, { method, redirect: 'manual', headers: { cookie: cookie.join('; ') } })
}
