import { inSlices } from '../../async/slices.ts'
import { readHistory } from '../../history/read-history.ts'
import { decodeInput, exactly, listOf, optional, rawText, wholeFrom } from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import { labelSetFromObject } from '../alert/label-set.ts'
import { type AlertEntry, byFingerprint, unsuppressed } from '../board/alert-entry.ts'
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
  chosen: optional(listOf(rawText)),
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
  const decoded = decodeInput('request', previewRequest, request)
  const { matchers: given, historyMs = week, chosen } = decoded
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
  const wanted = chosen && new Set(chosen)
  const isUnchosen = ({ fingerprint }: AlertEntry): boolean => wanted?.has(fingerprint) === false
  const statuses = new Map(entries.map((entry) => [entry, board.statusOf(entry, shownAt)]))
  const isSilenced = (entry: AlertEntry): boolean => statuses.get(entry)?.silencedBy.length !== 0
  // What its author may not expect stands first, so that the limit never hides it.
  const rank = (entry: AlertEntry): number =>
    (isUnchosen(entry) ? 0 : 2) + (isSilenced(entry) ? 1 : 0)
  const listed = entries
    .sort((a, b) => rank(a) - rank(b) || byFingerprint(a, b))
    .slice(0, maxListed)
    .map((entry) =>
      toGettableAlert(
        entry,
        statuses.get(entry) ?? unsuppressed,
        entry.routeSet?.receivers ?? [],
      ),
    )
  const covers = {
    count: entries.length,
    total: board.alerts.firingSize,
    silenced: entries.filter(isSilenced).length,
    ...(chosen && { unchosen: entries.filter(isUnchosen).length }),
    alerts: listed,
  }
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
