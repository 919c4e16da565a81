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
import type { AlertEntry, AlertStatus } from '../board/alert-entry.ts'
import { toGettableAlert } from '../board/alert-json.ts'
import type { AlertsContext } from '../context.ts'
import { alertHistoryCollection } from '../history/alert-event.ts'
import { type Matcher, matchesAll } from '../matcher/matcher.ts'
import { recurringSilenceCollection } from '../recurrence/recurring-silence.ts'
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
const alertsPerStep = 50

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
  const own = await silencesOf(alerts, decoded.id)
  const entries = await inSlices(board.alerts.matching(matchers))
  const { chosen } = decoded
  const covers = await inSlices(coverageOf(alerts, entries, { chosen, own, shownAt }))
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

/** The ids of the silences that will change with the silence, or the recurring silence, `id`. */
async function silencesOf(
  { storage }: AlertsContext,
  id: string | undefined,
): Promise<ReadonlySet<string>> {
  if (id === undefined) return new Set()
  const recurring = await recurringSilenceCollection.get(storage, id)
  return new Set([id, ...(recurring?.value.silences ?? []).map((made) => made.id)])
}

interface Coverage {
  readonly chosen: readonly string[] | undefined
  /** The silences that do not count as silencing. */
  readonly own: ReadonlySet<string>
  readonly shownAt: Instant
}

/** What the silence covers of the alerts that fire now. `entries` are in the order of their fingerprints. */
function* coverageOf(
  { board }: AlertsContext,
  entries: readonly AlertEntry[],
  { chosen, own, shownAt }: Coverage,
): Generator<void, Omit<SilencePreview, 'history'>> {
  const wanted = chosen && new Set(chosen)
  // What its author may not expect stands first, so that the limit never hides it.
  const unchosen = { fresh: createListed(), silenced: createListed() }
  const expected = { fresh: createListed(), silenced: createListed() }
  for (const [index, entry] of entries.entries()) {
    if (index % alertsPerStep === 0) yield
    // It may have stopped firing since the list was made.
    if (entry.routeSet === undefined) continue
    const status = board.statusOf(entry, shownAt)
    const { fresh, silenced } = wanted?.has(entry.fingerprint) === false ? unchosen : expected
    const listed = status.silencedBy.some((id) => !own.has(id)) ? silenced : fresh
    if (++listed.count <= maxListed) listed.first.push([entry, status])
  }
  const all = [unchosen.fresh, unchosen.silenced, expected.fresh, expected.silenced]
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    total: board.alerts.firingSize,
    silenced: unchosen.silenced.count + expected.silenced.count,
    ...(chosen && { unchosen: unchosen.fresh.count + unchosen.silenced.count }),
    alerts: all
      .flatMap(({ first }) => first)
      .slice(0, maxListed)
      .map(([entry, status]) => toGettableAlert(entry, status, entry.routeSet?.receivers ?? [])),
  }
}

/** Covered alerts of one rank: how many there are, and those that may be listed. */
interface Listed {
  count: number
  readonly first: [AlertEntry, AlertStatus][]
}

const createListed = (): Listed => ({ count: 0, first: [] })

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
