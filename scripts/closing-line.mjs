// The last line of a test run, from vitest's report: `N passed, N failed, N skipped`.
import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { root } from './run.mjs'

/** The report of the last run. */
export const reportFile = `${root}node_modules/.cache/gatehouse/vitest.json`

/**
 * @returns {string} one line for each failure, then the closing line. A file that could not be loaded counts as one failed test.
 */
export function closingLine() {
  if (!existsSync(reportFile)) return '0 passed, 1 failed, 0 skipped'
  const report = JSON.parse(readFileSync(reportFile, 'utf8'))
  const failures = report.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(failuresOf)
  const skipped = report.numPendingTests + report.numTodoTests
  const counts = `${report.numPassedTests} passed, ${failures.length} failed, ${skipped} skipped`
  return [...failures, counts].join('\n')
}

function failuresOf({ name, assertionResults, message }) {
  const file = name.replace(root, '')
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return [`FAILED ${file}: ${firstLine(message)}`]
  return failed.map(
    ({ fullName, failureMessages }) =>
      `FAILED ${file} > ${fullName}: ${firstLine(failureMessages[0])}`,
  )
}

const firstLine = (text = '') => text.split('\n', 1)[0]

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(closingLine())
