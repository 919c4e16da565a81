// Installs the dependencies unless they match the lockfile.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { root, run } from './run.mjs'

const lockfile = `${root}package-lock.json`
const installedLockfile = `${root}node_modules/.package-lock.json`
const stampFile = `${root}node_modules/.gatehouse-installed`
const addon = `${root}node_modules/better-sqlite3/build/Release/better_sqlite3.node`

const lockfileHash = () => createHash('sha256').update(readFileSync(lockfile)).digest('hex')

/** The state after the last install: the lockfile's hash, and the ABI that native packages were built for. */
function readStamp() {
  const [hash, abi] = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').trim().split(' ') : []
  return { hash, abi }
}

function isInstalled({ hash }) {
  if (!existsSync(installedLockfile)) return false
  // npm writes its own copy last, so a newer copy comes from an install that this script did not run.
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
  // npm may be configured to skip install scripts, and an addon fits only one ABI.
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
