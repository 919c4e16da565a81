import ts from 'typescript'
import { expect, it } from 'vitest'
import { type SourceFile, sources } from './sources.fixture.ts'

const mostLines = 100

/**
 * Functions that are still longer, by the name of their file, with the most lines that they may have. Shorten one, and lower its
 * number or remove its row.
 */
const longFunctions: Readonly<Record<string, number>> = {
  'admission.ts createAdmission': 141,
  'alert-index.ts createAlertIndex': 119,
  'alert-tracker.ts createAlertTracker': 130,
  'alerts-change-source.ts createAlertsChangeSource': 139,
  'alerts-page.tsx AlertsPage': 179,
  'authenticator.ts createOobOtpAuthenticator': 206,
  'check-names.ts checkNames': 136,
  'collect-answers.ts collectAnswers': 102,
  'config-files.ts configFiles': 119,
  'create-auth.ts createAuth': 106,
  'heartbeat.ts createHeartbeat': 123,
  'index.ts createPostgresStorage': 146,
  'index.ts createSqliteStorage': 110,
  'listeners.ts createListeners': 116,
  'matcher-input.tsx MatcherInput': 116,
  'metrics.ts createMetricsRegistry': 103,
  'notifications-page.tsx NotificationsPage': 138,
  'output-log.ts createOutputLog': 133,
  'output-view.tsx OutputView': 114,
  'readable-storage.ts readableStorage': 110,
  'request-frame.ts createRequestFrame': 106,
  'request-guard.ts createRequestGuard': 116,
  'run-form.tsx RunForm': 126,
  'serve-api.ts run': 101,
  'silence-form.tsx SilenceForm': 146,
  'silence-index.ts createSilenceIndex': 107,
  'start-event-recorder.ts startEventRecorder': 147,
  'start-history.ts startHistory': 117,
  'supervise-workers.ts superviseWorkers': 109,
  'table.ts openTable': 148,
  'transaction.ts createTransactionStorage': 103,
  'webhook-output.ts createWebhookOutput': 117,
}

/** Suites call `describe` and `it` in a function. */
const isSuite = ({ path }: SourceFile): boolean => path.startsWith('core/src/conformance/')

/** The functions that are too long, such as `places.ts createPlaces`, with their lines. */
function longFunctionsIn({ path, text }: SourceFile): [name: string, lines: number][] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
  const found: [string, number][] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const line = (position: number): number => file.getLineAndCharacterOfPosition(position).line
      const lines = line(node.end) - line(node.getStart(file)) + 1
      const folder = path.lastIndexOf('/')
      if (lines > mostLines) found.push([`${path.slice(folder + 1)} ${nameOf(node, file)}`, lines])
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function nameOf(node: ts.SignatureDeclaration, file: ts.SourceFile): string {
  const { parent } = node
  const name = node.name ?? (ts.isVariableDeclaration(parent) ? parent.name : undefined)
  return name?.getText(file) ?? 'a function'
}

it('no function has more than 100 lines, but for those in the list, which do not grow', () => {
  const long = sources
    .filter((source) => !isSuite(source) && source.text.split('\n').length > mostLines)
    .flatMap(longFunctionsIn)
  const tooLong = long.filter(([name, lines]) => lines > (longFunctions[name] ?? mostLines))
  expect(Object.fromEntries(tooLong)).toEqual({})
  const names = new Set(long.map(([name]) => name))
  expect(Object.keys(longFunctions).filter((name) => !names.has(name))).toEqual([])
})
