// The sign-in pages in a real Chromium, beside the smallest page that better-auth's documentation leads to: a form of one's own on its
// client. What a first visit loads, and how long it takes from the click to the session.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { nodeAdapter } from '@gatehouse/adapter-node'
import { createAuth, createUser } from '@gatehouse/core'
import { createScryptHasher } from '@gatehouse/core/auth'
import { signInRoutes } from '@gatehouse/sign-in'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { toNodeHandler } from 'better-auth/node'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { peerVersion, usualCost } from './auth/contenders.mjs'
import { readOptions, wholeNumber } from './lib/options.mjs'
import { median, table } from './lib/table.mjs'

const usage = `npm run bench -- sign-in [options]

  --rounds N   how many sign-ins of each, in turns, each in a fresh browser context (default 9)
  --json       the figures as JSON

Both keep people in memory and hash passwords at better-auth's cost. Gatehouse's page asks for the address first, so its time is that
of both clicks.`

const user = { email: 'maya@example.com', password: 'tidal-lantern-42' }

/** @typedef {{ origin: string, stop(): void }} Served */

/** @param {(origin: string) => Promise<import('node:http').RequestListener>} make @returns {Promise<Served>} */
async function serve(make) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://localhost:${typeof address === 'object' ? address?.port : ''}`
  server.on('request', await make(origin))
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { origin, stop }
}

const serveGatehouse = () =>
  serve(async (origin) => {
    const auth = createAuth({
      storage: createMemoryStorage(),
      config: { id: 'bench', http: { public_origin: origin } },
      secrets: [{ id: 'k1', key: 'a key for the benchmark, of 32 bytes or more' }],
      hasher: createScryptHasher({ ...usualCost, maxParallel: 4 }),
      logger: false,
    })
    await createUser(auth, { ...user, email_verified: true })
    return nodeAdapter([...auth.routes, ...signInRoutes(auth, { after: '/done' })])
  })

/** A form on the client of better-auth, as its page "Basic usage" has it. */
const form = `import { createAuthClient } from 'better-auth/client'
const client = createAuthClient()
document.querySelector('form').onsubmit = async (event) => {
  event.preventDefault()
  const { email, password } = Object.fromEntries(new FormData(event.target))
  await client.signIn.email({ email, password, callbackURL: '/done' })
}`
const html = `<!doctype html><html lang="en"><title>Sign in</title><link rel="icon" href="data:,">
<form><label>Email address <input name="email" type="email"></label>
<label>Password <input name="password" type="password"></label><button>Continue</button></form>
<script type="module" src="/page.js"></script>`

async function serveBetterAuth() {
  const { outputFiles } = await build({
    stdin: { contents: form, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  })
  const script = gzipSync(outputFiles[0]?.contents ?? '')
  return serve(async (origin) => {
    const auth = betterAuth({
      database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
      baseURL: origin,
      secret: 'key of the benchmark, of at least 32 bytes',
      emailAndPassword: { enabled: true },
      rateLimit: { enabled: false },
      telemetry: { enabled: false },
    })
    await auth.api.signUpEmail({ body: { ...user, name: 'Maya' } })
    const handle = toNodeHandler(auth)
    return (request, response) => {
      if (request.url?.startsWith('/api/auth')) return void handle(request, response)
      response.setHeader('content-encoding', 'gzip')
      const isScript = request.url === '/page.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? script : gzipSync(html))
    }
  })
}

/** Signs in once, in a browser that has seen nothing. @param {import('playwright-core').Browser} browser @param {string} origin */
async function signIn(browser, origin) {
  const context = await browser.newContext()
  const page = await context.newPage()
  const protocol = await context.newCDPSession(page)
  await protocol.send('Network.enable')
  let bytes = 0
  protocol.on('Network.loadingFinished', (event) => {
    bytes += event.encodedDataLength
  })
  const began = performance.now()
  await page.goto(`${origin}/login`)
  const email = page.getByLabel('Email address')
  const button = page.getByRole('button', { name: 'Continue', exact: true })
  await email.waitFor()
  const shownMs = performance.now() - began
  await page.waitForLoadState('networkidle')
  const firstLoad = bytes
  const password = page.getByLabel('Password', { exact: true })
  await email.fill(user.email)
  let sessionMs = 0
  if (!(await password.isVisible())) {
    const asked = performance.now()
    await button.click()
    await password.waitFor()
    sessionMs += performance.now() - asked
  }
  await password.fill(user.password)
  const clicked = performance.now()
  await button.click()
  await page.waitForURL('**/done', { waitUntil: 'commit' })
  sessionMs += performance.now() - clicked
  await context.close()
  return {
    'first load, kB': firstLoad / 1_000,
    'form shown, ms': shownMs,
    'click to session, ms': sessionMs,
  }
}

/** @param {string[]} args */
export async function run(args) {
  const values = readOptions(args, { usage })
  if (values === undefined) return
  const rounds = wholeNumber('rounds', values.rounds === '3' ? '9' : values.rounds)
  const find = 'command -v chromium-headless-shell || command -v chromium'
  const executablePath = execFileSync('sh', ['-c', find]).toString().trim()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const [ours, peer] = [await serveGatehouse(), await serveBetterAuth()]
  /** @type {Record<string, number>[][]} */
  const taken = [[], []]
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [index, { origin }] of [ours, peer].entries()) {
        taken[index]?.push(await signIn(browser, origin))
      }
    }
  } finally {
    await browser.close()
    ours.stop()
    peer.stop()
  }
  const [a = {}, b = {}] = taken.map((all) =>
    Object.fromEntries(
      Object.keys(all[0] ?? {}).map((name) => [name, median(all.map((one) => one[name] ?? 0))]),
    ),
  )
  if (values.json) return console.log(JSON.stringify({ rounds, gatehouse: a, betterAuth: b }))
  const rows = Object.keys(a).map((name) => {
    const [one, other] = [a[name] ?? 0, b[name] ?? 0]
    return [name, one.toFixed(1), other.toFixed(1), `${(one / other).toFixed(2)}×`]
  })
  const head = ['measure', 'Gatehouse', `better-auth ${peerVersion}`, 'ratio']
  console.log(`Medians of ${rounds} sign-ins each\n\n${table([head, ...rows])}`)
}
