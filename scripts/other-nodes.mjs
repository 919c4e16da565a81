// Runs tests on the supported versions of Node.js other than the one that runs this script: on the oldest of them those where the
// version matters most, or with `--all` on every one all of core, the stores, the client and the command. A version that npm cannot
// fetch is skipped with the reason.
import { execFileSync } from 'node:child_process'
import { installWhenNeeded } from './install-when-needed.mjs'
import { root, run } from './run.mjs'

/** What speaks most to Node.js: the store over `node:sqlite`, every operation, and the built command. */
const usual = [
  'packages/store-sqlite',
  'packages/core/test/every-operation.test.ts',
  'packages/cli/src/main.test.ts',
]
/** With `--all`. */
const all = [
  'packages/core',
  'packages/go-template',
  'packages/store-',
  'packages/client',
  'packages/cli/src',
]

const isWhole = process.argv.includes('--all')
const versions = isWhole ? ['22', '24'] : ['22']

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
  const tested = isWhole ? all : usual
  const args = ['run', '--silent=true', '--reporter=dot', ...tested]
  const projects = ['unit', 'system*'].map((name) => `--project=${name}`)
  if ((await run(found.program, [vitest, ...args, ...projects])) !== 0) failed.push(found.version)
}
if (failed.length > 0) console.log(`\nfailed: tests on Node.js ${failed.join(' and ')}`)
process.exitCode = failed.length > 0 ? 1 : 0
