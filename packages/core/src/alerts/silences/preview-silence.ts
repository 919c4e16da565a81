import { inSlices } from '../../async/slices.ts'
import { readHistory } from '../../history/read-history.ts'
import {
  decodeInput,
  exactly,
  listOf,
  optional,
  rawText,
  recordId,
  wholeFrom,
} from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import { labelSetFromObject } from '../alert/label-set.ts'
import { type AlertEntry, byFingerprint, unsuppressed } from '../board/alert-entry.ts'
import { toGettableAlert } from '../board/alert-json.ts'
import type { AlertsContext } from '../context.ts'
import { alertHistoryCollection } from '../history/alert-event.ts'
import { type Matcher, matchesAll } from '../matcher/matcher.ts'
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
  id: optional(recordId),
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
  const { board, clock, options } = alerts
  const now = clock.now()
  const matchers = await matchersOf(alerts, decoded, now)
  const shownAt = await board.refresh()
  const entries = [...(await inSlices(board.alerts.matching(matchers)))]
  const covers = coverageOf(alerts, entries, { ...decoded, shownAt })
  if (options.historyRetentionMs === 0) return covers
  const from = now - Math.min(decoded.historyMs ?? week, options.historyRetentionMs)
  const known = entries.map(({ fingerprint }) => fingerprint)
  return { ...covers, history: await searchHistory(alerts, matchers, { from, now, known }) }
}

/** The matchers of the silence. @throws {GatehouseError} `InvalidSilence` */
async function matchersOf(
  { options }: AlertsContext,
  { matchers: given }: SilencePreviewRequest,
  now: Instant,
): Promise<readonly Matcher[]> {
  // Only the matchers are of interest; the rest is what every silence must have.
  const silence = { matchers: given, startsAt: now, endsAt: now + 1, createdBy: '', comment: '' }
  await inSlices(checkSilence(silence, now, options.labelNames))
  return silenceMatchers({ matchers: given.map((one) => ({ isEqual: true, ...one })) })
}

/** What the silence covers of the alerts that fire now. */
function coverageOf(
  { board }: AlertsContext,
  entries: AlertEntry[],
  { chosen, id, shownAt }: Pick<SilencePreviewRequest, 'chosen' | 'id'> & { shownAt: Instant },
): Omit<SilencePreview, 'history'> {
  const wanted = chosen && new Set(chosen)
  const isUnchosen = ({ fingerprint }: AlertEntry): boolean => wanted?.has(fingerprint) === false
  const statuses = new Map(entries.map((entry) => [entry, board.statusOf(entry, shownAt)]))
  const isSilenced = (entry: AlertEntry): boolean =>
    statuses.get(entry)?.silencedBy.some((other) => other !== id) === true
  // What its author may not expect stands first, so that the limit never hides it.
  const rank = (entry: AlertEntry): number =>
    (isUnchosen(entry) ? 0 : 2) + (isSilenced(entry) ? 1 : 0)
  const listed = entries
    .sort((a, b) => rank(a) - rank(b) || byFingerprint(a, b))
    .slice(0, maxListed)
    .map((entry) => {
      const status = statuses.get(entry) ?? unsuppressed
      return toGettableAlert(entry, status, entry.routeSet?.receivers ?? [])
    })
  return {
    count: entries.length,
    total: board.alerts.firingSize,
    silenced: entries.filter(isSilenced).length,
    ...(chosen && { unchosen: entries.filter(isUnchosen).length }),
    alerts: listed,
  }
}

/** How many different alerts a silence would have covered since an instant, with those that are known already. */
async function searchHistory(
  alerts: AlertsContext,
  matchers: readonly Matcher[],
  { from, now, known }: { from: Instant; now: Instant; known: readonly string[] },
): Promise<NonNullable<SilencePreview['history']>> {
  const covered = new Set(known)
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
  return { count: covered.size, from: new Date(since).toISOString() }
}
