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

/** The file for the report of the second attempt at the files of a lane that failed. */
export const againOf = (lane) => reportOf(`${lane}-again`)

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** The files of a lane's report with a failure. */
export function failedFiles(lane) {
  return read(reportOf(lane))
    .testResults.filter(({ status }) => status === 'failed')
    .map(({ name }) => name)
    .filter((name) => existsSync(name))
}

/** Adds a failure to the report of a lane that failed, but for none of its tests, so that the closing line does not say `0 failed`. */
export function expectFailure(lane) {
  const report = read(reportOf(lane))
  if (report.testResults.some(({ status }) => status === 'failed')) return
  const outside = { name: lane, status: 'failed', message: 'an error outside of its tests' }
  report.testResults.push({ ...outside, assertionResults: [] })
  writeFileSync(reportOf(lane), JSON.stringify(report))
}

/**
 * @returns {string} one line for each failure, and for each one that a second attempt did not repeat, then the closing line. A file
 *   that could not be loaded counts as one failed test.
 */
export function closingLine() {
  const lanes = (existsSync(folder) ? readdirSync(folder) : [])
    .map((name) => name.replace(/\.json$/, ''))
    .filter((name) => !name.endsWith('-again'))
  if (lanes.length === 0) return '0 passed, 1 failed, 0 skipped'
  const reports = lanes.map((lane) => ({ lane, ...read(reportOf(lane)) }))
  const failures = reports.flatMap(failuresOfLane)
  const unsteady = failures.filter(({ passedAgain }) => passedAgain).length
  const total = (name) => reports.reduce((sum, report) => sum + report[name], 0)
  const passed = total('numPassedTests') + unsteady
  const skipped = total('numPendingTests') + total('numTodoTests')
  const counts = `${passed} passed, ${failures.length - unsteady} failed, ${skipped} skipped`
  const lines = failures.map(
    ({ passedAgain, text }) => `${passedAgain ? 'UNSTEADY' : 'FAILED'} ${text}`,
  )
  return [...lines, counts].join('\n')
}

function failuresOfLane({ lane, testResults }) {
  const again = existsSync(againOf(lane)) ? read(againOf(lane)).testResults : []
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap((file) => {
      const passedAgain = again.find(({ name }) => name === file.name)?.status === 'passed'
      return failuresOf(file).map((text) => ({ passedAgain, text }))
    })
}

function failuresOf({ name, assertionResults, message }) {
  const file = name.replace(root, '')
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return [`${file}: ${firstLine(message)}`]
  return failed.map(
    ({ fullName, failureMessages }) => `${file} > ${fullName}: ${firstLine(failureMessages[0])}`,
  )
}

const firstLine = (text = '') => text.split('\n', 1)[0]

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(closingLine())
