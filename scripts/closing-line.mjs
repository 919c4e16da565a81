// The last line of a test run, from vitest's reports of all lanes: `N passed, N failed, N skipped`.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { root } from './run.mjs'

const folder = `${root}node_modules/.cache/gatehouse/reports/`

/** The file for the report of a lane. */
export const reportOf = (lane) => `${folder}${lane}.json`

/** Replaces the reports of earlier runs by failures, which count if a lane ends without a report. */
export function expectReports(lanes) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const lane of lanes) {
    const missing = { name: lane, status: 'failed', message: 'no report', assertionResults: [] }
    const counts = { numPassedTests: 0, numPendingTests: 0, numTodoTests: 0 }
    writeFileSync(reportOf(lane), JSON.stringify({ testResults: [missing], ...counts }))
  }
}

/**
 * @returns {string} one line for each failure, then the closing line. A file that could not be loaded counts as one failed test.
 */
export function closingLine() {
  const files = existsSync(folder) ? readdirSync(folder) : []
  if (files.length === 0) return '0 passed, 1 failed, 0 skipped'
  const reports = files.map((name) => JSON.parse(readFileSync(`${folder}${name}`, 'utf8')))
  const failures = reports
    .flatMap(({ testResults }) => testResults)
    .filter(({ status }) => status === 'failed')
    .flatMap(failuresOf)
  const total = (name) => reports.reduce((sum, report) => sum + report[name], 0)
  const skipped = total('numPendingTests') + total('numTodoTests')
  const counts = `${total('numPassedTests')} passed, ${failures.length} failed, ${skipped} skipped`
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
