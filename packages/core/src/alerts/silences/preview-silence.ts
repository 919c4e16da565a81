import { inSlices } from '../../async/slices.ts'
import { readHistory } from '../../history/read-history.ts'
import { decodeInput, exactly, listOf, optional, wholeFrom } from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import { labelSetFromObject } from '../alert/label-set.ts'
import { byFingerprint } from '../board/alert-entry.ts'
import { toGettableAlert } from '../board/alert-json.ts'
import type { AlertsContext } from '../context.ts'
import { alertHistoryCollection } from '../history/alert-event.ts'
import { matchesAll } from '../matcher/matcher.ts'
import { checkSilence, silenceMatchers } from '../silence/silence.ts'
import { matcherInput } from '../silence/silence-input.ts'
import type * as wire from '../wire/types.generated.ts'

/** The silence to preview. */
export type SilencePreviewRequest = wire.SilencePreviewRequest

/** What a silence would cover. */
export type SilencePreview = wire.SilencePreview

const week = 7 * 24 * 3_600_000
const maxListed = 100
const maxSearched = 200_000

const previewRequest = exactly<SilencePreviewRequest>({
  matchers: listOf(matcherInput),
  historyMs: optional(wholeFrom(0)),
})

/**
 * The alerts that a silence with these matchers would cover now, and how many it would have covered lately. Stores nothing.
 *
 * @throws {GatehouseError} `InvalidInput`; `InvalidSilence`
 * @example
 * const matchers = [{ name: 'team', value: 'db', isRegex: false }]
 * const { count, history } = await previewSilence(alerts, { matchers })
 */
export async function previewSilence(
  alerts: AlertsContext,
  request: SilencePreviewRequest,
): Promise<SilencePreview> {
  const { matchers: given, historyMs = week } = decodeInput('request', previewRequest, request)
  const { board, clock, options } = alerts
  const now = clock.now()
  // Only the matchers are of interest; the rest is what every silence must have.
  const silence = { matchers: given, startsAt: now, endsAt: now + 1, createdBy: '', comment: '' }
  await inSlices(checkSilence(silence, now, options.labelNames))
  const matchers = silenceMatchers({
    ...silence,
    updatedAt: now,
    matchers: given.map((one) => ({ isEqual: true, ...one })),
  })
  const shownAt = await board.refresh()
  const entries = [...(await inSlices(board.alerts.matching(matchers)))]
  const covered = new Set(entries.map(({ fingerprint }) => fingerprint))
  const listed = entries
    .sort(byFingerprint)
    .slice(0, maxListed)
    .map((entry) =>
      toGettableAlert(entry, board.statusOf(entry, shownAt), entry.routeSet?.receivers ?? []),
    )
  const covers = { count: covered.size, total: board.alerts.firingSize, alerts: listed }
  if (options.historyRetentionMs === 0) return covers
  const from = now - Math.min(historyMs, options.historyRetentionMs)
  let searched = 0
  let oldest: Instant = now
  let after: string | undefined
  do {
    const page = await readHistory(
      alerts,
      { from, limit: 1_000, after },
      {
        collection: alertHistoryCollection,
        wants({ at, event, labels }) {
          searched++
          oldest = at
          return event === 'firing' && matchesAll(matchers, labelSetFromObject(labels))
        },
        show: ({ value }) => value.fingerprint,
      },
    )
    for (const fingerprint of page.items) covered.add(fingerprint)
    after = page.next
  } while (after !== undefined && searched < maxSearched)
  const since = after === undefined ? from : oldest
  return {
    ...covers,
    history: { count: covered.size, from: new Date(since).toISOString() },
  }
}
