// The app of docs/next.md, in the versions of Next.js and by the bundlers that the page names: built, started, and used.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createAuth, createUser } from '@gatehouse/core'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { freePort } from '../../test-support/free-port.mjs'
import { writePrograms } from '../documented-programs.mjs'
import { run } from '../run.mjs'
import { asInstalled, createProject, tarballsIn } from './projects.mjs'

const packages = ['core', 'go-template', 'client', 'next', 'sign-in', 'store-sqlite']
const beside = [
  'react@19',
  'react-dom@19',
  '@types/react@19',
  ...['@types/node', '@photostructure/sqlite'].map(asInstalled),
]

const layout = `import type { ReactNode } from 'react'
export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}
`

const user = { email: 'maya@example.com', password: 'tidal-lantern-42' }
const key = 'a key for tests, of 32 bytes or more'
const browser = { accept: 'text/html,*/*;q=0.8' }
/** What the proxy in front says, which serves HTTPS: plain HTTP is refused in production. */
const proxied = { 'x-forwarded-proto': 'https' }

/**
 * @param {string} folder where the apps go
 * @param {string} tarballs the folder of the packed packages
 * @throws {Error} if an app does not do what its page promises.
 */
export async function checkNextApps(folder, tarballs) {
  for (const [version, unused, builds, typescript] of [
    ['16.4', 'middleware.ts', ['--turbopack', '--webpack'], asInstalled('typescript')],
    ['15.5', 'proxy.ts', [''], 'typescript@5'], // its own settings are refused by 6
  ]) {
    const place = join(folder, `next-${version}`)
    const given = [...tarballsIn(tarballs, packages), `next@~${version}.0`, typescript, ...beside]
    await createProject(place, 'module', given)
    writePrograms('docs/next.md', place)
    rmSync(join(place, unused))
    writeFileSync(join(place, 'app/layout.tsx'), layout)
    for (const flag of builds) {
      await checkBuild(place, flag)
      console.log(`ok  the app of docs/next.md, Next.js ${version} ${flag}`)
    }
  }
}

async function checkBuild(place, flag) {
  const port = await freePort()
  const origin = `https://localhost:${port}`
  const next = join(place, 'node_modules/next/dist/bin/next')
  const own = { AUTH_KEY: key, NEXT_TELEMETRY_DISABLED: '1', PUBLIC_ORIGIN: origin }
  const env = { ...process.env, ...own, NODE_ENV: 'production' }
  for (const made of ['.next', 'app.db', 'app.db-wal', 'app.db-shm', 'app.db-reserve']) {
    rmSync(join(place, made), { recursive: true, force: true })
  }
  const args = [next, 'build', flag].filter(Boolean)
  assert.equal(await run(process.execPath, args, { cwd: place, env }), 0, 'the build')
  assert.ok(!existsSync(join(place, 'app.db')), 'the build opened app.db')

  await createUserIn(join(place, 'app.db'), origin)
  const start = [next, 'start', '-H', '127.0.0.1', '-p', String(port)]
  const child = spawn(process.execPath, start, { cwd: place, env, stdio: 'inherit' })
  const ended = once(child, 'exit')
  /** @type {(path: string, headers?: Record<string, string>, init?: RequestInit) => Promise<Response>} */
  const ask = (path, headers = {}, init = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { ...proxied, ...headers },
    })
  try {
    await untilReached(ask)
    await checkStrangers(ask)
    await checkUser(ask, `http://127.0.0.1:${port}`)
  } finally {
    child.kill()
    await ended
  }
}

/** The user exists before the app starts, in the file of the app. */
async function createUserIn(filename, origin) {
  const storage = createSqliteStorage({ filename })
  const config = { id: 'my-app', http: { public_origin: origin } }
  const auth = createAuth({ storage, config, secrets: [{ id: '2026', key }], logger: false })
  await createUser(auth, user)
  await storage.close()
}

async function untilReached(ask) {
  for (let left = 150; ; left--) {
    const response = await ask('/').catch(() => undefined)
    if (response?.status === 200) return
    if (left === 0) throw new Error(`the app answers ${response?.status}`)
    await delay(200)
  }
}

async function checkStrangers(ask) {
  assert.match(await (await ask('/', browser)).text(), /Sign in/)
  const login = await ask('/login', browser)
  assert.equal(login.status, 200)
  assert.match(login.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  const away = await ask('/orders?page=2', browser)
  assert.equal(away.status, 302)
  const { pathname, search } = new URL(away.headers.get('location') ?? '', away.url)
  assert.equal(`${pathname}${search}`, '/login?return_to=%2Forders%3Fpage%3D2')
  assert.equal((await ask('/orders')).status, 401)
  const refused = await ask('/api/me')
  assert.equal(refused.status, 401)
  assert.equal((await refused.json()).error.reason, 'NotAuthenticated')
}

async function checkUser(ask, address) {
  const batch_input = [
    { identification: 'email', login_id: user.email },
    { authentication: 'primary_password', password: user.password },
  ]
  const body = JSON.stringify({ type: 'login', name: 'default', batch_input })
  const json = { 'content-type': 'application/json' }
  const answer = await ask('/api/v1/authentication_flows', json, { method: 'POST', body })
  assert.equal(answer.status, 200, 'the login')
  const cookies = answer.headers.getSetCookie()
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ')

  assert.ok((await (await ask('/', { ...browser, cookie })).text()).includes(user.email))
  const { id } = await (await ask('/api/me', { cookie })).json()
  const orders = await (await ask('/orders', { ...browser, cookie })).text()
  assert.ok(orders.includes(id))

  // The form as a browser without scripts sends it.
  const form = new FormData()
  const hidden = /<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g
  for (const [, name, value = ''] of orders.matchAll(hidden)) form.append(name, value)
  const headers = { ...browser, cookie, origin: address }
  const left = await ask('/orders', headers, { method: 'POST', body: form })
  assert.equal(left.status, 303)
  assert.equal(left.headers.get('location'), '/')
  const cleared = left.headers.getSetCookie()
  assert.ok(cleared.length > 0 && cleared.every((one) => /Max-Age=0/i.test(one)), `${cleared}`)
  assert.equal((await ask('/api/me', { cookie })).status, 401)
}
