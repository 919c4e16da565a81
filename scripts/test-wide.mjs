// `npm run test:wide`: what takes too long for every change. The whole grids of stores, adapters and runners, twenty times as many
// random inputs and seeds, the site, apps of other frameworks, and the tests on other versions of Node.js.
import { installIfNeeded } from './install-if-needed.mjs'
import { root, run, runTool } from './run.mjs'

await installIfNeeded()
const env = { GATEHOUSE_TEST_WIDE: '1' }
const steps = [
  // With declarations: apps of other frameworks are type-checked.
  ['build', () => run('npm', ['run', '--silent', 'build'])],
  ['grids and many inputs', () => runTool('vitest', ['run', '--project=wide'], { env })],
  ['site', () => run(process.execPath, [`${root}scripts/site.mjs`])],
  ['frameworks', () => run(process.execPath, [`${root}scripts/consumers/frameworks.mjs`])],
  [
    'other versions of Node.js',
    () => run(process.execPath, [`${root}scripts/other-nodes.mjs`, '--all']),
  ],
]
const failed = []
for (const [name, step] of steps) {
  console.log(`\n${name}`)
  if ((await step()) !== 0) failed.push(name)
}
if (failed.length > 0) console.log(`\nfailed: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0
