import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expressAdapter } from '@gatehouse/adapter-express'
import { honoAdapter } from '@gatehouse/adapter-hono'
import { createAuth, fetchHandler } from '@gatehouse/core'
import { createMemoryStorage } from '@gatehouse/store-memory'
import express from 'express'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { type SignInOptions, signInRoutes } from '../src/index.ts'
import type { PageSettings } from '../src/settings.ts'
import { startServer } from './sign-in.fixture.ts'

function createService(config: object = {}) {
  return createAuth({
    storage: createMemoryStorage(),
    config: { id: 'test', http: { public_origin: 'http://localhost:3000' }, ...config },
    secrets: [{ id: 'k1', key: 'a key for tests, of 32 bytes or more' }],
    logger: false,
  })
}

type Send = (path: string, headers?: Record<string, string>) => Promise<Response>

function open(options: SignInOptions = {}, config: object = {}): Send {
  const auth = createService(config)
  const handler = fetchHandler([...auth.routes, ...signInRoutes(auth, options)])
  return async (path, headers = {}) =>
    handler(new Request(`http://localhost:3000${path}`, { headers }))
}

async function settingsAt(send: Send, path: string): Promise<PageSettings> {
  const html = await (await send(path)).text()
  const [, content = ''] = /name="gatehouse-sign-in" content="([^"]*)"/.exec(html) ?? []
  return JSON.parse(
    content.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
  )
}

describe('the routes of the pages', () => {
  it('serve each page with a strict policy and nothing inline', async () => {
    const send = open()
    for (const path of ['/login', '/signup', '/recovery', '/account', '/sign-in/callback']) {
      const response = await send(path)
      const policy = response.headers.get('content-security-policy') ?? ''
      expect([response.status, policy]).toEqual([
        200,
        expect.stringMatching(/^default-src 'none'; script-src 'self'; style-src 'self';/),
      ])
      expect(policy).not.toMatch(/unsafe|https:|\*/)
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
      expect(response.headers.get('cache-control')).toBe('private, no-cache')
      const html = await response.text()
      expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/)
      const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file)
      expect(files.length).toBeGreaterThan(2)
      for (const file of files) {
        const url = new URL(file, `http://localhost:3000${path}`)
        expect([file, (await send(url.pathname)).status]).toEqual([file, 200])
      }
    }
  })

  it('have an icon: the one of the app, or the first letter of its name', async () => {
    const send = open({ name: 'örtliche <Wache>', theme: { accent: '#0b57d0' } })
    const icon = await send('/sign-in/icon.svg')
    expect(icon.headers.get('content-type')).toBe('image/svg+xml')
    const svg = await icon.text()
    expect(svg).toContain('>Ö</text>')
    expect(svg).toContain('--gh-accent: light-dark(#0b57d0, #0b57d0)')
    expect(await (await open({ name: '<' })('/sign-in/icon.svg')).text()).toContain('>&lt;</text>')
    const own = open({ theme: { icon: 'https://cdn.example/a"b.png' } })
    const page = await own('/account')
    expect(await page.text()).toContain('rel="icon" href="https://cdn.example/a&quot;b.png"')
    expect(page.headers.get('content-security-policy')).toContain('blob: https://cdn.example;')
    const link = await own('/authflow/v2/verify_login_link?code=x')
    expect(await link.text()).toContain('<link rel="icon" href="https://cdn.example/a%22b.png">')
    const plain = await send('/authflow/v2/verify_login_link?code=x')
    expect(await plain.text()).toContain('href="http://localhost:3000/sign-in/icon.svg"')
    expect(plain.headers.get('content-security-policy')).toContain('img-src http://localhost:3000;')
  })

  it('say on which port they cannot be served', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    await expect(startServer({ port })).rejects.toThrow(`cannot serve the pages on port ${port}`)
    taken.close()
  })

  it('lead from the number of this machine to its name, where the cookie belongs', async () => {
    const send = open()
    for (const host of ['127.0.0.1:3000', '[::1]:3000']) {
      const response = await send('/login?return_to=%2Forders', { host })
      expect([response.status, response.headers.get('location')]).toEqual([
        302,
        'http://localhost:3000/login?return_to=%2Forders',
      ])
    }
    // Another server, a host that a proxy may have put there, and a file, which is the same everywhere.
    const stay = [
      ['/login', { host: '127.0.0.1:4000' }],
      ['/login', { host: '127.0.0.1:3000', 'x-forwarded-for': '192.0.2.7' }],
      ['/login', { host: 'elsewhere.example' }],
      ['/sign-in/theme.css', { host: '127.0.0.1:3000' }],
    ] as const
    for (const [path, headers] of stay) expect((await send(path, headers)).status).toBe(200)
    const numbered = open({}, { http: { public_origin: 'http://127.0.0.1:3000' } })
    expect((await numbered('/login', { host: '127.0.0.1:3000' })).status).toBe(200)
  })

  it('allow the scripts of the configured bot protection, and nobody else’s', async () => {
    const bot_protection = {
      enabled: true,
      provider: { type: 'cloudflare', site_key: 'site' },
      requirements: { signup_or_login: { mode: 'always' } },
    } as const
    const botVerifier = { verify: async () => ({ kind: 'ok' }) }
    const auth = createAuth({
      storage: createMemoryStorage(),
      config: { id: 'test', http: { public_origin: 'http://localhost:3000' }, bot_protection },
      secrets: [{ id: 'k1', key: 'a key for tests, of 32 bytes or more' }],
      botVerifier: botVerifier as never,
      logger: false,
    })
    const response = await fetchHandler(signInRoutes(auth))(
      new Request('http://localhost:3000/login'),
    )
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com;")
    expect(policy).toContain('frame-src https://challenges.cloudflare.com;')
  })

  it('lead back only where the configuration allows', async () => {
    const http = {
      public_origin: 'http://localhost:3000',
      allowed_origins: ['https://app.example.com'],
    }
    const send = open({ after: '/orders' }, { http })
    const after = async (query: string) => (await settingsAt(send, `/login${query}`)).after
    expect(await after('')).toBe('http://localhost:3000/orders')
    expect(await after('?return_to=/a%3Fb')).toBe('http://localhost:3000/a?b')
    expect(await after('?return_to=https://app.example.com/x')).toBe('https://app.example.com/x')
    for (const evil of [
      'https://evil.example',
      '//evil.example',
      'javascript:alert(1)',
      '/%5Cevil.example',
    ]) {
      expect(await after(`?return_to=${evil}`)).toBe('http://localhost:3000/orders')
    }
    expect((await settingsAt(send, '/login?prompt=login')).again).toBe(true)
  })

  it('write settings as text', async () => {
    const send = open({ name: '"><script>alert(1)</script>&quot;' })
    expect(await (await send('/login')).text()).not.toContain('<script>alert')
    expect((await settingsAt(send, '/login')).name).toBe('"><script>alert(1)</script>&quot;')
  })

  it('answer in the language of the reader', async () => {
    const send = open()
    const html = await (await send('/login', { 'accept-language': 'ar' })).text()
    expect(html).toContain('<html lang="ar" dir="rtl">')
    expect(html).toMatch(/<noscript>.*JavaScript.*<\/noscript>/)
    expect((await settingsAt(send, '/login?ui_locales=fr%20de')).language).toBe('fr')
  })

  it('link to no flow that there is not', async () => {
    const isClosed = { authentication: { public_signup_disabled: true } }
    expect(Object.keys((await settingsAt(open({}, isClosed), '/login')).flows)).toEqual([
      'login',
      'recovery',
    ])
  })

  it('are where the app wants them, with a path for the manager of passwords', async () => {
    const send = open({ basePath: '/auth', paths: { login: '/enter/now' } })
    expect((await send('/login')).status).toBe(404)
    const settings = await settingsAt(send, '/auth/enter/now')
    expect([settings.root, settings.paths.login]).toEqual(['../../', 'auth/enter/now'])
    const known = await send('/.well-known/change-password')
    expect([known.status, known.headers.get('location')]).toEqual([302, '/auth/account#password'])
    expect((await send('/auth/sign-in/theme.css')).headers.get('content-type')).toMatch(/css/)
    expect((await open({ account: false })('/account')).status).toBe(404)
    expect(() => open({ paths: { login: 'login' } })).toThrow(TypeError)
  })

  it('have no file but those of the build', async () => {
    const send = open()
    for (const name of ['nothing.js', '..%2Findex.html', '%2Fetc%2Fpasswd']) {
      expect((await send(`/sign-in/assets/${name}`)).status).toBe(404)
    }
  })

  it('are served by Hono and Express, below a path of the app too', async () => {
    const auth = createService()
    const routes = [...auth.routes, ...signInRoutes(auth)]
    const hono = new Hono().route('/sub', honoAdapter(routes))
    expect(await settingsOf(await hono.request('/sub/login'))).toMatchObject({ root: './' })
    const app = express()
    app.use('/sub', expressAdapter(routes))
    const server = createServer(app).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    try {
      const page = await fetch(`http://127.0.0.1:${port}/sub/login`)
      const [, script = ''] = /src="([^"]+\.js)"/.exec(await page.clone().text()) ?? []
      expect(await settingsOf(page)).toMatchObject({ page: 'login' })
      expect((await fetch(new URL(script, page.url))).status).toBe(200)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })
})

const settingsOf = async (response: Response): Promise<PageSettings> => {
  const html = await response.text()
  const [, content = '{}'] = /name="gatehouse-sign-in" content="([^"]*)"/.exec(html) ?? []
  return JSON.parse(content.replaceAll('&quot;', '"'))
}
