// `npm test`: installs if needed, then builds the JavaScript and runs lint, types, docs and the tests of the lanes `unit` and
// `system`. The last line counts the tests that passed, failed and were skipped.
import {
  againOf,
  closingLine,
  expectFailure,
  expectReports,
  failedFiles,
  reportOf,
} from './closing-line.mjs'
import { installIfNeeded } from './install-if-needed.mjs'
import { root } from './run.mjs'
import { runTracks } from './steps.mjs'

const began = performance.now()
const lanes = ['unit', 'system']
expectReports(lanes)
await installIfNeeded()

const script = (name) => `${root}scripts/${name}.mjs`

/**
 * @param {string} lane
 * @param {string} report
 * @param {readonly string[]} files all of the lane, if it is empty
 */
const tests = (lane, report = reportOf(lane), files = []) => ({
  name: `tests: ${lane}`,
  command: [
    'vitest',
    'run',
    `--project=${lane}*`,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...files,
  ],
})

// The compiler and the linters use one core, and leave the other one to the unit tests, which wait for nothing.
const failed = await runTracks([
  [
    { name: 'types', command: [script('tsc'), '-b'] },
    { name: 'types of tests', command: [script('tsc'), '-p', 'tsconfig.test.json'] },
    {
      name: 'types of the console’s tests',
      command: [script('tsc'), '-p', 'packages/console/tsconfig.test.json'],
    },
    {
      name: 'types of the sign-in pages’ tests',
      command: [script('tsc'), '-p', 'packages/sign-in/tsconfig.test.json'],
    },
    {
      name: 'types of the tests with React',
      command: [script('tsc'), '-p', 'packages/react/tsconfig.test.json'],
    },
    { name: 'docs', command: [script('check-docs')] },
    { name: 'schemas', command: [script('write-schemas'), '--check'] },
    { name: 'lint: biome', command: ['biome', 'check', '.'] },
    { name: 'lint: knip', command: ['knip'] },
  ],
  [{ name: 'build', command: [script('build-js')] }, tests('unit'), tests('system')],
])

for (const lane of lanes) if (failed.includes(tests(lane).name)) expectFailure(lane)

// A program that a test waits for may starve on a shared machine. On the build machine a few files get a second attempt, alone; the
// closing lines name what only passed then, and a nightly run forgives nothing.
const system = 'tests: system'
if (process.env.GATEHOUSE_SECOND_ATTEMPT === 'yes' && failed.includes(system)) {
  const files = failedFiles('system')
  const isFew = files.length > 0 && files.length <= 3
  const again = { ...tests('system', againOf('system'), files), name: `${system}, again` }
  if (isFew && (await runTracks([[again]])).length === 0) failed.splice(failed.indexOf(system), 1)
}

console.log(`\n${((performance.now() - began) / 1_000).toFixed(0)} s in all`)
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`)
console.log(closingLine())
process.exitCode = failed.length > 0 ? 1 : 0
