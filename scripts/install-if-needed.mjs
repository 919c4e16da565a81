// Installs the dependencies unless they match the lockfile.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { root, run } from './run.mjs'

const lockfile = `${root}package-lock.json`
const installedLockfile = `${root}node_modules/.package-lock.json`
const stampFile = `${root}node_modules/.gatehouse-installed`

/** @typedef {'all' | 'command'} Extent everything, or what building and running the command needs */

const lockfileHash = () => createHash('sha256').update(readFileSync(lockfile)).digest('hex')

/** The state after the last install: the lockfile's hash and the extent. */
function readStamp() {
  const [hash, extent = 'all'] = existsSync(stampFile)
    ? readFileSync(stampFile, 'utf8').trim().split(' ')
    : []
  return { hash, extent }
}

function isCurrent({ hash }) {
  if (!existsSync(installedLockfile)) return false
  // npm writes its own copy last, so a newer copy comes from an install that this script did not run.
  const isNewer = statSync(installedLockfile).mtimeMs >= statSync(lockfile).mtimeMs
  return isNewer || hash === lockfileHash()
}

/** Whether the last install, unless npm has run since, was of the command alone. */
const isPartial = ({ extent }) =>
  extent === 'command' && statSync(installedLockfile).mtimeMs <= statSync(stampFile).mtimeMs

/**
 * Ends the program with a message if the dependencies cannot be installed.
 *
 * @param {Extent} extent
 */
export async function installIfNeeded(extent = 'all') {
  const stamp = readStamp()
  const current = isCurrent(stamp)
  let installed = current && isPartial(stamp) ? 'command' : 'all'
  if (!current || (installed === 'command' && extent === 'all')) {
    installed = extent
    const what = extent === 'all' ? 'all dependencies' : 'what the server needs'
    console.log(`Installing ${what}, only this time`)
    const scope = extent === 'all' ? [] : ['--workspace', 'packages/cli']
    // After a partial install, adds the rest.
    await npm([current ? 'install' : 'ci', ...scope])
  }
  writeFileSync(stampFile, `${lockfileHash()} ${installed}\n`)
}

/** Ends the program if npm fails. */
async function npm(args) {
  if ((await run('npm', [...args, '--no-audit', '--no-fund'])) === 0) return
  console.error('npm could not install the dependencies')
  process.exit(1)
}
