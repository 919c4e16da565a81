// Packs every package, installs the tarballs into a clean ES module project and a clean CommonJS project, type-checks a program
// in each under two module resolutions, and runs it. Needs built packages.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBundles, leanPackages, optionalPackages } from './consumers/bundles.mjs'
import { checkCreatedApps, nodeApps } from './consumers/created-apps.mjs'
import { asInstalled, createProject, packAll, tarballsIn } from './consumers/projects.mjs'
import { followStartPages } from './consumers/start-pages.mjs'
import { root, run } from './run.mjs'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-consumers-'))
const tarballs = join(folder, 'tarballs')
const tsc = `${root}node_modules/typescript/bin/tsc`

async function check(what, exitCode) {
  if ((await exitCode) === 0) return
  console.error(`consumers: ${what} failed; see ${folder}`)
  process.exit(1)
}

const peers = [
  'hono',
  '@hono/node-server',
  'express',
  '@photostructure/sqlite',
  '@types/express',
  '@types/node',
].map(asInstalled)

async function typecheckAndRun(project, type) {
  cpSync(`${root}scripts/consumers/app.ts`, join(project, 'app.ts'))
  const strict = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--target',
    'es2022',
    '--types',
    'node',
  ]
  const app = ['--ignoreConfig', ...strict, '--esModuleInterop', 'app.ts']
  const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler', '--noEmit']
  await check(
    `types (${type}, bundler)`,
    run(process.execPath, [tsc, ...bundler, ...app], { cwd: project }),
  )
  const node = ['--module', 'nodenext', '--outDir', 'out']
  await check(
    `types (${type}, nodenext)`,
    run(process.execPath, [tsc, ...node, ...app], { cwd: project }),
  )
  await check(`running (${type})`, run(process.execPath, ['out/app.js'], { cwd: project }))
}

async function useCommand(project) {
  writeFileSync(
    join(project, 'alertmanager.yml'),
    'route: { receiver: a }\nreceivers: [{ name: a }]\n',
  )
  const command = (args) =>
    run(process.execPath, ['node_modules/.bin/gatehouse', ...args], { cwd: project })
  await check('gatehouse --version', command(['--version']))
  await check('gatehouse check-config', command(['check-config', 'alertmanager.yml']))
}

await packAll(tarballs)
for (const type of ['module', 'commonjs']) {
  console.log(`\nconsumer: ${type}`)
  const project = join(folder, type)
  await createProject(project, type, [...tarballsIn(tarballs), ...peers])
  await typecheckAndRun(project, type)
  if (type !== 'module') continue
  await useCommand(project)
  await followStartPages(project)
}

console.log('\nconsumer: created apps')
await checkCreatedApps(join(folder, 'apps'), tarballs, nodeApps)

console.log('\nconsumer: bundles')
const lean = [...tarballsIn(tarballs, leanPackages), asInstalled('hono')]
await createProject(join(folder, 'lean'), 'module', lean)
checkBundles(join(folder, 'lean'), 'missing')
const full = [...lean, ...optionalPackages.map(asInstalled)]
await createProject(join(folder, 'full'), 'module', full)
checkBundles(join(folder, 'full'), 'found')
rmSync(folder, { recursive: true })
