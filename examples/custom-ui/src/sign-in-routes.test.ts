import { describe, expect, it, vi } from 'vitest'
import { createFlowClient } from './flow-client.ts'
import { createFormBrowser, type FormBrowser } from './form-browser.fixture.ts'
import { signInRoutes } from './sign-in-routes.ts'

const origin = 'https://accounts.example.com'

interface Asked {
  readonly path: string
  readonly headers: Headers
  readonly body: {
    readonly state_token?: string
    readonly input?: Readonly<Record<string, unknown>>
  }
}

type Answer = (asked: Asked) => object

/** The pages in front of a service whose answers the test chooses: any service with this protocol will do. */
function inFrontOf(
  answer: Answer,
  headers: Readonly<Record<string, string>> = {},
): {
  readonly browser: FormBrowser
  readonly asked: readonly Asked[]
  fetch(path: string, init?: RequestInit): Promise<Response>
} {
  const asked: Asked[] = []
  const flows = createFlowClient((path, init) => {
    const one = { path, headers: init.headers, body: JSON.parse(init.body) as Asked['body'] }
    asked.push(one)
    return Response.json(answer(one), { headers })
  })
  const app = signInRoutes({ flows, origin, now: () => 0 })
  return {
    asked,
    browser: createFormBrowser((request) => app.request(request), origin),
    fetch: async (path, init) => app.request(`${origin}${path}`, init),
  }
}

const state = (token: string, action: object, type = 'login'): object => ({
  result: { state_token: token, type, name: 'default', action },
})
const identify = state('S1', {
  type: 'identify',
  data: {
    type: 'identification_data',
    options: [
      { identification: 'oauth', oauth_provider_type: 'google', oauth_provider_alias: 'g1' },
    ],
  },
})
const atProvider = state('S2', {
  type: 'identify',
  identification: 'oauth',
  data: {
    type: 'oauth_data',
    oauth_provider_type: 'google',
    oauth_authorization_url: 'https://id.example/authorize?client_id=c&scope=openid+email',
  },
})
const finished = (data: object = {}): object => state('S9', { type: 'finished', data })

describe('the service', () => {
  it('gets the cookies, user agent and address of the browser, and its cookies come back', async () => {
    const { asked, fetch } = inFrontOf(() => identify, { 'set-cookie': 'session=1; Path=/' })
    const headers = {
      cookie: 'session=0; a=b',
      'user-agent': 'Netscape',
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-proto': 'https',
      'x-other': 'not passed on',
    }
    const answer = await fetch('/login?client_id=web&x_ref=r', { headers })
    expect(asked[0]?.path).toBe('/api/v1/authentication_flows?client_id=web&x_ref=r')
    expect(asked[0]?.body).toEqual({ type: 'login', name: 'default' })
    const { 'x-other': _, ...passedOn } = headers
    expect(Object.fromEntries(asked[0]?.headers ?? [])).toEqual({
      ...passedOn,
      'content-type': 'application/json',
    })
    expect(answer.headers.getSetCookie()).toContain('session=1; Path=/')
  })

  it('may finish a flow with an address, to which a page leads the browser', async () => {
    const uri = 'https://auth.example.com/oauth2/continue?code=5XQ&iss=a'
    const { browser } = inFrontOf(({ path }) =>
      path.endsWith('/input') ? finished({ finish_redirect_uri: uri }) : identify,
    )
    await browser.open('/login')
    await browser.send({})
    expect(browser.page.status).toBe(200)
    expect(browser.page.html).toContain(
      '<meta http-equiv="refresh" content="0; url=https://auth.example.com/oauth2/continue?code=5XQ&amp;iss=a">',
    )
  })

  it('fails with an invalid answer', async () => {
    const { fetch } = inFrontOf(() => ({}))
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect((await fetch('/login')).status).toBe(500)
    expect(log).toHaveBeenCalledOnce()
    log.mockRestore()
  })
})

describe('an identity provider', () => {
  const service: Answer = ({ path, body }) => {
    if (path.endsWith('/states')) return body.state_token === 'S1' ? identify : atProvider
    if (!path.endsWith('/input')) return identify
    if (body.state_token === 'S1') return atProvider
    return String(body.input?.query).includes('error=')
      ? {
          error: { reason: 'OAuthError', message: '', code: 400, info: { error: 'access_denied' } },
        }
      : finished()
  }

  /** Goes as far as the page that leads to the provider, and returns the provider's address. */
  async function leave(browser: FormBrowser): Promise<URL> {
    await browser.open('/login')
    await browser.send({}, 'Continue with Google')
    const [, onward = ''] = /content="0; url=([^"]+)"/.exec(browser.page.html) ?? []
    return new URL(onward.replaceAll('&amp;', '&'))
  }

  it('gets our own state and our callback address', async () => {
    const { asked, browser } = inFrontOf(service)
    const onward = await leave(browser)
    expect(asked.find(({ body }) => body.input !== undefined)?.body.input).toEqual({
      identification: 'oauth',
      alias: 'g1',
      redirect_uri: `${origin}/oauth/callback`,
    })
    expect(onward.origin).toBe('https://id.example')
    expect(onward.searchParams.get('scope')).toBe('openid email')
    expect(onward.searchParams.get('state')).toMatch(/^[\da-f-]{36}$/)
    expect(browser.page.html).toMatch(
      /<a href="https:\/\/id.example\/authorize\?[^"]+">Go to Google<\/a>/,
    )
  })

  it('answers the step that the browser left', async () => {
    const { asked, browser } = inFrontOf(service)
    const sent = (await leave(browser)).searchParams.get('state')
    const query = `?code=4%2F0Ab&state=${sent}`
    await browser.open(`/oauth/callback${query}`)
    expect(asked.at(-1)?.body).toEqual({ state_token: 'S2', input: { query } })
    expect(browser.page.path).toBe('/account')
    const calls = asked.length
    expect((await browser.open(`/oauth/callback${query}`)).status).toBe(404)
    expect(asked).toHaveLength(calls)
  })

  it('reports a refusal, and does not go to the provider again by itself', async () => {
    const { browser } = inFrontOf(service)
    const sent = (await leave(browser)).searchParams.get('state')
    await browser.open(`/oauth/callback?error=access_denied&state=${sent}`)
    expect(browser.page.title).toBe('Continue with Google')
    expect(browser.page.problems).toEqual([
      'The provider did not tell us who you are. Try again, or choose another way.',
    ])
    expect(browser.page.html).not.toContain('http-equiv="refresh"')
  })

  it.each(['', 'x', 'state', '%00', crypto.randomUUID()])(
    'a way back with the state %j, which is not ours, is not followed',
    async (foreign) => {
      const { asked, browser } = inFrontOf(service)
      await leave(browser)
      const calls = asked.length
      const page = await browser.open(`/oauth/callback?code=stolen&state=${foreign}`)
      expect(page).toMatchObject({ status: 404, title: 'This page has expired' })
      expect(asked).toHaveLength(calls)
    },
  )

  it('refuses a callback with the state of another browser', async () => {
    const { browser, fetch } = inFrontOf(service)
    const sent = (await leave(browser)).searchParams.get('state')
    expect((await fetch(`/oauth/callback?code=c&state=${sent}`)).status).toBe(404)
  })
})
