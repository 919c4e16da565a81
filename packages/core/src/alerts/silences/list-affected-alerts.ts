import { inSlices } from '../../async/slices.ts'
import { readHistory } from '../../history/read-history.ts'
import { decodeInput, recordId } from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import type { Labels } from '../alert/alert.ts'
import { labelSetFromObject, labelSetToObject } from '../alert/label-set.ts'
import { findSilence } from '../board/find-silence.ts'
import type { AlertsContext } from '../context.ts'
import { silenceNotFound } from '../errors.ts'
import { alertHistoryCollection, type StoredAlertEvent } from '../history/alert-event.ts'
import { matchesAll } from '../matcher/matcher.ts'
import { silenceMatchers } from '../silence/silence.ts'
import type * as wire from '../wire/types.generated.ts'

/** An alert that a silence has covered while it fired. */
export type AffectedAlert = wire.AffectedAlert

/** The alerts that a silence has covered. */
export type AffectedAlerts = wire.AffectedAlerts

const maxListed = 1_000
const maxSearched = 200_000

/**
 * Lists the alerts that fired while a silence covered them, now or since it began, from the history.
 *
 * @throws {GatehouseError} `InvalidInput`; `SilenceNotFound`
 * @example
 * for (const { id } of await listSilences(alerts)) console.log((await listAffectedAlerts(alerts, id)).total)
 */
export async function listAffectedAlerts(
  alerts: AlertsContext,
  silenceId: string,
): Promise<AffectedAlerts> {
  const id = decodeInput('silenceId', recordId, silenceId)
  const { board, options } = alerts
  const now = await board.refresh()
  const stored = await findSilence(alerts, id)
  if (stored === undefined) throw silenceNotFound(id)
  const { startsAt, endsAt } = stored.value
  const matchers = silenceMatchers(stored.value)
  const found = new Map<string, Labels>()
  if (startsAt <= now && now < endsAt) {
    for (const { fingerprint, labels } of await inSlices(board.alerts.matching(matchers))) {
      found.set(fingerprint, labelSetToObject(labels))
    }
  }
  const end = Math.min(now, endsAt)
  const isKept = options.historyRetentionMs > 0
  const isSearched = !isKept || startsAt >= end ? isKept : await search(startsAt, end)
  const affected = [...found].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    items: affected.slice(0, maxListed).map(([fingerprint, labels]) => ({ fingerprint, labels })),
    total: found.size,
    isWhole: isSearched && startsAt >= now - options.historyRetentionMs,
  }

  /** Adds the alerts of the history, from the newest event back. Returns whether it came to the beginning. */
  async function search(from: Instant, to: Instant): Promise<boolean> {
    /** Alerts that were over before the silence began: an older event of theirs says nothing. */
    const over = new Set<string>()
    const take = ({ at, event, fingerprint, labels }: StoredAlertEvent): void => {
      const ends = event === 'resolved' || event === 'expired'
      if (at <= from && ends) over.add(fingerprint)
      else if (at > from || !over.has(fingerprint)) found.set(fingerprint, labels)
    }
    let searched = 0
    let after: string | undefined
    do {
      const page = await readHistory(
        alerts,
        { to, limit: 1_000, after },
        {
          collection: alertHistoryCollection,
          wants({ labels }) {
            searched++
            return matchesAll(matchers, labelSetFromObject(labels))
          },
          show: ({ value }) => value,
        },
      )
      for (const event of page.items) take(event)
      after = page.next
    } while (after !== undefined && searched < maxSearched)
    return after === undefined
  }
}
