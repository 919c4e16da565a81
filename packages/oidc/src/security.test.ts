import { createSession, startAuth } from '@gatehouse/core'
import * as client from 'openid-client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  authorize,
  type Browser,
  callback,
  clients,
  origin,
  startWorld,
  type Visit,
  type World,
} from '../test/world.fixture.ts'

const everything = {
  clients: Object.values(clients),
  deviceFlow: true,
  registration: 'open',
} as const

const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Posts a form as a program does. */
const post = (
  world: World,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) =>
  world.fetch(`${origin}/oidc/${path}`, {
    method: 'POST',
    headers: { ...form, ...headers },
    body: String(new URLSearchParams(fields)),
  })

/** An authorization request by the session of the person, for the app that is not asked about. */
async function begin(
  world: World,
  clientId: string,
  parameters: Readonly<Record<string, string>> = {},
) {
  const browser = world.browser()
  browser.keep((await createSession(world.auth, world.userId, { amr: ['pwd'] })).cookies)
  const configuration = await world.configuration(clientId)
  const { url, verifier, state } = await authorize(configuration, parameters)
  const page = await browser.open(url)
  return { browser, configuration, page, url, verifier, state }
}

const codeOf = ({ url }: Visit): string =>
  url.searchParams.get('code') ?? expect.fail(`no code: ${url}`)

/** The pages that a person can come to. */
async function pagesOf(world: World, browser: Browser): Promise<Readonly<Record<string, Visit>>> {
  const configuration = await world.configuration('asking')
  const { url } = await authorize(configuration)
  const broken = await authorize(configuration, { redirect_uri: 'https://evil.example/' })
  const shown = await client.initiateDeviceAuthorization(await world.configuration('native'), {
    scope: 'openid',
  })
  const entry = await browser.open('/oidc/device')
  return {
    consent: await browser.open(url),
    error: await browser.open(broken.url),
    expired: await browser.open('/oidc/interaction/none'),
    device: entry,
    compare: await browser.send(entry, { user_code: shown.user_code }),
    logout: await browser.open('/oidc/logout'),
    done: await browser.open('/oidc/logout/success'),
  }
}

describe('the answer to an authorization request', () => {
  it('names its issuer, with a code and with an error', async () => {
    const world = await startWorld()
    const { page } = await begin(world, 'web')
    expect([codeOf(page) !== '', page.url.searchParams.get('iss')]).toEqual([true, origin])
    const refused = await begin(world, 'web', { scope: 'openid', prompt: 'none', max_age: '0' })
    expect(refused.page.url.searchParams.get('error')).toBe('login_required')
    expect(refused.page.url.searchParams.get('iss')).toBe(origin)
  })

  it('goes back by 303, so that no form is sent again to the app', async () => {
    const world = await startWorld({ oidc: everything })
    const { page, browser } = await begin(world, 'asking')
    expect(page.text).toContain('Weather Notes')
    const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(page.text) ?? []
    const [, proof = ''] = /name="proof" value="([^"]*)"/.exec(page.text) ?? []
    const fields = { proof, decision: 'allow' }
    const answer = await world.fetch(new URL(action, origin).href, {
      method: 'POST',
      headers: { ...form, cookie: browser.cookies(action) },
      body: String(new URLSearchParams(fields)),
    })
    expect(answer.status).toBe(303)
    const resumed = await world.fetch(answer.headers.get('location') ?? '', {
      headers: { cookie: browser.cookies(new URL(answer.headers.get('location') ?? '').pathname) },
    })
    expect([resumed.status, resumed.headers.get('location')?.split('?')[0]]).toEqual([
      303,
      callback,
    ])
  })

  it.each(['web_message', 'jwt', '__proto__'])('is not given by response_mode=%s', async (mode) => {
    const world = await startWorld()
    const { page } = await begin(world, 'web', { response_mode: mode })
    expect(page.url.href).not.toMatch(/[?#&]code=/)
    expect(page.text).not.toContain('code=')
  })

  it.each([
    `${callback}/`,
    `${callback}?`,
    `${callback}#`,
    `${callback}%2F..`,
    `${callback}/../callback`,
    callback.toUpperCase(),
    callback.replace('https', 'http'),
    callback.replace('app.', 'app.example.com@evil.'),
    callback.replace('.com', '.com:443'),
    callback.replace('.com', '.com.'),
    ` ${callback}`,
    `${callback}\0`,
    'javascript:alert(1)//https://app.example.com/callback',
    '//app.example.com/callback',
  ])('is never sent to %j, which was not registered', async (redirect_uri) => {
    const world = await startWorld()
    const { page } = await begin(world, 'web', { redirect_uri })
    expect([page.url.origin, page.status]).toEqual([origin, 400])
  })
})

describe('a stolen code', () => {
  it('is worth nothing to another client, at another address, and without its verifier', async () => {
    const world = await startWorld()
    const secret = clients.asking.clientSecret
    const { page, verifier } = await begin(world, 'spa')
    const right = {
      grant_type: 'authorization_code',
      code: codeOf(page),
      redirect_uri: callback,
      code_verifier: verifier,
      client_id: 'spa',
    }
    for (const wrong of [
      { client_id: 'asking', client_secret: secret },
      { redirect_uri: 'https://app.example.com/other' },
      { redirect_uri: '' },
      { code_verifier: '' },
      { code_verifier: `${verifier}_` },
      { code_verifier: verifier.toUpperCase() },
    ]) {
      const answer = await post(world, 'token', { ...right, ...wrong })
      const { error } = (await answer.json()) as { error: string }
      expect([answer.status, error]).toEqual([
        400,
        expect.stringMatching(/^invalid_(?:grant|request)$/),
      ])
    }
    expect((await post(world, 'token', right)).status).toBe(200)
  })

  it('put into the session of another browser does not fit its verifier', async () => {
    const world = await startWorld()
    const stolen = await begin(world, 'web')
    const own = await begin(world, 'web')
    const answer = client.authorizationCodeGrant(own.configuration, stolen.page.url, {
      pkceCodeVerifier: own.verifier,
      expectedState: stolen.state,
    })
    await expect(answer).rejects.toMatchObject({ error: 'invalid_grant' })
  })
})

describe('a token', () => {
  it('in the address opens nothing', async () => {
    const world = await startWorld()
    const { page, configuration, verifier, state } = await begin(world, 'web')
    const tokens = await client.authorizationCodeGrant(configuration, page.url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    const { access_token: token } = tokens
    const url = `${origin}/oidc/userinfo`
    const headers = { authorization: `Bearer ${token}` }
    expect((await world.fetch(url, { headers })).status).toBe(200)
    expect((await world.fetch(`${url}?access_token=${token}`)).status).toBe(400)
  })

  it('is not given for a password, nor in other ways that were not asked for', async () => {
    const world = await startWorld()
    for (const grant_type of ['password', 'implicit', 'client_credentials', '__proto__']) {
      const fields = { grant_type, client_id: 'spa', username: 'maya', password: 'x' }
      const answer = await post(world, 'token', fields)
      const { error } = (await answer.json()) as { error: string }
      expect([answer.status, error]).toEqual([
        400,
        expect.stringMatching(/^(?:unsupported_grant_type|unauthorized_client|invalid_request)$/),
      ])
    }
  })

  it('is refused to a client that must prove a key and does not', async () => {
    const bound = { ...clients.spa, requireDpop: true }
    const world = await startWorld({ oidc: { clients: [bound] } })
    const { page, configuration, verifier, state } = await begin(world, 'spa')
    const redeem = (options: { readonly DPoP?: client.DPoPHandle }) =>
      client.authorizationCodeGrant(
        configuration,
        page.url,
        { pkceCodeVerifier: verifier, expectedState: state },
        {},
        options,
      )
    await expect(redeem({})).rejects.toMatchObject({ error: 'invalid_grant' })
    const DPoP = client.getDPoPHandle(configuration, await client.randomDPoPKeyPair('ES256'))
    expect(await redeem({ DPoP })).toMatchObject({ token_type: 'dpop' })
  })

  it('of a machine is of the machine: it is nobody at userinfo, and no client can choose its id', async () => {
    const world = await startWorld({ oidc: everything })
    const configuration = await world.configuration('service')
    const { access_token: token } = await client.clientCredentialsGrant(configuration)
    const headers = { authorization: `Bearer ${token}` }
    expect((await world.fetch(`${origin}/oidc/userinfo`, { headers })).status).toBe(401)
    const registered = await world.fetch(`${origin}/oidc/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: world.userId, redirect_uris: [callback] }),
    })
    const { client_id: id } = (await registered.json()) as { client_id: string }
    expect([registered.status, id !== world.userId]).toEqual([201, true])
  })
})

describe('the pages', () => {
  it('cannot be framed, send no address to other sites, and are not kept', async () => {
    const world = await startWorld({ oidc: everything })
    const { browser } = await begin(world, 'web')
    const pages = await pagesOf(world, browser)
    for (const [name, { headers, text }] of Object.entries(pages)) {
      expect([name, text.includes('<h1')]).toEqual([name, true])
      expect({
        name,
        frame: headers.get('x-frame-options'),
        referrer: headers.get('referrer-policy'),
        cache: headers.get('cache-control'),
        type: headers.get('x-content-type-options'),
      }).toEqual({
        name,
        frame: 'DENY',
        referrer: 'no-referrer',
        cache: expect.stringContaining('no-store'),
        type: 'nosniff',
      })
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe-inline')
      expect(text).not.toContain('<script')
    }
  })

  it('for a device take only the form of their session', async () => {
    const world = await startWorld({ oidc: everything })
    const { browser } = await begin(world, 'web')
    const configuration = await world.configuration('native')
    const shown = await client.initiateDeviceAuthorization(configuration, { scope: 'openid' })
    const entry = await browser.open('/oidc/device')
    const forged = await browser.send(entry, { user_code: shown.user_code, xsrf: 'forged' })
    expect([forged.status, forged.text.includes('Command line')]).toEqual([400, false])
    const other = await begin(world, 'web')
    const foreign = await other.browser.send(entry, { user_code: shown.user_code })
    expect([foreign.status, foreign.text.includes('Command line')]).toEqual([400, false])
  })
})

describe('headers of a proxy that a client made up', () => {
  it('change no address of the server', async () => {
    const world = await startWorld()
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      'x-forwarded-prefix': '/evil',
      'x-original-url': '/evil',
      'x-rewrite-url': '/evil',
      forwarded: 'host=evil.example;proto=http',
    }
    const description = await world.fetch(`${origin}/.well-known/openid-configuration`, { headers })
    expect(await description.text()).not.toContain('evil')
    const { url } = await authorize(await world.configuration('web'))
    const answer = await world.fetch(url.href, { headers })
    expect(answer.headers.get('location')).toMatch(/^(?:https:\/\/id\.example\.com)?\/oidc\//)
    for (const cookie of answer.headers.getSetCookie()) {
      expect(cookie).toMatch(/; secure/i)
      expect(cookie).toMatch(/; httponly/i)
    }
  })
})

describe('the secrets of a run', () => {
  it('are in no line of the log, no metric and no error', async () => {
    const password = 'tidal-lantern-42'
    const api = 'https://api.example.com'
    const world = await startWorld({
      oidc: {
        ...everything,
        resources: [{ identifier: api, scopes: ['read'] }],
        clients: everything.clients.map((one) => ({ ...one, resources: [api] })),
      },
    })
    const running = startAuth(world.auth)
    onTestFinished(() => running.stop())
    const printed: string[] = []
    for (const stream of [process.stdout, process.stderr]) {
      const spy = vi.spyOn(stream, 'write').mockImplementation((chunk) => {
        printed.push(String(chunk))
        return true
      })
      onTestFinished(() => spy.mockRestore())
    }
    const secrets = new Set<string>([password, clients.web.clientSecret])
    const failures: string[] = []
    const refuse = async (path: string, fields: Readonly<Record<string, string>>) => {
      const answer = await post(world, path, fields)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      failures.push(await answer.text(), JSON.stringify([...answer.headers]))
    }
    for (const [id, secret] of [
      ['spa', undefined],
      ['web', clients.web.clientSecret],
    ] as const) {
      const { page, browser, verifier, configuration, state } = await begin(world, id, {
        scope: 'openid email offline_access read',
        resource: api,
      })
      const code = codeOf(page)
      const tokens = await client.authorizationCodeGrant(
        configuration,
        page.url,
        { pkceCodeVerifier: verifier, expectedState: state },
        { resource: api },
      )
      const { access_token, refresh_token = '', id_token = '' } = tokens
      const cookies = browser.cookies('/oidc/authorize').split('; ')
      const values = cookies.flatMap((one) => one.slice(one.indexOf('=') + 1))
      for (const one of [code, verifier, access_token, refresh_token, id_token, ...values]) {
        if (one.length > 12) secrets.add(one)
      }
      const as = { client_id: id, ...(secret === undefined ? {} : { client_secret: secret }) }
      const redeem = { grant_type: 'authorization_code', code, redirect_uri: callback }
      await refuse('token', { ...as, ...redeem, code_verifier: verifier })
      await refuse('token', { ...as, grant_type: 'refresh_token', refresh_token })
      await refuse('token', { ...as, grant_type: access_token, code: id_token })
      await refuse('token', { client_id: 'web', client_secret: `${refresh_token}`, ...redeem })
      await refuse('par', { ...as, request_uri: code, redirect_uri: `${callback}?${code}` })
      await refuse('introspect', { client_id: id_token, token: refresh_token })
      await refuse('userinfo', { access_token: `${access_token}x` })
    }
    const registered = await world.fetch(`${origin}/oidc/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [callback] }),
    })
    const { client_secret: made = '' } = (await registered.json()) as { client_secret?: string }
    secrets.add(made)
    const told = [
      JSON.stringify(world.logged),
      (await world.auth.metrics.expose(null)).body,
      failures.join('\n'),
      printed.join('\n'),
    ]
    expect([secrets.size > 12, [...secrets].includes('')]).toEqual([true, false])
    for (const secret of secrets) {
      for (const text of told) expect(text.includes(secret), secret).toBe(false)
    }
  })
})
