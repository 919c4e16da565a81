// `npm test`: installs if needed, builds the JavaScript, then runs lint, types, docs and tests. Every step runs, even after one
// has failed. The last line counts the tests that passed, failed and were skipped.
import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { buildJs } from './build-js.mjs'
import { closingLine, reportFile } from './closing-line.mjs'
import { installIfNeeded } from './install-if-needed.mjs'
import { root, run, runTool } from './run.mjs'

rmSync(reportFile, { force: true })
await installIfNeeded()
mkdirSync(dirname(reportFile), { recursive: true })

const steps = [
  ['build', async () => ((await buildJs()) ? 0 : 1)],
  ['lint: biome', () => runTool('biome', ['check', '.'])],
  ['lint: knip', () => runTool('knip', [])],
  ['types', () => runTool('tsc', ['-b'])],
  ['types of tests', () => runTool('tsc', ['-p', 'tsconfig.test.json'])],
  ['types of the console', () => runTool('tsc', ['-p', 'packages/console/tsconfig.test.json'])],
  ['schemas', () => run(process.execPath, [`${root}scripts/write-schemas.mjs`, '--check'])],
  ['docs', () => run(process.execPath, [`${root}scripts/check-docs.mjs`])],
  [
    'tests',
    () =>
      runTool('vitest', [
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${reportFile}`,
      ]),
  ],
]

const failed = []
for (const [name, step] of steps) {
  console.log(`\n${name}`)
  if ((await step()) !== 0) failed.push(name)
}

if (failed.length > 0) console.log(`\nfailed: ${failed.join(', ')}`)
console.log(closingLine())
process.exitCode = failed.length > 0 ? 1 : 0
