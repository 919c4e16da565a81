// Installs the dependencies unless what is installed is what the lockfile asks for.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { root, run } from './run.mjs'

const lockfile = `${root}package-lock.json`
const installedLockfile = `${root}node_modules/.package-lock.json`
const stampFile = `${root}node_modules/.gatehouse-installed`
const addon = `${root}node_modules/better-sqlite3/build/Release/better_sqlite3.node`

const lockfileHash = () => createHash('sha256').update(readFileSync(lockfile)).digest('hex')

/** What the last run found installed: the lockfile, and the binary interface native packages were built for. */
function readStamp() {
  const [hash, abi] = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').trim().split(' ') : []
  return { hash, abi }
}

function isInstalled({ hash }) {
  if (!existsSync(installedLockfile)) return false
  // npm writes its own copy last, so a newer one tells of an install that was not ours.
  const isNewer = statSync(installedLockfile).mtimeMs >= statSync(lockfile).mtimeMs
  return isNewer || hash === lockfileHash()
}

/** Ends the program with a message if the dependencies cannot be installed. */
export async function installIfNeeded() {
  const stamp = readStamp()
  if (!isInstalled(stamp)) {
    if ((await run('npm', ['ci', '--no-audit', '--no-fund'])) !== 0) {
      fail('npm could not install the dependencies')
    }
  }
  // npm may be configured to run no install scripts, and an addon fits one binary interface alone.
  const { modules } = process.versions
  if (!existsSync(addon) || (stamp.abi ?? modules) !== modules) {
    if ((await run('npm', ['rebuild', 'better-sqlite3'])) !== 0)
      fail('better-sqlite3 could not be built')
  }
  writeFileSync(stampFile, `${lockfileHash()} ${modules}\n`)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
