// Builds the app of `bundled/` by Vite and by Next.js, with Turbopack and with webpack, all without any settings, and asks what they
// built; then created apps for Next.js, and the programs of docs/frameworks.md. For the wide lane: installing and building take minutes. Needs built packages.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../test-support/free-port.mjs'
import { signUpAndLook } from './bundled/sign-up.mjs'
import {
  checkBundle,
  expectOptional,
  leanPackages,
  optionalPackages,
  writeApp,
} from './bundles.mjs'
import { checkCreatedApps, nextApps } from './created-apps.mjs'
import { checkNextApps } from './next-apps.mjs'
import { checkEdgeMiddleware } from './next-edge.mjs'
import { checkPlatforms } from './platforms.mjs'
import { asInstalled, createProject, packAll, tarballsIn } from './projects.mjs'
import { checkRecipes } from './recipes.mjs'

const frameworks = ['next@16.4.6', 'react@19', 'react-dom@19', 'vite@8.3.8']

const viteConfig = `export default {
  build: { ssr: 'main.mjs', outDir: 'bundle' },
  ssr: { noExternal: true },
}
`

const route = `import { app } from '../../app.mjs'
const answer = (request) => app.fetch(request)
export { answer as GET, answer as POST }
`

const layout = `import { createElement } from 'react'
export default ({ children }) => createElement('html', null, createElement('body', null, children))
`

function writeNextApp(project) {
  mkdirSync(join(project, 'app/[...path]'), { recursive: true })
  writeFileSync(join(project, 'app/[...path]/route.js'), route)
  writeFileSync(join(project, 'app/layout.js'), layout)
}

async function checkNext(project, bundler, expected) {
  const next = join(project, 'node_modules/next/dist/bin/next')
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
  rmSync(join(project, '.next'), { recursive: true, force: true })
  const built = execFileSync(process.execPath, [next, 'build', `--${bundler}`], {
    cwd: project,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (/warning|Module not found/i.test(built)) throw new Error(`${bundler} warns:\n${built}`)

  const port = await freePort()
  const args = [next, 'start', '-H', '127.0.0.1', '-p', String(port)]
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: 'inherit' })
  const ended = once(child, 'exit')
  try {
    const url = `http://localhost:${port}`
    const ask = (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init)
    await untilReached(ask, url)
    expectOptional(await signUpAndLook(ask), expected)
  } finally {
    child.kill()
    await ended
  }
  console.log(`ok  Next.js by ${bundler}, optional packages ${expected}`)
}

async function untilReached(ask, url) {
  for (let left = 100; ; left--) {
    try {
      return await ask('/me')
    } catch (error) {
      if (left === 0) throw new Error(`${url} is not reached`, { cause: error })
      await delay(200)
    }
  }
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-frameworks-'))
const tarballs = join(folder, 'tarballs')
await packAll(tarballs)
await checkCreatedApps(join(folder, 'apps'), tarballs, nextApps)
await checkEdgeMiddleware(join(folder, 'apps/next-app'))
await checkNextApps(folder, tarballs)
await checkRecipes(join(folder, 'recipes'), tarballs)
await checkPlatforms(join(folder, 'platforms'), tarballs)
const lean = [...tarballsIn(tarballs, leanPackages), asInstalled('hono'), ...frameworks]
for (const [expected, optional] of [
  ['missing', []],
  ['found', optionalPackages.map(asInstalled)],
]) {
  const project = join(folder, expected)
  await createProject(project, 'module', [...lean, ...optional])
  writeApp(project)
  writeFileSync(join(project, 'vite.config.mjs'), viteConfig)
  const vite = [process.execPath, join(project, 'node_modules/vite/bin/vite.js'), 'build']
  checkBundle(project, { name: 'Vite, SSR', file: 'main.js', command: vite }, expected)
  writeNextApp(project)
  for (const bundler of ['turbopack', 'webpack']) await checkNext(project, bundler, expected)
}
rmSync(folder, { recursive: true })
