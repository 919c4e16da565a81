// The last line of a test run, from the report vitest wrote: `N passed, N failed, N skipped`.
import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { root } from './run.mjs'

/** Where the report of the last run is. */
export const reportFile = `${root}node_modules/.cache/gatehouse/vitest.json`

/** @returns {string} the line; a file that could not be loaded counts as one failed test. */
export function closingLine() {
  if (!existsSync(reportFile)) return '0 passed, 1 failed, 0 skipped'
  const report = JSON.parse(readFileSync(reportFile, 'utf8'))
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((t) => t.status !== 'failed'),
  )
  const failed = report.numFailedTests + broken.length
  const skipped = report.numPendingTests + report.numTodoTests
  return `${report.numPassedTests} passed, ${failed} failed, ${skipped} skipped`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(closingLine())
