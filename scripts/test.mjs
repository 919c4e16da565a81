// `npm test`: installs if needed, then builds the JavaScript and runs lint, types, docs and the tests of the lanes `unit` and
// `system`. The last line counts the tests that passed, failed and were skipped.
import { closingLine, expectReports, reportOf } from './closing-line.mjs'
import { installIfNeeded } from './install-if-needed.mjs'
import { root } from './run.mjs'
import { runTracks } from './steps.mjs'

const began = performance.now()
expectReports(['unit', 'system'])
await installIfNeeded()

const script = (name) => `${root}scripts/${name}.mjs`

/** @param {string} lane */
const tests = (lane) => ({
  name: `tests: ${lane}`,
  command: [
    'vitest',
    'run',
    `--project=${lane}*`,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${reportOf(lane)}`,
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
    { name: 'docs', command: [script('check-docs')] },
    { name: 'schemas', command: [script('write-schemas'), '--check'] },
    { name: 'lint: biome', command: ['biome', 'check', '.'] },
    { name: 'lint: knip', command: ['knip'] },
  ],
  [{ name: 'build', command: [script('build-js')] }, tests('unit'), tests('system')],
])

console.log(`\n${((performance.now() - began) / 1_000).toFixed(0)} s in all`)
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`)
console.log(closingLine())
process.exitCode = failed.length > 0 ? 1 : 0
