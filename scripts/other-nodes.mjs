// Runs tests on the supported versions of Node.js other than the one that runs this script. The store uses `node:sqlite` there. A
// version that npm cannot fetch is skipped with the reason.
import { execFileSync } from 'node:child_process'
import { installWhenNeeded } from './install-when-needed.mjs'
import { root, run } from './run.mjs'

/** Core, the stores without a server of their own, the client, and the start of the built command. */
const tested = [
  'packages/core',
  'packages/store-memory',
  'packages/store-sqlite',
  'packages/client',
  'packages/cli/src/main.test.ts',
]

/** Left out: tests that take half of the time, because they play many orders or many bad requests. */
const leftOut = ['**/*hostile*', '**/*-races.test.ts', '**/*vectors.test.ts']

const versions = ['22', '24']

/**
 * The newest release of a major version, from the npm package `node`.
 *
 * @param {string} major
 * @returns {{ program: string, version: string }}
 * @throws {Error} if npm cannot fetch it, or it does not run here.
 */
function fetchNode(major) {
  // Its install script fetches the program of this platform from the registry.
  const program = `${installWhenNeeded('node', major)}bin/node`
  const version = execFileSync(program, ['--version'], { encoding: 'utf8', stdio: 'pipe' }).trim()
  return { program, version }
}

const failed = []
for (const major of versions) {
  if (major === process.versions.node.split('.')[0]) continue
  let found
  try {
    found = fetchNode(major)
  } catch (error) {
    console.log(`\nskipped Node.js ${major}: ${error.message.trim().replaceAll('\n', ' ')}`)
    continue
  }
  console.log(`\nNode.js ${found.version}`)
  const vitest = `${root}node_modules/vitest/vitest.mjs`
  const excluded = leftOut.map((glob) => `--exclude=${glob}`)
  // The whole suite has no second try. Here, what fails because of the version fails each time.
  const args = ['run', '--silent=true', '--reporter=dot', '--retry=2', ...excluded, ...tested]
  if ((await run(found.program, [vitest, ...args])) !== 0) failed.push(found.version)
}
if (failed.length > 0) console.log(`\nfailed: tests on Node.js ${failed.join(' and ')}`)
process.exitCode = failed.length > 0 ? 1 : 0
