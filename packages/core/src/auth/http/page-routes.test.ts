import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import type { AuthOptions } from '../auth-options.ts'
import { wordsIn } from '../messages/words/languages.ts'
import { createUser } from '../people/create-user.ts'
import { type ConfigDelta, type TestAuth, testAuth } from '../service.fixture.ts'
import {
  createRouteClient,
  flowsPath,
  type RouteClient,
  type SentRequest,
} from './routes.fixture.ts'

const lena = 'lena.ortiz@harborlight.example'
const byLink = { verification: { claims: { email: { otp_form: 'link' } } } }

interface World extends TestAuth, RouteClient {
  /** The path and query of the link in the newest message. */
  link(): string
}

function createWorld(delta: ConfigDelta = byLink, options: Partial<AuthOptions> = {}): World {
  const world = testAuth(delta, options)
  const link = (): string => {
    const { pathname, search } = new URL(world.outbox.messages.at(-1)?.link ?? '')
    return pathname + search
  }
  return { ...world, ...createRouteClient(world.auth), link }
}

/** Starts a sign-up that waits for its link. Returns the token of its state. */
async function beginSignup({ post }: World, request: SentRequest = {}): Promise<string> {
  const input = { identification: 'email', login_id: lena }
  const { body } = await post(flowsPath, { type: 'signup', name: 'default', input }, request)
  return body.result?.state_token ?? ''
}

async function canCheck({ post }: World, token: string): Promise<unknown> {
  const { body } = await post(`${flowsPath}/states`, { state_token: token })
  return body.result?.action.data.can_check
}

describe('the page of a link', () => {
  it('changes nothing when opened, any number of times', async () => {
    const world = createWorld()
    const token = await beginSignup(world)
    for (let times = 0; times < 20; times++) {
      const page = await world.send(world.link())
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining('<form method="post">'),
      ])
      const head = await world.send(world.link(), { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
    }
    expect(await canCheck(world, token)).toBe(false)
    expect((await world.send(world.link(), { method: 'POST' })).status).toBe(200)
    expect(await canCheck(world, token)).toBe(true)
  })

  it.each([
    [undefined, '198.51.100.7'],
    ['SG', '198.51.100.7 (Singapore)'],
    ['<b>', '198.51.100.7 (&lt;b&gt;)'],
  ])(
    'names the browser, the place and the time of the flow, with the country %j',
    async (code, place) => {
      const world = createWorld(byLink, code === undefined ? {} : { geoIp: () => code })
      const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' }
      await beginSignup(world, { headers, address: '198.51.100.7' })
      const html = await (await world.send(world.link())).text()
      expect(html).toContain(
        `Browser: Firefox on Linux. Place: ${place}. Time: 4 March 2026 at 10:00 UTC.`,
      )
    },
  )

  it('shows nothing of a user agent but text', async () => {
    const world = createWorld()
    await beginSignup(world, { headers: { 'user-agent': '<script>alert(1)</script>' } })
    const html = await (await world.send(world.link())).text()
    expect(html).toContain('&lt;script&gt;')
    expect(html).not.toContain('<script>')
  })

  it('reports that a newer link was sent in its place', async () => {
    const world = createWorld()
    const token = await beginSignup(world)
    const first = world.link()
    world.clock.advance(61_000)
    const input = { resend: true }
    await world.post(`${flowsPath}/states/input`, { state_token: token, input })
    for (const method of ['GET', 'POST']) {
      const replaced = await world.send(first, { method })
      expect([replaced.status, await replaced.text()]).toEqual([
        403,
        expect.stringContaining('A newer link was sent in its place'),
      ])
    }
    expect(await canCheck(world, token)).toBe(false)
  })

  it('has no scripts, cannot be framed or indexed, and sends no referrer', async () => {
    const world = createWorld()
    await beginSignup(world)
    const page = await world.send(world.link())
    const html = await page.text()
    const { headers } = page
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(html) ?? []
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
    expect(policy).toContain(`'sha256-${Buffer.from(digest).toString('base64')}'`)
    expect(html).toContain('<html lang="en" dir="ltr">')
    expect(html).toContain('prefers-color-scheme: dark')
    expect(html).not.toMatch(/<script|javascript:| on\w+=|https?:\/\//)
  })

  it.each<Readonly<Record<string, string>>>([
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://app.example.com', 'sec-fetch-site': 'same-site' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'http://auth.example.com.evil.example' },
  ])('refuses the button on a page of another site: %j', async (headers) => {
    const world = createWorld()
    const token = await beginSignup(world)
    const refused = await world.send(world.link(), { method: 'POST', headers })
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('A page of another site'),
    ])
    expect(await canCheck(world, token)).toBe(false)
  })

  it.each<Readonly<Record<string, string>>>([
    { origin: 'https://auth.example.com' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    { origin: 'null' },
    {},
  ])('accepts the button on its own page: %j', async (headers) => {
    const world = createWorld()
    const token = await beginSignup(world)
    expect((await world.send(world.link(), { method: 'POST', headers })).status).toBe(200)
    expect(await canCheck(world, token)).toBe(true)
  })

  it('approves by its button, once and for its purpose only', async () => {
    const world = createWorld()
    const token = await beginSignup(world)
    const approved = await world.send(world.link(), { method: 'POST' })
    expect(await approved.text()).toContain('You can close this page')
    expect(approved.headers.getSetCookie()).toEqual([])
    expect((await world.send(world.link())).status).toBe(200)
    const input = { check: true }
    await world.post(`${flowsPath}/states/input`, { state_token: token, input })
    for (const method of ['GET', 'POST']) {
      const dead = await world.send(world.link(), { method })
      expect([dead.status, await dead.text()]).toEqual([
        403,
        expect.stringContaining('no longer valid'),
      ])
    }
  })

  it.each(['', '?code=', '?code=x', `?code=${'0'.repeat(32)}`, '?code=%3Cscript%3E', '?code=%zz'])(
    'reports that the link with %j is invalid',
    async (query) => {
      const { send } = createWorld()
      for (const path of ['/authflow/v2/verify_login_link', '/authflow/v2/reset_password']) {
        const page = await send(path + query)
        const isRecovery = path.endsWith('reset_password')
        expect(page.status).toBe(isRecovery ? 400 : 403)
        expect(await page.text()).not.toContain('<script>')
      }
      expect(
        (await send(`/authflow/v2/verify_login_link${query}`, { method: 'POST' })).status,
      ).toBe(403)
    },
  )

  it('has a JSON endpoint to approve, for hosts with their own page', async () => {
    const world = createWorld()
    const token = await beginSignup(world)
    const path = `${flowsPath}/links/approve`
    expect(await world.post(path, { code: 'x' })).toMatchObject({
      status: 403,
      body: { error: { reason: 'InvalidOTPCode', info: { cause: { kind: 'CodeNotFound' } } } },
    })
    const code = ` ${world.codeTo(lena)} `
    const approved = await world.post(path, { code })
    expect([approved.status, approved.body]).toEqual([200, { result: { approved: true } }])
    expect(await canCheck(world, token)).toBe(true)
  })
})

describe('the page of a recovery link', () => {
  async function beginRecovery(delta: ConfigDelta = {}): Promise<World> {
    const world = createWorld(delta)
    await createUser(world.auth, { email: lena, password: 'tidal-lantern-42' })
    const batch = [{ identification: 'email', login_id: lena }, { index: 0 }]
    await world.post(flowsPath, { type: 'account_recovery', name: 'default', batch_input: batch })
    await Promise.all(world.auth.sending)
    return world
  }

  it('shows the code without using it up', async () => {
    const world = await beginRecovery()
    const code = world.codeTo(lena)
    for (let times = 0; times < 3; times++) {
      const page = await world.send(world.link())
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining(`<code>${code}</code>`),
      ])
    }
    const input = { account_recovery_code: code }
    const { body } = await world.post(`${flowsPath}/states/input`, { input })
    expect(body.result?.action.type).toBe('reset_password')
  })

  it('accepts no link for signing in, nor the other way round', async () => {
    const world = await beginRecovery()
    const code = world.codeTo(lena)
    expect((await world.send(`/authflow/v2/verify_login_link?code=${code}`)).status).toBe(403)
    const other = createWorld()
    await beginSignup(other)
    const page = await other.send(`/authflow/v2/reset_password?code=${other.codeTo(lena)}`)
    expect(page.status).toBe(400)
  })

  it('redirects to the page of the host, if there is one', async () => {
    const links = { reset_password: 'https://app.example/reset?code={code}&lang=en' }
    const world = await beginRecovery({ links })
    const code = world.codeTo(lena)
    for (const method of ['GET', 'HEAD']) {
      const page = await world.send(`/authflow/v2/reset_password?code=${code}`, { method })
      expect(page.status).toBe(302)
      expect(page.headers.get('location')).toBe(`https://app.example/reset?code=${code}&lang=en`)
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    }
    const elsewhere = await world.send(
      '/authflow/v2/reset_password?code=https%3A%2F%2Fevil.example',
    )
    expect(elsewhere.status).toBe(400)
  })
})

describe('the language and the look of a page', () => {
  it.each([
    ['&ui_locales=ar', 'de', '<html lang="ar" dir="rtl">', 'نعم، تأكيد'],
    ['', 'it, ja;q=0.5', '<html lang="ja" dir="ltr">', 'はい、確認します'],
    ['&ui_locales=it', 'de-CH', '<html lang="de" dir="ltr">', 'Browser: Firefox unter Linux. Ort:'],
    ['', 'it', '<html lang="fr" dir="ltr">', 'Oui, confirmer'],
  ])('are those that "%s" and "%s" ask for', async (asked, accepted, ...parts) => {
    const world = createWorld({ ...byLink, localization: { fallback_language: 'fr' } })
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0'
    await beginSignup(world, { headers: { 'user-agent': agent } })
    const headers = { 'accept-language': accepted }
    const page = await world.send(`${world.link()}${asked}`, { headers })
    const html = await page.text()
    for (const part of parts) expect(html).toContain(part)
    expect(page.headers.get('vary')).toContain('Accept-Language')
  })

  it('are those of the app, whose logo alone may be loaded', async () => {
    const styles = ':root { --gh-accent: #0b57d0; }'
    const world = createWorld(byLink, {
      brand: { name: 'Harbor & Light', logo: 'https://cdn.example/logo.svg', styles },
    })
    await beginSignup(world)
    const page = await world.send(world.link())
    const html = await page.text()
    expect(html).toContain('<img src="https://cdn.example/logo.svg" alt="Harbor &amp; Light">')
    expect(html).toContain(styles)
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain('img-src https://cdn.example data:;')
    expect(html).toContain('<link rel="icon" href="data:,">')
    expect(world.outbox.messages.at(-1)?.html).toContain('https://cdn.example/logo.svg')
    expect(() => createWorld(byLink, { brand: { styles: '</style><script>' } })).toThrow(
      /style sheet/,
    )
  })
})

describe('the page of a failure', () => {
  const languages = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const
  const foreign = { method: 'POST', headers: { origin: 'https://evil.example' } }

  it.each(languages)('is in %s, and says what to do', async (language) => {
    const storage = createMemoryStorage()
    const world = createWorld(byLink, { storage, logger: false })
    await beginSignup(world)
    const link = `${world.link()}&ui_locales=${language}`
    const refused = await world.send(link, foreign)
    const insecure = await world.send(link, { secure: false })
    await storage.close()
    const broken = await world.send(link)
    const words = wordsIn(language).pages
    const shown = [
      [refused, 403, words.foreignAdvice],
      [insecure, 403, words.insecureAdvice],
      [broken, 500, words.failedAdvice],
    ] as const
    for (const [page, status, advice] of shown) {
      const html = (await page.text()).replace(/\n<nav.*<\/nav>/, '')
      expect(page.status).toBe(status)
      expect(html).toContain(`<html lang="${language}"`)
      expect(html).toContain(`<h1>${words.failedTitle}</h1>\n<p>${advice}</p>\n</main>`)
      expect(page.headers.get('vary')).toContain('Accept-Language')
    }
  })
})
