// Packs every package, installs the tarballs into a clean ES module project and a clean CommonJS project, type-checks a program
// in each under two module resolutions, and runs it. Needs built packages.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runQuickStarts } from './consumers/quick-starts.mjs'
import { followStartPages } from './consumers/start-pages.mjs'
import { root, run } from './run.mjs'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-consumers-'))
const tarballs = join(folder, 'tarballs')
const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
const tsc = `${root}node_modules/typescript/bin/tsc`

async function check(what, exitCode) {
  if ((await exitCode) === 0) return
  console.error(`consumers: ${what} failed; see ${folder}`)
  process.exit(1)
}

async function packAll() {
  mkdirSync(tarballs)
  const packages = readdirSync(`${root}packages`).map((name) => `./packages/${name}`)
  const args = ['pack', ...packages, '--pack-destination', tarballs, '--silent']
  await check('npm pack', run('npm', args))
}

/** A dependency in the version installed here, so that npm finds it in its cache. */
function asInstalled(name) {
  const { version } = JSON.parse(readFileSync(`${root}node_modules/${name}/package.json`, 'utf8'))
  return `${name}@${version}`
}

async function install(project, type) {
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type }))
  const files = readdirSync(tarballs).map((name) => join(tarballs, name))
  const peers = [
    'hono',
    '@hono/node-server',
    'express',
    '@photostructure/sqlite',
    '@types/express',
    '@types/node',
  ].map(asInstalled)
  const args = ['install', '--prefer-offline', '--ignore-scripts', ...quiet, ...files, ...peers]
  await check(`npm install (${type})`, run('npm', args, { cwd: project }))
}

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

await packAll()
for (const type of ['module', 'commonjs']) {
  console.log(`\nconsumer: ${type}`)
  const project = join(folder, type)
  await install(project, type)
  await typecheckAndRun(project, type)
  if (type !== 'module') continue
  await useCommand(project)
  await runQuickStarts(project)
  await followStartPages(project)
}
rmSync(folder, { recursive: true })
