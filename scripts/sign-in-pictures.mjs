// Pictures of the sign-in pages: six languages, light and dark, on a desktop and a phone, each layout, the account, a mail, and the
// pages of the authorization server. They are too many to keep, so they go to a folder of their own; the documentation has a few.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { nodeAdapter } from '@gatehouse/adapter-node'
import { createAuth, createUser } from '@gatehouse/core'
import { createOAuthClient } from '@gatehouse/core/oauth'
import { createMessageOutbox } from '@gatehouse/core/testing'
import { createOidcProvider } from '@gatehouse/oidc'
import { signInRoutes } from '@gatehouse/sign-in'
import { createMemoryStorage } from '@gatehouse/store-memory'

const maya = { email: 'maya@example.com', password: 'tidal-lantern-42' }
const apps = /** @type {const} */ ([
  {
    clientId: 'grafana',
    name: 'Grafana',
    type: 'web',
    clientSecret: 'a secret for pictures, 24 characters or more'.replaceAll(' ', '-'),
    redirectUris: ['https://grafana.example.com/login/generic_oauth'],
    policyUri: 'https://grafana.example.com/privacy',
    tosUri: 'https://grafana.example.com/terms',
  },
  { clientId: 'tv', name: 'Harbor TV', type: 'native', redirectUris: ['com.example.tv:/callback'] },
])
const languages = ['en', 'de', 'fr', 'es', 'ja', 'ar']
const layouts = /** @type {const} */ (['card', 'split', 'full'])
const colorSchemes = /** @type {const} */ (['light', 'dark'])
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 780 } }

/** Serves the pages of an app in a layout. @param {'card' | 'split' | 'full'} layout */
async function serve(layout) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://localhost:${typeof address === 'object' ? address?.port : ''}`
  const outbox = createMessageOutbox()
  const provider = (/** @type {string} */ type) => ({ alias: type, type, client_id: 'x' })
  const auth = createAuth({
    storage: createMemoryStorage(),
    config: {
      id: 'harbor',
      http: { public_origin: origin },
      identity: { oauth: { providers: [provider('google'), provider('github')] } },
    },
    secrets: [{ id: 'k1', key: 'a key for pictures, of 32 bytes or more' }],
    senders: outbox.senders,
    oauth: createOAuthClient({
      credentials: { google: { clientSecret: 'x' }, github: { clientSecret: 'x' } },
    }),
    logger: false,
  })
  await createUser(auth, { ...maya, email_verified: true })
  const links = [
    { label: 'Terms', href: '/terms' },
    { label: 'Privacy', href: '/privacy' },
  ]
  const panel = 'linear-gradient(160deg, #0b57d0, #062e6f)'
  const theme = {
    accent: '#0b57d0',
    dark: { accent: '#a8c7fa', onAccent: '#062e6f' },
    layout,
    panel,
  }
  const options = { name: 'Harbor Light', links, theme }
  const oidc = createOidcProvider({ auth, clients: apps, deviceFlow: true })
  server.on(
    'request',
    nodeAdapter([...auth.routes, ...signInRoutes(auth, options), ...oidc.routes]),
  )
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { origin, outbox, stop }
}

/**
 * Takes the pictures, as `pages-NAME-SIZE-SCHEME.png`.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} target the folder
 */
export async function takeSignInPictures(browser, target) {
  for (const layout of layouts) {
    const { origin, outbox, stop } = await serve(layout)
    try {
      for (const colorScheme of colorSchemes) {
        for (const [size, viewport] of Object.entries(sizes)) {
          const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' })
          const take = async (/** @type {string} */ name) => {
            await page.waitForLoadState('networkidle')
            const path = join(target, `pages-${name}-${size}-${colorScheme}.png`)
            await page.screenshot({ path })
          }
          for (const language of layout === 'card' ? languages : ['en']) {
            await page.goto(`${origin}/login?ui_locales=${language}`)
            await page.locator('h1').waitFor()
            await take(`login-${layout}-${language}`)
          }
          if (layout === 'card') await walk(page, { origin, outbox, take })
          await page.close()
        }
      }
    } finally {
      stop()
    }
  }
}

/**
 * The steps of a sign-up and a login, its mail and the account.
 *
 * @param {import('playwright-core').Page} page
 * @param {{ origin: string, outbox: import('@gatehouse/core/testing').MessageOutbox, take(name: string): Promise<void> }} about
 */
async function walk(page, { origin, outbox, take }) {
  const fill = async (/** @type {string} */ label, /** @type {string} */ text) => {
    const field = page.getByLabel(label, { exact: true })
    await field.fill(text)
    await field.press('Enter')
  }
  await page.goto(`${origin}/signup`)
  await fill('Email address', `lena${outbox.messages.length}@example.com`)
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await take('code')
  await fill('Code', '000000')
  await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
  await take('code-wrong')
  await page.goto(`${origin}/login`)
  await fill('Email address', maya.email)
  await page.getByRole('heading', { name: 'Enter your password' }).waitFor()
  await take('password')
  await fill('Password', maya.password)
  await page.waitForURL(`${origin}/account`)
  await page.locator('h1').waitFor()
  await take('account')
  for (const language of languages) {
    await page.goto(consentUrl(origin, language))
    await page.locator('h1').waitFor()
    await take(`consent-${language}`)
  }
  await showDevice(page, { origin, take })
  await page.goto(`${origin}/oidc/logout?client_id=grafana`)
  await take('logout')
  const mail = outbox.messages.findLast(({ html }) => html !== undefined)
  await page.goto('about:blank')
  await page.setContent(mail?.html ?? '')
  await take('mail')
}

/** Where an app sends people to sign in. @param {string} origin @param {string} language */
function consentUrl(origin, language) {
  const query = new URLSearchParams({
    client_id: 'grafana',
    redirect_uri: 'https://grafana.example.com/login/generic_oauth',
    response_type: 'code',
    scope: 'openid profile email groups offline_access',
    prompt: 'consent',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    ui_locales: language,
  })
  return `${origin}/oidc/authorize?${query}`
}

/**
 * The pages on which a person connects a device.
 *
 * @param {import('playwright-core').Page} page
 * @param {{ origin: string, take(name: string): Promise<void> }} about
 */
async function showDevice(page, { origin, take }) {
  const asked = await fetch(`${origin}/oidc/device_authorization`, {
    method: 'POST',
    headers: { 'user-agent': 'harbor-tv/1.2' },
    body: new URLSearchParams({ client_id: 'tv', scope: 'openid profile' }),
  })
  const { verification_uri_complete: link } = await asked.json()
  await page.goto(link)
  await take('device-code')
  await page.getByRole('button').click()
  await page.locator('code').waitFor()
  await take('device-confirm')
}
