// Creates apps by the packed `create-gatehouse`, installs the packed packages into them, runs their tests, and asks their servers.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../test-support/free-port.mjs'

/** What the proxy in front says, which serves HTTPS: `next start` refuses plain HTTP, as in production. */
const proxied = { 'x-forwarded-proto': 'https' }

const quiet = ['--no-audit', '--no-fund', '--loglevel=error']

/** Apps for the check of every change. */
export const nodeApps = [
  { framework: 'hono', services: ['sign-in', 'alerts', 'webhooks'] },
  { framework: 'express', services: ['sign-in', 'webhooks'] },
]

/** Apps for the wide lane: they take minutes to install and to build. */
export const nextApps = [{ framework: 'next', services: ['sign-in', 'alerts', 'webhooks'] }]

/**
 * @param {string} folder where the apps go; it must not exist
 * @param {string} tarballs the folder of the packed packages
 * @param {readonly { framework: string, services: readonly string[] }[]} apps
 * @throws {Error} if an app does not do what its page promises.
 */
export async function checkCreatedApps(folder, tarballs, apps) {
  mkdirSync(folder)
  const packed = readdirSync(tarballs)
  // The command needs no other package.
  const npm = (args, cwd) => execFileSync('npm', args, { cwd, stdio: 'pipe', encoding: 'utf8' })
  const command = join(tarballs, packed.find((name) => name.startsWith('create-gatehouse-')) ?? '')
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "workspaces": ["*-app"] }')
  npm(['install', '--offline', '--ignore-scripts', ...quiet, command], folder)
  const create = join(folder, 'node_modules/.bin/create-gatehouse')
  for (const { framework, services } of apps) {
    const flags = ['--framework', framework, '--with', services.join(',')]
    const args = [create, `${framework}-app`, ...flags]
    execFileSync(process.execPath, args, { cwd: folder, stdio: 'pipe' })
    useTarballs(join(folder, `${framework}-app`), tarballs, packed)
  }
  // Packages need each other, and none is on the registry.
  const needed = packed.filter((name) =>
    /^gatehouse-(?:core|go-template|adapter|store)-/.test(name),
  )
  const files = needed.map((name) => join(tarballs, name))
  npm(['install', '--prefer-offline', '--ignore-scripts', ...quiet, ...files], folder)
  for (const app of apps) {
    const place = join(folder, `${app.framework}-app`)
    try {
      for (const script of ['test', 'typecheck', 'build']) npm(['run', script], place)
    } catch (error) {
      throw new Error(`${app.framework}-app: ${error.stdout}${error.stderr}`, { cause: error })
    }
    // The machine that builds needs no database.
    if (existsSync(join(place, 'app.db'))) throw new Error(`${place}: the build opened app.db`)
    await askServer(place, app)
    console.log(`ok  created app: ${app.framework} with ${app.services.join(', ')}`)
  }
}

/** Installs the packed packages instead of those of the registry. */
function useTarballs(place, tarballs, packed) {
  const file = join(place, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  for (const names of [manifest.dependencies, manifest.devDependencies]) {
    for (const name of Object.keys(names).filter((one) => one.startsWith('@gatehouse/'))) {
      const start = `${name.slice(1).replace('/', '-')}-`
      const tarball = packed.find((one) => one.startsWith(start))
      if (tarball === undefined) throw new Error(`${name} is not packed`)
      names[name] = `file:${join(tarballs, tarball)}`
    }
  }
  writeFileSync(file, JSON.stringify(manifest))
}

/** Runs `npm start`, until the returned function is called. */
export async function startApp(place) {
  const port = String(await freePort())
  const origin = `http://localhost:${port}`
  const { scripts } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
  const path = `${join(place, '../node_modules/.bin')}:${process.env.PATH}`
  const env = { PATH: path, PORT: port, PUBLIC_ORIGIN: origin, NEXT_TELEMETRY_DISABLED: '1' }
  const child = spawn('sh', ['-c', `exec ${scripts.start}`], {
    cwd: place,
    env: { ...process.env, ...env },
  })
  let output = ''
  const keep = (chunk) => {
    output += chunk
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill()
    await ended
  }
  try {
    await untilReached(origin, child)
  } catch (error) {
    await stop()
    throw new Error(`${error.message}\n${output}`, { cause: error })
  }
  return { origin, output: () => output, stop }
}

/** Asks a server what its services promise. */
async function askServer(place, { framework, services }) {
  const { origin, output, stop } = await startApp(place)
  const expectStatus = async (status, address, init = {}) => {
    const response = await fetch(`${origin}${address}`, {
      redirect: 'manual',
      ...init,
      headers: { ...proxied, ...init.headers },
    })
    if (response.status === status) return
    const said = await response.text()
    throw new Error(`${framework}: ${address} answers ${response.status}, not ${status}: ${said}`)
  }
  try {
    await expectStatus(200, '/')
    if (services.includes('sign-in')) await checkSignIn(origin, { framework, output, expectStatus })
    if (services.includes('alerts')) await expectStatus(200, '/health')
    if (services.includes('webhooks')) {
      const [, token] = /^DEPLOY_TOKEN=(.+)$/m.exec(readFileSync(join(place, '.env'), 'utf8'))
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: '{"ref":"refs/heads/main"}' }
      await expectStatus(200, '/webhook/deploy', init)
    }
  } catch (error) {
    throw new Error(`${error.message}\n${output()}`, { cause: error })
  } finally {
    await stop()
  }
}

/** Signs up by the pages' API with the code that the server prints, and out again. */
async function checkSignIn(origin, { framework, output, expectStatus }) {
  const email = 'maya@example.com'
  for (const page of ['/login', '/signup', '/recovery', '/account']) await expectStatus(200, page)
  await expectStatus(401, '/me')
  // `proxy.ts` of Next.js sends visitors to sign in.
  const pages = framework === 'next' ? ['/dashboard'] : []
  for (const page of pages) await expectStatus(302, page, { headers: { accept: 'text/html' } })

  const flows = '/api/v1/authentication_flows'
  const post = async (path, body, headers = {}) => {
    const sent = { 'content-type': 'application/json', ...proxied, ...headers }
    const init = { method: 'POST', headers: sent, body: JSON.stringify(body) }
    const response = await fetch(`${origin}${path}`, init)
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}: ${text}`)
    return { cookies: response.headers.getSetCookie(), result: JSON.parse(text).result }
  }
  const input = { identification: 'email', login_id: email }
  const { result } = await post(flows, { type: 'signup', name: 'default', input })
  const batch_input = [
    { code: await codeIn(output, email) },
    { authentication: 'primary_password', new_password: 'tidal-lantern-42' },
  ]
  const { state_token } = result
  const { cookies } = await post(`${flows}/states/input`, { state_token, batch_input })
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
  for (const page of ['/me', ...pages]) await expectStatus(200, page, { headers: { cookie } })
  await post('/api/v1/account/sign-out', {}, { cookie })
  await expectStatus(401, '/me', { headers: { cookie } })
}

/** The code of the mail that a server prints. */
async function codeIn(output, email) {
  for (let left = 100; left > 0; left--) {
    const code = /\b\d{6}\b/.exec(output().split(`mail to ${email}:`)[1] ?? '')?.[0]
    if (code !== undefined) return code
    await delay(100)
  }
  throw new Error(`no code for ${email} is printed`)
}

async function untilReached(origin, child) {
  for (let left = 300; ; left--) {
    try {
      return await fetch(origin)
    } catch (error) {
      if (left === 0 || child.exitCode !== null) {
        throw new Error(`${origin} is not reached`, { cause: error })
      }
      await delay(100)
    }
  }
}
