// Installs the dependencies unless what is installed is what the lockfile asks for.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { root, run } from './run.mjs'

const lockfile = `${root}package-lock.json`
const installedLockfile = `${root}node_modules/.package-lock.json`
const stampFile = `${root}node_modules/.gatehouse-installed`
const addon = `${root}node_modules/better-sqlite3/build/Release/better_sqlite3.node`

/** What was installed: the lockfile, and the binary interface native packages were built for. */
function wantedStamp() {
  const hash = createHash('sha256').update(readFileSync(lockfile)).digest('hex')
  return `${hash} ${process.versions.modules}\n`
}

function isInstalled() {
  if (!existsSync(installedLockfile) || !existsSync(addon)) return false
  if (existsSync(stampFile)) return readFileSync(stampFile, 'utf8') === wantedStamp()
  return statSync(installedLockfile).mtimeMs >= statSync(lockfile).mtimeMs
}

/** Ends the program with a message if the dependencies cannot be installed. */
export async function installIfNeeded() {
  if (!isInstalled()) {
    const npm = ['--no-audit', '--no-fund']
    const code = await run('npm', existsSync(lockfile) ? ['ci', ...npm] : ['install', ...npm])
    if (code !== 0) fail('npm could not install the dependencies')
    // npm may be configured to run no install scripts; then the SQLite addon is not there yet.
    if (!existsSync(addon) && (await run('npm', ['rebuild', 'better-sqlite3'])) !== 0) {
      fail('better-sqlite3 could not be built')
    }
  }
  if (existsSync(lockfile)) writeFileSync(stampFile, wantedStamp())
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
