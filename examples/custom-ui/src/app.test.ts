import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { email, password } from './maya.fixture.ts'
import { readConfig } from './settings.ts'
import { createWorld, origin } from './world.fixture.ts'

const form = (fields: Record<string, string>): URLSearchParams => new URLSearchParams(fields)

describe('a form of another site', () => {
  it.each([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of a sibling', { origin: 'https://x.accounts.example.com', 'sec-fetch-site': 'same-site' }],
    ['without a known origin', { origin: 'null' }],
    ['that says nothing', {}],
  ])('is refused: %s', async (_, headers) => {
    const { app, signUp } = createWorld()
    const browser = await signUp()
    const cookie = browser.cookies('/account')
    for (const path of ['/account/sign-out', '/account/end-session', '/step/x']) {
      const sent = { method: 'POST', headers: { ...headers, cookie }, body: form({}) }
      const answer = await app.request(`${origin}${path}`, sent)
      expect(answer.status).toBe(403)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect((await browser.open('/account')).title).toBe(email)
  })

  it('cannot answer a step, even with its cookie', async () => {
    const { app, browse, signUp } = createWorld()
    await signUp()
    const browser = browse()
    await browser.open('/login')
    await browser.send({ login_id: email })
    const { path } = browser.page
    const cookie = browser.cookies(path)
    const body = form({ _form: '0', authentication: 'primary_password', password })
    const headers = { cookie, origin: 'https://evil.example' }
    const answer = await app.request(`${origin}${path}`, { method: 'POST', headers, body })
    expect(answer.status).toBe(403)
    await browser.send({ password })
    expect(browser.page.path).toBe('/account')
  })
})

describe('every page', () => {
  it.each(['/', '/login', '/nothing', '/reset', '/style.css', '/oauth/callback?state=x'])(
    'lets nothing foreign in or out: %s',
    async (path) => {
      const { headers } = await createWorld().browse().open(path)
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
    },
  )

  it('has no inline script or style', async () => {
    const { browse } = createWorld()
    for (const path of ['/', '/login', '/signup', '/recover', '/nothing']) {
      const { html } = await browse().open(path)
      expect(html).not.toMatch(/<style| style=| on[a-z]+=|javascript:/)
      expect(html.match(/<script/g)).toHaveLength(1)
      expect(html).toContain('<script type="module" src="/enhance.js"></script>')
    }
  })

  it('is not cached', async () => {
    const { headers } = await createWorld().browse().open('/login')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('cookies of steps are HttpOnly and SameSite', async () => {
    const { app } = createWorld()
    const answer = await app.request(`${origin}/login`)
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^step=authflowstate_\w{32}; Max-Age=1200; Path=\/step\/[\da-f-]{36}; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
  })
})

describe('a body that no form of these pages sends', () => {
  it.each([
    ['nothing', ''],
    ['no form', '{"a":1}'],
    ['broken escapes', '%E0%A4%A&=&&%'],
    ['names of JavaScript', '__proto__=1&constructor=2&index=NaN&toString=x'],
    ['an invalid index', 'identification=email&index=-1&login_id[]=x'],
    ['a problem and a notice', '_problem=x&_form=99999999999'],
    ['many fields', Array.from({ length: 2_000 }, (_, index) => `/a${index}=${index}`).join('&')],
    ['attributes that are too long', `_attributes=true&/${'x'.repeat(30_000)}=1`],
  ])('is answered on the page: %s', async (_, body) => {
    const { app, browse } = createWorld()
    const browser = browse()
    await browser.open('/login')
    const { path } = browser.page
    const headers = {
      origin,
      cookie: browser.cookies(path),
      'content-type': 'application/x-www-form-urlencoded',
    }
    const answer = await app.request(`${origin}${path}`, { method: 'POST', headers, body })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, path])
    const [notice = ''] = answer.headers.getSetCookie()
    expect(notice.length).toBeLessThan(4_096)
  })

  it.each(['x', 'a%3Bb', 'a;Domain=x', '%0d%0aSet-Cookie:x=1', '../step'])(
    'answers 404 to an invalid step id: %s',
    async (id) => {
      const { app, browse } = createWorld()
      const browser = browse()
      await browser.open('/login')
      const headers = { origin, cookie: browser.cookies(browser.page.path) }
      const path = `${origin}/step/${id}`
      const answer = await app.request(path, { method: 'POST', headers, body: form({ a: 'b' }) })
      expect(answer.status).toBe(404)
    },
  )

  it('refuses a body that is too large', async () => {
    const { app } = createWorld()
    const body = form({ login_id: 'x'.repeat(70_000) })
    const answer = await app.request(`${origin}/step/x`, {
      method: 'POST',
      headers: { origin },
      body,
    })
    expect(answer.status).toBe(413)
  })

  it.each(['_problem=__proto__ a b', '_problem', '_form=9&_problem=x%20y', '%', 'login_id=<b>'])(
    'a notice that is %s shows nothing that is not ours',
    async (notice) => {
      const { app, browse } = createWorld()
      const browser = browse()
      await browser.open('/login')
      const { path } = browser.page
      const cookie = `${browser.cookies(path)}; notice=${encodeURIComponent(notice)}`
      const answer = await app.request(`${origin}${path}`, { headers: { cookie } })
      expect(answer.status).toBe(200)
      expect(await answer.text()).not.toMatch(/<b>|undefined|NaN|\[object/)
    },
  )
})

it('a failure of the service shows an error page without details', async () => {
  const { auth, browse } = createWorld()
  const browser = browse()
  await auth.storage.close()
  const page = await browser.open('/login')
  expect(page).toMatchObject({ status: 500, title: 'This cannot be done' })
  expect(page.html).not.toMatch(/storage|closed|Error:/i)
})

it('the configuration sends the links of recoveries to these pages', () => {
  const file = fileURLToPath(new URL('../authgear.yaml', import.meta.url))
  const { http, links } = readConfig(file, origin)
  expect(http.public_origin).toBe(origin)
  expect(links.reset_password).toBe(`${origin}/reset?code={code}`)
})
