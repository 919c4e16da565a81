import { inSlices } from '../../async/slices.ts'
import { decodeInput, exactly } from '../../input/decode.ts'
import type { FromCode } from '../../input/from-code.ts'
import type { Instant } from '../../time/clock.ts'
import type { SilenceEntry } from '../board/alert-entry.ts'
import { readFilters } from '../board/alert-query.ts'
import { measuredQuery } from '../board/silence-metrics.ts'
import type { AlertsContext } from '../context.ts'
import { choosePage, type Page, type PageShape, pageQueryFields } from '../page/page.ts'
import { type GettableSilence, silenceState, toGettableSilence } from '../silence/silence.ts'
import type * as wire from '../wire/types.generated.ts'
import { chosenSilences, silencesQueryFields } from './list-silences.ts'

/** A silence with the number of its alerts. */
export interface ListedSilence extends GettableSilence {
  /** How many firing alerts it matches, also before it starts. */
  readonly alertCount: number
}

/** Which silences to list, and which part of the list. */
export type SilencesPageQuery = FromCode<wire.SilencesPageQuery>

const silencesPageQuery = exactly<wire.SilencesPageQuery>({
  ...silencesQueryFields,
  ...pageQueryFields,
})

/** Enough digits for every instant. */
const padded = (at: Instant): string => String(at).padStart(16, '0')

function silenceShape(now: Instant): PageShape<SilenceEntry> {
  return {
    sorts: {
      state(entry) {
        const state = silenceState(entry, now)
        if (state === 'active') return `1 ${padded(entry.endsAt)}`
        if (state === 'pending') return `2 ${padded(entry.startsAt)}`
        return `3 ${padded(Number.MAX_SAFE_INTEGER - entry.endsAt)}`
      },
      startsAt: ({ startsAt }) => startsAt,
      endsAt: ({ endsAt }) => endsAt,
      updatedAt: ({ silence }) => silence.updatedAt,
      createdBy: ({ silence }) => silence.createdBy,
    },
    id: ({ id }) => id,
    fields: [
      'id',
      'status',
      'updatedAt',
      'annotations',
      'comment',
      'createdBy',
      'endsAt',
      'matchers',
      'startsAt',
      'alertCount',
    ],
  }
}

/**
 * Lists a page of the silences, sorted, with some of their properties only if wanted.
 *
 * @throws {GatehouseError} `InvalidInput`, `InvalidPageQuery`, `TooManyFilters`, `InvalidMatcher`.
 */
export async function listSilencesPage(
  alerts: AlertsContext,
  query: SilencesPageQuery = {},
): Promise<Page<ListedSilence>> {
  const decoded = decodeInput('query', silencesPageQuery, query)
  const filters = await inSlices(readFilters(decoded.filter ?? [], alerts.options))
  return measuredQuery(alerts, async () => {
    const now = await alerts.board.refresh()
    const found = await chosenSilences(alerts, decoded, filters, now)
    const { items, pick, ...rest } = await inSlices(choosePage(found, decoded, silenceShape(now)))
    return {
      items: items.map(({ id, silence, alerts: { size: alertCount } }) =>
        pick({ ...toGettableSilence(id, silence, now), alertCount }),
      ),
      ...rest,
    }
  })
}
