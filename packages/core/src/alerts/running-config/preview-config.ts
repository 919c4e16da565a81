import { inSlices } from '../../async/slices.ts'
import type { ConfigProblem } from '../../document/config-problem.ts'
import { isGatehouseError } from '../../errors.ts'
import { readHistory } from '../../history/read-history.ts'
import { decodeInput, exactly, optional, rawText, wholeFrom } from '../../input/decode.ts'
import type { FromCode } from '../../input/from-code.ts'
import type { Labels } from '../alert/alert.ts'
import { labelSetToObject } from '../alert/label-set.ts'
import { type AlertsConfig, loadAlertsConfig } from '../config/config.ts'
import { maskedSecrets } from '../config/masked-secrets.ts'
import type { AlertsContext } from '../context.ts'
import { alertHistoryCollection } from '../history/alert-event.ts'
import type * as wire from '../wire/types.generated.ts'
import { compareRoutes } from './compare-routes.ts'
import { routeFinder } from './route-lines.ts'

/** A draft of `alertmanager.yml`. */
export type ConfigPreviewRequest = FromCode<wire.ConfigPreviewRequest>

/** A place in a draft, and what is wrong there. */
export type ConfigPreviewProblem = ConfigPreview['problems'][number]

/** What is wrong with a draft, or what would change. */
export type ConfigPreview = wire.ConfigPreview

const previewRequest = exactly<wire.ConfigPreviewRequest>({
  config: rawText,
  historyMs: optional(wholeFrom(0)),
})

const maxSearched = 200_000
const maxAlerts = 20_000

/**
 * Checks a draft of the configuration, and compares where the running configuration and the draft send alerts. Changes nothing.
 *
 * @throws {GatehouseError} `InvalidInput`
 * @example
 * const config = 'route: { receiver: a }\nreceivers: [{ name: a }]'
 * const { problems, warnings, difference } = await previewConfig(alerts, { config, historyMs: 7 * 86_400_000 })
 * for (const { line, message } of [...problems, ...warnings]) console.log(`line ${line}: ${message}`)
 * console.log(`${difference?.moved} of ${difference?.alerts} alerts would be routed differently`)
 */
export async function previewConfig(
  alerts: AlertsContext,
  request: ConfigPreviewRequest,
): Promise<ConfigPreview> {
  const { config: text, historyMs = 0 } = decodeInput('request', previewRequest, request)
  const { matcherMode, labelNames } = alerts.options
  const shown = shownProblems(text)
  const warnings = shown(maskedSecrets({ text }))
  let draft: AlertsConfig
  try {
    draft = loadAlertsConfig(text, {
      matcherMode,
      classicLabelNames: labelNames === 'classic',
      references: 'unresolved',
      webhookProblem: alerts.webhookProblem,
    })
  } catch (error) {
    return { problems: shown(problemsOf(error)), warnings, isWhole: true }
  }
  const { found, isWhole } = await alertsSince(alerts, historyMs)
  const running = alerts.config.current
  const difference = await compareRoutes(running, draft, found.values())
  return { problems: [], warnings, difference, isWhole }
}

/** Shows problems of a text, those in its routes with the line of their route. */
const shownProblems =
  (text: string) =>
  (problems: readonly ConfigProblem[]): readonly ConfigPreviewProblem[] => {
    const find = problems.length === 0 ? undefined : routeFinder(text)
    return problems.map(({ path, line, column, message }) => {
      const routeLine = find?.(path)
      return { line, column, message, ...(routeLine !== undefined && { routeLine }) }
    })
  }

function problemsOf(error: unknown): readonly ConfigProblem[] {
  if (!isGatehouseError(error) || error.reason !== 'InvalidConfig') throw error
  const { problems = [] } = error.info as { problems?: readonly ConfigProblem[] }
  if (problems.length > 0) return problems
  return [{ path: '', line: 1, column: 1, message: error.message }]
}

/** The labels of alerts that fire now, and of those that fired lately, by fingerprint. */
async function alertsSince(
  alerts: AlertsContext,
  historyMs: number,
): Promise<{ readonly found: ReadonlyMap<string, Labels>; readonly isWhole: boolean }> {
  const { board, options } = alerts
  const now = await board.refresh()
  const found = new Map<string, Labels>()
  const firing = await inSlices(board.alerts.matching([]))
  for (const { fingerprint, labels } of firing) found.set(fingerprint, labelSetToObject(labels))
  if (historyMs === 0 || options.historyRetentionMs === 0) return { found, isWhole: true }
  const from = now - Math.min(historyMs, options.historyRetentionMs)
  let searched = 0
  let after: string | undefined
  do {
    const page = await readHistory(
      alerts,
      { from, limit: 1_000, after },
      {
        collection: alertHistoryCollection,
        wants({ fingerprint }) {
          searched++
          return !found.has(fingerprint)
        },
        show: ({ value }) => value,
      },
    )
    for (const { fingerprint, labels } of page.items) found.set(fingerprint, labels)
    after = page.next
  } while (after !== undefined && searched < maxSearched && found.size < maxAlerts)
  return { found, isWhole: after === undefined }
}
